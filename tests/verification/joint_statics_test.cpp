// Joints that hold a body at rest: force, torque and effort against the equilibrium of the body, in both orders of the
// ends.
//
//   a the body:    force = −m g,   torque about the anchor = −(x − p) × m g;      a the world: the opposite
//   effort         torque · axis of an angle, force · axis of a displacement

#include "framework/integrator.hpp"
#include "tests/jointed.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(joint_statics)

namespace {

constexpr double kStep = 0.01, kMass = 3;  // [s], [kg]
// A velocity error of ten times what is solved for, as a force on the mass and on the inertia of one metre around it.
constexpr double kForce = kTenSolved * kMass / kStep;

const Vec3 kCentre{0.7, -0.4, 0.3}, kAnchor{-0.2, 0.1, 0.5};
const Vec3 kWeight{0, 0, -kMass* kGravity};

void check_close(const Vec3& is, const Vec3& expected) {
  BOOST_TEST(norm(is - expected) <= kForce, "(" << is.x << ", " << is.y << ", " << is.z << ") is not (" << expected.x
                                                << ", " << expected.y << ", " << expected.z << ")");
}

/// The box, turned somehow, on a joint with the world or with a turned static body.
World box_on(JointDescription joint, bool box_is_a, bool on_a_wall) {
  World w;
  BodyDescription box = free_body("box", kMass, {0.2, 0.3, 0.4}, kCentre);
  box.orientation = from_axis_angle(normalized(Vec3{1, 2, -1}), 0.7);
  w.bodies.push_back(box);
  BodyDescription wall = free_body("wall", 1, {1, 1, 1}, {1, 2, 3});
  wall.motion = Motion::fixed;
  wall.orientation = from_axis_angle(normalized(Vec3{-2, 1, 1}), 2.2);
  w.bodies.push_back(wall);
  const std::string support = on_a_wall ? "wall" : "world";
  joint.a = box_is_a ? "box" : support;
  joint.b = box_is_a ? support : "box";
  w.joints = {joint};
  return w;
}

/// The joints after three steps, in which nothing has moved.
std::vector<FrameJoint> at_rest(const World& world, const std::string& integrator = "implicit_euler") {
  const ScopedOptions scoped(kExactSteps + "-integrator " + integrator);
  Model model(world, kStep);
  const Frame before = model.frame();
  const RunFigures f = run(model, 3);
  BOOST_TEST(!f.failed);
  const Frame after = model.frame();
  for (std::size_t i = 0; i < after.bodies.size(); ++i)
    BOOST_TEST(norm(after.bodies[i].position - before.bodies[i].position) <= 3 * kStep * kTenSolved);
  for (const FrameJoint& j : after.joints) BOOST_TEST(j.violation <= kStep * kTenSolved);
  return after.joints;
}

/// A joint of the box whose coordinates, if any, are held; `directions` are those of the coordinates.
void check_support(const char* type, int coordinates, const std::vector<Vec3>& directions,
                   const std::vector<bool>& angle, const JointDescription& description) {
  for (const bool box_is_a : {true, false})
    for (const bool on_a_wall : {false, true})
      BOOST_TEST_CONTEXT(type << (box_is_a ? ", box is a" : ", box is b") << (on_a_wall ? ", on a wall" : "")) {
        JointDescription j = description;
        j.coordinates.assign(coordinates, held_at(0));
        for (const std::string& integrator : integrator_registry().names()) {
          const auto scheme = integrator_registry().create(integrator);
          if (!scheme->rigid_rows()) continue;
          const FrameJoint f = at_rest(box_on(j, box_is_a, on_a_wall), integrator).at(0);
          const double sign = box_is_a ? 1 : -1;
          const Vec3 force = -sign * kWeight, torque = -sign * cross(kCentre - kAnchor, kWeight);
          check_close(f.point, kAnchor);
          check_close(f.force, force);
          check_close(f.torque, torque);
          BOOST_TEST_REQUIRE(f.effort.size() == directions.size());
          for (std::size_t k = 0; k < directions.size(); ++k) {
            BOOST_TEST(std::fabs(f.effort[k] - dot(angle[k] ? torque : force, directions[k])) <= kForce);
            BOOST_TEST(std::fabs(f.coordinate[k]) <= kTenSolved);
          }
        }
      }
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_weld_is_a_cantilever) {
  check_support("weld", 0, {}, {}, joint_at("weld", "j", "", "", kAnchor));
}

BOOST_AUTO_TEST_CASE(held_joints_carry_the_same) {
  const Vec3 n = normalized(Vec3{0.3, 1, -0.2});
  const Vec3 second = normalized(cross(n, Vec3{0, 0.2, 1}));
  check_support("hinge", 1, {n}, {true}, joint_at("hinge", "j", "", "", kAnchor, n));
  check_support("slider", 1, {n}, {false}, joint_at("slider", "j", "", "", kAnchor, n));
  check_support("cylindrical", 2, {n, n}, {true, false}, joint_at("cylindrical", "j", "", "", kAnchor, n));
  // The first axis is carried by b, the second by a, whichever of them is the box.
  JointDescription universal = joint_at("universal", "j", "", "", kAnchor, n);
  universal.axis_2 = second;
  check_support("universal", 2, {n, second}, {true, true}, universal);
}

BOOST_AUTO_TEST_CASE(a_horizontal_hinge_takes_m_g_d_cos) {
  const double d = 0.8;
  for (const double angle : {-0.6, 0.0, 0.3, 1.2}) {
    World w;
    // About −y a positive angle lifts the arm.
    w.bodies = {free_body("arm", kMass, {0.1, 0.2, 0.2}, {d * std::cos(angle), 0, d * std::sin(angle)})};
    w.joints = {joint_at("hinge", "j", "arm", "world", {}, {0, -1, 0})};
    w.joints[0].coordinates = {held_at(angle)};
    w.joints[0].coordinates[0].start = angle;
    const FrameJoint f = at_rest(w).at(0);
    BOOST_TEST(std::fabs(f.effort[0] - kMass * kGravity * d * std::cos(angle)) <= kForce);
    BOOST_TEST(std::fabs(f.coordinate[0] - angle) <= kTenSolved);
  }
}

BOOST_AUTO_TEST_CASE(a_slider_on_an_incline) {
  const double slope = 0.5;
  const Vec3 up{std::cos(slope), 0, std::sin(slope)}, normal{-std::sin(slope), 0, std::cos(slope)};
  World w;
  w.bodies = {free_body("block", kMass, {0.1, 0.2, 0.2}, {1, 2, 3})};
  w.joints = {joint_at("slider", "j", "block", "world", {1, 2, 3}, up)};
  w.joints[0].coordinates = {held_at(0)};
  const FrameJoint f = at_rest(w).at(0);
  BOOST_TEST(std::fabs(f.effort[0] - kMass * kGravity * std::sin(slope)) <= kForce);
  BOOST_TEST(std::fabs(dot(f.force, normal) - kMass * kGravity * std::cos(slope)) <= kForce);
  check_close(f.torque, {});
}

BOOST_AUTO_TEST_CASE(hung_by_one_point) {
  // The centre of mass hangs below the point, which is the only place where a pin or a ball joint can hold it.
  for (const char* type : {"ball", "pin"})
    for (const bool box_is_a : {true, false}) {
      World w = box_on(joint_at(type, "j", "", "", kCentre + Vec3{0, 0, 0.6}), box_is_a, false);
      const FrameJoint f = at_rest(w).at(0);
      check_close(f.force, box_is_a ? -kWeight : kWeight);
      check_close(f.torque, {});
    }
  for (const char* side : {"both", "rope"})
    for (const bool box_is_a : {true, false})
      for (const bool particle : {true, false}) {
        World w;
        if (particle)
          w.particles = {free_particle("load", kMass, kCentre)};
        else
          w.bodies = {free_body("load", kMass, {0.2, 0.3, 0.4}, kCentre)};
        JointDescription rope = joint_at("distance", "j", "load", "world", kCentre);
        rope.anchor_b += Vec3{0, 0, 1.5};
        rope.side = side;
        if (!box_is_a) {
          std::swap(rope.a, rope.b);
          std::swap(rope.anchor_a, rope.anchor_b);
        }
        w.joints = {rope};
        const FrameJoint f = at_rest(w).at(0);
        check_close(f.force, box_is_a ? -kWeight : kWeight);
        check_close(f.torque, {});
      }
}

BOOST_AUTO_TEST_CASE(a_table_on_three_points) {
  // Legs at the corners of a triangle: each bears the barycentric share of the weight that the centre of mass gives it.
  const double share[3] = {0.5, 0.3, 0.2};
  const Vec3 corner[3] = {{0, 0, 0.2}, {1, 0, 0.2}, {0.3, 0.9, 0.2}};
  for (const bool table_is_a : {true, false}) {
    World w;
    const Vec3 centre = share[0] * corner[0] + share[1] * corner[1] + share[2] * corner[2] + Vec3{0, 0, 0.1};
    w.bodies = {free_body("table", kMass, {0.2, 0.3, 0.4}, centre)};
    for (int k = 0; k < 3; ++k) {
      JointDescription leg = joint_at("point_on_plane", "leg", "table", "world", corner[k]);
      leg.name += std::to_string(k);
      if (!table_is_a) std::swap(leg.a, leg.b);
      w.joints.push_back(leg);
    }
    const std::vector<FrameJoint> legs = at_rest(w);
    for (int k = 0; k < 3; ++k) {
      check_close(legs[k].force, (table_is_a ? -share[k] : -1 * -share[k]) * kWeight);
      check_close(legs[k].torque, {});
    }
  }
}

BOOST_AUTO_TEST_CASE(a_bead_slides_and_presses) {
  // On an incline the wire and the plane bear the normal part of the weight; the rest accelerates, exactly by h g sin
  // per step.
  const double slope = 0.4;
  const Vec3 down{std::cos(slope), 0, -std::sin(slope)}, normal{std::sin(slope), 0, std::cos(slope)};
  for (const char* type : {"point_on_line", "point_on_plane"})
    for (const bool bead_is_a : {true, false}) {
      World w;
      w.particles = {free_particle("bead", kMass, kAnchor)};
      const bool line = std::string(type) == "point_on_line";
      w.joints = {joint_at(type, "j", "bead", "world", kAnchor, line ? down : normal)};
      if (!bead_is_a) std::swap(w.joints[0].a, w.joints[0].b);
      const ScopedOptions scoped(kExactSteps);
      Model model(w, kStep);
      run(model, 20);
      const Frame f = model.frame();
      check_close(f.joints[0].force, (bead_is_a ? 1.0 : -1.0) * kMass * kGravity * std::cos(slope) * normal);
      BOOST_TEST(norm(f.particles[0].velocity - 20 * kStep * kGravity * std::sin(slope) * down) <= 20 * kTenSolved);
      const double fallen = kStep * kStep * kGravity * std::sin(slope) * 20 * 21 / 2;
      BOOST_TEST(norm(f.particles[0].position - kAnchor - fallen * down) <= 20 * kTenSolved);
    }
}

BOOST_AUTO_TEST_CASE(a_gear_transmits_by_its_ratio) {
  // q₁ = i q₂: a load T on q₁ is held by i T on q₂.
  const double d = 0.8, load = kMass * kGravity * d;
  for (const double ratio : {1.0, -3.0, 0.25}) {
    World w;
    w.bodies = {free_body("arm", kMass, {0.1, 0.2, 0.2}, {d, 0, 0}), free_body("wheel", 1, {0.1, 0.1, 0.1}, {5, 0, 0})};
    w.joints = {joint_at("hinge", "joint_1", "arm", "world", {}, {0, -1, 0}),
                joint_at("hinge", "joint_2", "wheel", "world", {5, 0, 0}, normalized(Vec3{1, 1, 0})),
                joint_at("gear", "gear", "", "", {})};
    w.joints[1].coordinates = {held_at(0)};
    w.joints[2].joint_1 = "joint_1";
    w.joints[2].joint_2 = "joint_2";
    w.joints[2].ratio = ratio;
    const std::vector<FrameJoint> f = at_rest(w);
    BOOST_TEST(std::fabs(f[1].effort[0] - ratio * load) <= kForce);
    BOOST_TEST(f[0].effort[0] == 0);
    check_close(f[2].torque, {0, -load, 0});
    check_close(f[2].force, {});
    check_close(f[0].force, -kWeight);
    check_close(f[0].torque, {});
  }
}

BOOST_AUTO_TEST_CASE(rack_and_pinion) {
  // q₁ = i s with i [rad/m]: the weight on the rack is held by m g/i on the pinion.
  const double ratio = 4;
  for (const bool rack_is_a : {true, false}) {
    World w;
    w.bodies = {free_body("pinion", 1, {0.1, 0.1, 0.1}, {}), free_body("rack", kMass, {0.1, 0.1, 0.1}, {0, 0.25, 0})};
    w.joints = {joint_at("hinge", "turn", "pinion", "world", {}, {1, 0, 0}),
                joint_at("slider", "lift", "rack", "world", {0, 0.25, 0}), joint_at("gear", "gear", "", "", {})};
    if (!rack_is_a) std::swap(w.joints[1].a, w.joints[1].b);
    w.joints[0].coordinates = {held_at(0)};
    w.joints[2].joint_1 = "turn";
    w.joints[2].joint_2 = "lift";
    w.joints[2].ratio = ratio;
    const std::vector<FrameJoint> f = at_rest(w);
    // The displacement of the world against the rack is the opposite one.
    BOOST_TEST(std::fabs(f[0].effort[0] - (rack_is_a ? 1 : -1) * kMass * kGravity / ratio) <= kForce);
  }
}

BOOST_AUTO_TEST_SUITE_END()
