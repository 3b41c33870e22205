// Contact of cloth by its surface: a ball smaller than a cell, a sheet on a sheet, momentum, a strip that is folded on
// itself.

#include "physics/soft/deforming_nodes.hpp"
#include "tests/soft_worlds.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(cloth_contact)

namespace {

/// Where a slack sheet wrinkles a step may go to and fro between two states that differ a little: accepted here.
const std::string kSolve =
    "-friction_map disc_projection_coupled -system_form stiffness -ksp_type preonly -pc_type lu -newton_damping 0.75 "
    "-newton_start zero -snes_max_it 60 "
    "-accept_velocity_error 0.1 -contact_margin 0.002 -snes_atol 1e-7 ";

ClothDescription sheet(const std::string& name, double size, int cells, Vec3 position) {
  ClothDescription c;
  c.name = name;
  c.mesh = flat_sheet(size, size, cells, cells);
  c.young = 1e6;
  c.thickness = 2e-3;
  c.density = 0.5;
  c.bending_stiffness = 1e-3;
  c.damping = 1e-2;
  c.bending_damping = 1e-2;
  c.position = position;
  c.material = "m";
  return c;
}

/// Held at two sides.
ClothDescription hammock(const std::string& contact) {
  ClothDescription c = sheet("hammock", 0.4, 4, {});
  c.fixed = nodes_of_sides(c.mesh.nodes, {"x_min", "x_max"});
  c.contact = contact;
  return c;
}

World world_of_cloth() {
  World w;
  w.gravity = {0, 0, -9.81};
  w.materials["m"] = {1000, 0.3};
  return w;
}

void explain(const StepReport& r) {
  if (r.failed) BOOST_TEST_MESSAGE(r.explanation.substr(0, 1000));
}

double lowest(const FrameSoft& cloth) {
  double z = INFINITY;
  for (const Vec3& p : cloth.position) z = std::fmin(z, p.z);
  return z;
}

}  // namespace

/// By its surface a cloth holds a ball that goes through between its nodes.
BOOST_AUTO_TEST_CASE(a_ball_smaller_than_a_cell) {
  for (const std::string contact : {"surface", "points"}) {
    World w = world_of_cloth();
    BodyDescription ball;
    ball.name = "ball";
    ball.shape.kind = ShapeDescription::Kind::sphere;
    ball.shape.radius = 0.02;
    ball.mass = 0.1;
    ball.position = {0.06, -0.07, 0.04};
    ball.material = "m";
    w.bodies.push_back(ball);
    add_cloth(w, hammock(contact));
    const ScopedOptions scoped(kSolve);
    Model model(w, 0.01);
    const RunFigures f = run(model, 40, explain);
    BOOST_TEST_CONTEXT(contact) {
      BOOST_TEST(!f.failed);
      const double z = model.frame().bodies[0].position.z;
      if (contact == "surface") {
        BOOST_TEST(z > lowest(model.frame().softs[0]));
        BOOST_TEST(z > -0.15);
      } else {
        BOOST_TEST(z < -0.5);  // 0.78 m of free fall
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_soft_cube_smaller_than_a_cell) {
  World w = world_of_cloth();
  SoftDescription cube = soft_box("cube", {0.03, 0.03, 0.03}, {1, 1, 1}, 1e5);
  cube.damping = 5e-3;
  cube.material = "m";
  cube.position = {0.04, -0.08, 0.02};
  add_soft_body(w, cube);
  add_cloth(w, hammock("surface"));
  const ScopedOptions scoped(kSolve);
  Model model(w, 0.01);
  const RunFigures f = run(model, 40, explain);
  BOOST_TEST(!f.failed);
  BOOST_TEST(f.penetration <= 5e-4);  // a quarter of the thickness, at the landing
  BOOST_TEST(lowest(model.frame().softs[0]) > lowest(model.frame().softs[1]));
  BOOST_TEST(lowest(model.frame().softs[0]) > -0.1);
}

BOOST_AUTO_TEST_CASE(a_sheet_on_a_sheet) {
  for (const std::string contact : {"surface", "points"}) {
    World w = world_of_cloth();
    add_cloth(w, hammock(contact));
    ClothDescription upper = sheet("upper", 0.2, 2, {0.013, 0.021, 0.03});
    upper.contact = contact;
    upper.orientation = normalized(Quat{1, 0.02, 0.03, 0.2});
    add_cloth(w, upper);
    const ScopedOptions scoped(kSolve);
    Model model(w, 0.01);
    const RunFigures f = run(model, 40, explain);
    BOOST_TEST_CONTEXT(contact) {
      BOOST_TEST(!f.failed);
      const double z = lowest(model.frame().softs[1]);
      if (contact == "surface") {
        BOOST_TEST(f.penetration <= 1e-4);  // that of the step in which they meet, linear in the step; 2 mm thick
        BOOST_TEST(z > lowest(model.frame().softs[0]));
      } else {
        BOOST_TEST(z < -0.5);
      }
    }
  }
}

/// From either side, and free: what one loses the other gets.
BOOST_AUTO_TEST_CASE(momentum_of_two_sheets) {
  for (const double side : {1.0, -1.0}) {
    World w = world_of_cloth();
    w.gravity = {};
    ClothDescription one = sheet("one", 0.2, 3, {0, 0, 0.02 * side}), two = sheet("two", 0.2, 2, {0.03, 0.02, 0});
    one.velocity = {0.2, 0, -0.5 * side};
    one.orientation = normalized(Quat{1, 0.05, 0, 0});
    add_cloth(w, one);
    add_cloth(w, two);
    const ScopedOptions scoped(kSolve);
    Model model(w, 0.005);
    const double mass = 0.5 * 0.04;
    double drift = 0;
    int most = 0;
    const RunFigures f = run(model, 30, [&](const StepReport& r) {
      explain(r);
      const auto& p = r.verdict.linear_momentum;
      drift = std::fmax(drift, norm(Vec3{p[0], p[1], p[2]} - mass * one.velocity));
      most = std::max(most, r.contacts);
    });
    const FrameSoft hit = model.frame().softs[1];
    double speed = 0;
    for (const Vec3& v : hit.velocity) speed += v.z * side / static_cast<double>(hit.velocity.size());
    BOOST_TEST_CONTEXT(side) {
      BOOST_TEST(!f.failed);
      BOOST_TEST(most >= 4);
      BOOST_TEST(drift <= 30 * 1e-7 * 2 * mass);  // 30 solves to 1e-7 m/s of both, whose errors need not cancel
      BOOST_TEST(speed < -0.1);
    }
  }
}

/// A strip bent to a U whose upper arm sags onto the lower one, which is held.
BOOST_AUTO_TEST_CASE(folded_strip_touches_itself) {
  constexpr double kArm = 0.1, kRadius = 0.01, kPi = 3.14159265358979323846;
  for (const bool self : {true, false}) {
    World w = world_of_cloth();
    ClothDescription strip = sheet("strip", 1, 1, {});
    strip.mesh = flat_sheet(2 * kArm + kPi * kRadius, 0.03, 24, 3);
    strip.self_contact = self;
    for (std::size_t n = 0; n < strip.mesh.nodes.size(); ++n) {
      Vec3& p = strip.mesh.nodes[n];
      const double along = p.x + kArm + 0.5 * kPi * kRadius;
      if (along <= kArm) {
        p = {along, p.y, 0};
        strip.fixed.push_back(static_cast<int>(n));
      } else if (along >= kArm + kPi * kRadius) {
        p = {kArm - (along - kArm - kPi * kRadius), p.y, 2 * kRadius};
      } else {
        const double angle = (along - kArm) / kRadius;
        p = {kArm + kRadius * std::sin(angle), p.y, kRadius - kRadius * std::cos(angle)};
      }
    }
    strip.young = 1e5;
    strip.bending_stiffness = 1e-4;
    add_cloth(w, strip);
    const ScopedOptions scoped(kSolve);
    Model model(w, 0.01);
    const RunFigures f = run(model, 40, explain);
    BOOST_TEST_CONTEXT("self contact " << self) {
      BOOST_TEST(!f.failed);
      const double z = lowest(model.frame().softs[0]);
      if (self) {
        BOOST_TEST(f.penetration <= 1e-4);
        BOOST_TEST(z > -1e-3);  // of the lower arm, at z = 0; beyond its end the upper one hangs by less than that
      } else {
        BOOST_TEST(z < -0.02);
      }
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
