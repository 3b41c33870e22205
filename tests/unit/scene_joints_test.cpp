// Joints of a scene: every key reaches its member, and what makes no joint is refused with line, key and reason.

#include "framework/error.hpp"
#include "physics/constraints/joint_traits.hpp"
#include "tests/scene_file.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

BOOST_AUTO_TEST_SUITE(scene_joints)

namespace {

using namespace clarke;

/// Line 3 onwards are the joints.
std::string with_joints(const std::string& joints) {
  return "{time: {step: 0.1, end: 1}, particles: [{name: p, mass: 1, position: [0, 0, 1]}],\n"
         "bodies: [{name: a, mass: 1, inertia: [1, 1, 1]}, {name: b, mass: 1, inertia: [1, 1, "
         "1]}],\n"
         "joints: [" +
         joints + "]}\n";
}

JointDescription joint(const std::string& text) { return scene_from(with_joints(text)).world.joints.back(); }

/// What is said about line 3, after "joints[0]." and the type.
std::string refusal(const std::string& text) {
  try {
    scene_from(with_joints(text));
  } catch (const InputError& error) {
    const std::string message = error.what();
    const std::size_t place = message.find(":3: joints[");
    return place == std::string::npos ? message : message.substr(message.find('.', place) + 1);
  }
  return "accepted";
}

std::string hinge(const std::string& more) {
  return "{hinge: {name: h, bodies: [a, b], anchor: [0, 0, 0], axis: [0, 0, 2]" + (more.empty() ? "" : ", " + more) +
         "}}";
}

const char* const kTwoEnds = "name: j, bodies: [a, b], anchor: [1, 2, 3]";

}  // namespace

BOOST_AUTO_TEST_CASE(every_type_has_its_keys) {
  const std::string both = kTwoEnds;
  for (const char* type : {"ball", "weld"}) {
    const JointDescription j = joint("{" + std::string(type) + ": {" + both + "}}");
    BOOST_TEST(j.type == type);
    BOOST_TEST(j.a == "a");
    BOOST_TEST(j.b == "b");
    BOOST_TEST(j.anchor_a.y == 2);
    BOOST_TEST(j.anchor_b.y == 2);
    BOOST_TEST(j.coordinates.empty());
    BOOST_TEST(!j.collide);
  }
  for (const char* type : {"hinge", "slider", "cylindrical", "point_on_plane", "point_on_line"}) {
    const JointDescription j = joint("{" + std::string(type) + ": {" + both + ", axis: [0, 3, 0], collide: true}}");
    BOOST_TEST(j.axis.y == 1);
    BOOST_TEST(j.collide);
    BOOST_TEST(static_cast<int>(j.coordinates.size()) == joint_traits(type).coordinates);
  }
  BOOST_TEST(joint("{distance: {name: j, bodies: [a, p], side: rope}}").side == "rope");
}

BOOST_AUTO_TEST_CASE(two_anchors) {
  const JointDescription j = joint("{weld: {name: w, bodies: [a, world], anchors: [[1, 0, 0], [1.001, 0, 0]]}}");
  BOOST_TEST(j.anchor_a.x == 1);
  BOOST_TEST(j.anchor_b.x == 1.001);
  BOOST_TEST(refusal("{weld: {name: w, bodies: [a, b]}}") ==
             "weld.anchor: missing; it is required, or `anchors` with one point on each end");
  BOOST_TEST(refusal("{weld: {name: w, bodies: [a, b], anchor: [0, 0, 0], anchors: [[0, 0, 0], [0, "
                     "0, 0]]}}") == "weld.anchors: expected either `anchor` or `anchors`, not both");
}

BOOST_AUTO_TEST_CASE(rows_have_one_number_or_one_each) {
  const JointDescription j = joint(
      "{ball: {name: j, bodies: [a, b], anchor: [0, 0, 0], compliance: 1e-6, damping: [1, 2, "
      "0], rest: [0, 0, 0.1]}}");
  BOOST_TEST(j.compliance == std::vector<double>{1e-6}, boost::test_tools::per_element());
  BOOST_TEST(j.damping == (std::vector<double>{1, 2, 0}), boost::test_tools::per_element());
  BOOST_TEST(j.rest == (std::vector<double>{0, 0, 0.1}), boost::test_tools::per_element());
  BOOST_TEST(refusal(hinge("compliance: [1, 2, 3]")) ==
             "hinge.compliance: expected a list of 5 numbers, got a list of 3");
  BOOST_TEST(refusal(hinge("compliance: stiff")) == "hinge.compliance: expected a number of at least 0, got 'stiff'");
  BOOST_TEST(refusal(hinge("damping: 3")) == "hinge.damping: a rigid row has no damping; give a compliance");
  BOOST_TEST(refusal(hinge("compliance: [1, 1, 1, 0, 1], damping: 3")) ==
             "hinge.damping: row 4: a rigid row has no damping; give a compliance");
  BOOST_TEST(refusal(hinge("compliance: [1, 1, 1, 0, 1], damping: [3, 3, 3, 0, 3]")) == "accepted");
}

BOOST_AUTO_TEST_CASE(axes_of_a_universal_joint) {
  const auto universal = [](const std::string& second) {
    return "{universal: {name: u, bodies: [a, b], anchor: [0, 0, 0], axis: [2, 0, 0], axis_2: " + second + "}}";
  };
  const JointDescription j = joint(universal("[1e-7, 5, 0]"));
  BOOST_TEST(std::fabs(dot(j.axis, j.axis_2)) < 1e-16);
  BOOST_TEST(j.axis_2.y == 1);
  BOOST_TEST(refusal(universal("[0.01, 1, 0]"))
                 .starts_with("universal.axis_2: expected an axis at right angles to `axis`; the "
                              "cosine of the angle is 0.00"));
  BOOST_TEST(refusal(universal("[0, 0, 0]")) == "universal.axis_2: expected an axis that is not zero");
  BOOST_TEST(refusal("{hinge: {name: h, bodies: [a, b], anchor: [0, 0, 0]}}") == "hinge.axis: missing; it is required");
}

BOOST_AUTO_TEST_CASE(ends) {
  BOOST_TEST(refusal("{hinge: {name: h, bodies: [a, p], anchor: [0, 0, 1], axis: [0, 0, 1]}}") ==
             "hinge.bodies: 'p' is a particle, which has no orientation; a hinge joint holds bodies");
  BOOST_TEST(refusal("{point_on_line: {name: h, bodies: [p, b], anchor: [0, 0, 1], axis: [0, 0, 1]}}") == "accepted");
}

BOOST_AUTO_TEST_CASE(coordinates_of_a_hinge) {
  const CoordinateDescription c =
      joint(hinge("start: 0.1, limits: {lower: -1, upper: 2, compliance: 1e-3, damping: 4}, drive: "
                  "{stiffness: 5, damping: 6, target: sin(t), rate: {table: [[0, 7]]}, effort: 8}, "
                  "friction: {dry: 9, viscous: 10}"))
          .coordinates.at(0);
  BOOST_TEST(c.start == 0.1);
  BOOST_TEST(*c.lower == -1);
  BOOST_TEST(*c.upper == 2);
  BOOST_TEST(c.limit_compliance == 1e-3);
  BOOST_TEST(c.limit_damping == 4);
  BOOST_TEST(c.driven);
  BOOST_TEST(c.drive_stiffness == 5);
  BOOST_TEST(c.drive_damping == 6);
  BOOST_TEST(c.target(0.5) == std::sin(0.5));
  BOOST_TEST(c.rate(3) == 7);
  BOOST_TEST(c.effort == 8);
  BOOST_TEST(c.friction_dry == 9);
  BOOST_TEST(c.friction_viscous == 10);
  BOOST_TEST(!c.motion.has_value());

  const CoordinateDescription motor = joint(hinge("drive: {damping: infinite, rate: 3}")).coordinates.at(0);
  BOOST_TEST(std::isinf(motor.drive_damping));
  BOOST_TEST(motor.drive_stiffness == 0);
  BOOST_TEST(std::isinf(motor.effort));
  BOOST_TEST((*joint(hinge("motion: 2 * t")).coordinates.at(0).motion)(2) == 4);
  BOOST_TEST(!joint(hinge("")).coordinates.at(0).driven);
}

BOOST_AUTO_TEST_CASE(two_coordinates_have_names) {
  const JointDescription c = joint(
      "{cylindrical: {name: c, bodies: [a, b], anchor: [0, 0, 0], axis: [0, 0, 1], angle: {limits: "
      "{lower: 0}}, displacement: {motion: 0.1 * t}}}");
  BOOST_TEST(*c.coordinates.at(0).lower == 0);
  BOOST_TEST(c.coordinates.at(1).motion.has_value());
  const JointDescription u = joint(
      "{universal: {name: c, bodies: [a, b], anchor: [0, 0, 0], axis: [0, 0, 1], axis_2: [1, 0, "
      "0], "
      "angle_2: {start: 0.5}}}");
  BOOST_TEST(u.coordinates.at(0).start == 0);
  BOOST_TEST(u.coordinates.at(1).start == 0.5);
}

BOOST_AUTO_TEST_CASE(coordinates_that_cannot_be) {
  BOOST_TEST(refusal(hinge("limits: {lower: 2, upper: 1}")) ==
             "hinge.limits.lower: expected at most `upper`, which is 1, got 2");
  BOOST_TEST(refusal(hinge("limits: {}")) == "hinge.limits: expected `lower`, `upper`, or both");
  BOOST_TEST(refusal(hinge("limits: {lower: 0.5}")) ==
             "hinge.start: the coordinate starts at 0 rad, below its limit of 0.5 rad");
  BOOST_TEST(refusal(hinge("start: 3, limits: {upper: 2}")) ==
             "hinge.start: the coordinate starts at 3 rad, above its limit of 2 rad");
  BOOST_TEST(refusal(hinge("limits: {lower: 0, damping: 1}")) ==
             "hinge.limits.damping: a rigid limit has no damping; give a compliance");
  BOOST_TEST(refusal(hinge("drive: {target: 1}")) == "hinge.drive: a drive has a stiffness, a damping, or both");
  BOOST_TEST(refusal(hinge("drive: {damping: 1, target: 1}")) ==
             "hinge.drive.target: has no effect without `stiffness`");
  BOOST_TEST(refusal(hinge("drive: {stiffness: 1, rate: 1}")) == "hinge.drive.rate: has no effect without `damping`");
  BOOST_TEST(refusal(hinge("drive: {stiffness: 1, damping: infinite}")) ==
             "hinge.drive.damping: can be infinite only without stiffness");
  BOOST_TEST(refusal(hinge("drive: {stiffness: infinit, target: 1}")) ==
             "hinge.drive.stiffness: unknown value 'infinit'; did you mean 'infinite'?");
  BOOST_TEST(refusal(hinge("drive: {stiffness: 1, effort: 0}")) ==
             "hinge.drive.effort: expected a number above 0, got '0'");
  BOOST_TEST(refusal(hinge("drive: {stiffness: 1}, motion: t")) ==
             "hinge.motion: expected either `motion` or `drive`, not both");
  BOOST_TEST(refusal(hinge("friction: {dry: -1}")) == "hinge.friction.dry: expected a number of at least 0, got '-1'");
  BOOST_TEST(refusal(hinge("angle: {start: 1}")).starts_with("hinge.angle: unknown key 'angle'"));
  BOOST_TEST(refusal(hinge("motion: 2 * s")) ==
             "hinge.motion: expression '2 * s': Unexpected token \"s\" at position 5");
}

BOOST_AUTO_TEST_CASE(gears) {
  const std::string screw = "{cylindrical: {name: c, bodies: [a, world], anchor: [0, 0, 0], axis: [0, 0, 1]}}, ";
  const JointDescription j = joint(hinge("") + ", " + screw +
                                   "{gear: {name: g, joints: [c, h], coordinates: [1, 0], ratio: "
                                   "-2, offset: 0.5, compliance: 1e-3}}");
  BOOST_TEST(j.joint_1 == "c");
  BOOST_TEST(j.joint_2 == "h");
  BOOST_TEST(j.coordinate_1 == 1);
  BOOST_TEST(j.coordinate_2 == 0);
  BOOST_TEST(j.ratio == -2);
  BOOST_TEST(*j.offset == 0.5);
  BOOST_TEST(j.compliance.at(0) == 1e-3);
  const auto gear = [&](const std::string& keys) {
    return refusal(hinge("") + ", " + screw + "{ball: {name: k, bodies: [b, world], anchor: [0, 0, 0]}}, " +
                   "{gear: {name: g, " + keys + "}}");
  };
  BOOST_TEST(gear("joints: [c, c], coordinates: [0, 1]") == "accepted");
  BOOST_TEST(gear("joints: [h, cc]") == "gear.joints: no joint 'cc' before this one; one of h, c, k");
  BOOST_TEST(gear("joints: [h, k]") == "gear.joints: 'k' is a ball, which has no coordinate");
  BOOST_TEST(gear("joints: [h, c], coordinates: [1, 0]") ==
             "gear.coordinates: 'h' is a hinge, which has coordinate 0 only, got 1");
  BOOST_TEST(gear("joints: [h, c], coordinates: [0.5, 0]") == "gear.coordinates: expected 0 or 1, got 0.5");
  BOOST_TEST(gear("joints: [h, h]") == "gear.joints: expected two different coordinates, got that of 'h' twice");
  BOOST_TEST(gear("joints: [h, c], ratio: 0") == "gear.ratio: expected a number other than 0");
}

BOOST_AUTO_TEST_CASE(pins) {
  const JointDescription j = joint("{pin: {name: j, body: p, anchor: [0, 0, 1], motion: [0, 0, 0.1 * t]}}");
  BOOST_TEST(j.a == "p");
  BOOST_TEST(j.b == "world");
  BOOST_TEST(j.motion.size() == 3U);
  BOOST_TEST(j.motion.at(2)(2) == 0.2);
  BOOST_TEST(joint("{pin: {name: j, body: a, anchor: [0, 0, 1]}}").motion.empty());
  BOOST_TEST(refusal("{pin: {name: j, body: world, anchor: [0, 0, 1]}}") ==
             "pin.body: expected a body or particle, got 'world'");
  BOOST_TEST(refusal("{pin: {name: j, body: c, anchor: [0, 0, 1]}}") ==
             "pin.body: unknown body or particle 'c'; one of a, b, p, world");
}

// The tutorial shows the file that it talks about.
BOOST_AUTO_TEST_CASE(the_scene_of_the_tutorial) {
  const std::string folder = std::string(CLARKE_SOURCE_DIR) + "/docs/tutorials/";
  const Scene scene = read_scene(folder + "slider_crank.yaml");
  BOOST_TEST(scene.world.joints.size() == 4U);
  BOOST_TEST(scene.sensors.size() == 4U);
  const auto content = [&](const char* name) {
    std::ifstream file(folder + name);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  BOOST_TEST(content("mechanism.md").find(content("slider_crank.yaml")) != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
