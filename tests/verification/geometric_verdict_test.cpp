// The overlap that is really there, told apart from what the contacts say: planted defects are reported, and what may
// overlap is not.

#include "assembly/geometric_solids.hpp"
#include "tests/model_run.hpp"
#include "tests/soft_worlds.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(geometric_verdict)

namespace {

/// A few dozen operations on lengths of a metre.
constexpr double kRounding = 1e-13;

Residual overlap(const World& world) {
  std::vector<Vec3> x;
  std::vector<Quat> q;
  for (const BodyDescription& body : world.bodies)
    x.push_back(body.position), q.push_back(normalized(body.orientation));
  for (const ParticleDescription& particle : world.particles) x.push_back(particle.position);
  return GeometricVerdict(geometric_scene(world)).penetration(x, q);
}

World two_boxes(double gap) {
  World w = world_with_plane(0.5);
  w.bodies.push_back(box("low", {0.1, 0.1, 0.1}, 1, {0, 0, 0.1}));
  w.bodies.push_back(box("high", {0.1, 0.1, 0.1}, 1, {0.03, 0, 0.3 + gap}));
  return w;
}

}  // namespace

BOOST_AUTO_TEST_CASE(depth_and_names) {
  const Residual found = overlap(two_boxes(-0.02));
  BOOST_TEST(std::fabs(found.value - 0.02) <= kRounding);
  BOOST_TEST((found.where == "high/low" || found.where == "low/high"));
  BOOST_TEST(overlap(two_boxes(0.01)).value <= kRounding);  // the low one stands on the floor
  World sunk = two_boxes(0.01);
  sunk.bodies[1].position.z -= 1e-6;
  BOOST_TEST(std::fabs(overlap(sunk).value - 1e-6) <= kRounding);
  BOOST_TEST(overlap(sunk).where == "low/ground");
}

BOOST_AUTO_TEST_CASE(what_may_overlap_does_not_count) {
  World ignored = two_boxes(-0.02);
  ignored.no_collision.emplace_back("low", "high");
  BOOST_TEST(overlap(ignored).value <= kRounding);
  World grouped = two_boxes(-0.02);
  grouped.bodies[1].group = grouped.bodies[2].group = "pile";
  BOOST_TEST(overlap(grouped).value > 0.01);
  grouped.no_collision.emplace_back("pile", "pile");
  BOOST_TEST(overlap(grouped).value <= kRounding);
  World jointed = two_boxes(-0.02);
  JointDescription joint;
  joint.type = "ball";
  joint.name = "j";
  joint.a = "low";
  joint.b = "high";
  jointed.joints.push_back(joint);
  BOOST_TEST(overlap(jointed).value <= kRounding);
  jointed.joints[0].collide = true;
  BOOST_TEST(overlap(jointed).value > 0.01);
  World still = two_boxes(-0.02);
  still.bodies[1].motion = Motion::fixed;
  still.bodies[2].motion = Motion::prescribed;
  BOOST_TEST(overlap(still).value == 0);
}

// A ball and a box on one face of a floor of two triangles, and a soft cube that stands a little in the floor.
BOOST_AUTO_TEST_CASE(triangles_and_deforming_surfaces) {
  World w = world_with_plane(0.5, {0, 0, 1});
  BodyDescription sheet;
  sheet.name = "sheet";
  sheet.motion = Motion::fixed;
  sheet.shape.kind = ShapeDescription::Kind::mesh;
  sheet.shape.points = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  sheet.shape.triangles = {{0, 1, 2}, {0, 2, 3}};
  sheet.position = {0, 0, 1};
  w.bodies.push_back(sheet);
  w.bodies.push_back(box("brick", {0.1, 0.1, 0.1}, 1, {0.4, -0.4, 1.097}));
  const Residual found = overlap(w);
  BOOST_TEST(std::fabs(found.value - 0.003) <= kRounding);
  BOOST_TEST(found.where == "brick/sheet:0");

  World soft = world_with_plane(0.5);
  add_soft_body(soft, soft_box("cube", {0.2, 0.2, 0.2}, {1, 1, 1}, 1e5));
  BOOST_TEST(overlap(soft).value <= kRounding);
  for (ParticleDescription& p : soft.particles) p.position.z -= 0.004;
  BOOST_TEST(std::fabs(overlap(soft).value - 0.004) <= kRounding);
}

// Detection without any margin finds a pair only where it overlaps already: the step in which it comes together has no
// contact, and the law's gap says nothing.
BOOST_AUTO_TEST_CASE(a_missing_contact_is_reported) {
  const ScopedOptions options("-contact_margin 0 -contact_margin_speed 0");
  World w = world_with_plane(0.5);
  w.bodies.push_back(box("brick", {0.1, 0.1, 0.1}, 1, {0, 0, 0.11}));
  w.bodies[1].velocity = {0, 0, -5};
  Model model(w, 0.01);
  const StepReport report = model.step();
  BOOST_TEST(report.contacts == 0);
  BOOST_TEST(report.verdict.penetration.value == 0);
  BOOST_TEST_REQUIRE(report.verdict.geometric_penetration.has_value());
  BOOST_TEST(report.verdict.geometric_penetration->value > 0.03);
  BOOST_TEST(report.verdict.geometric_penetration->where == "brick/ground");
}

BOOST_AUTO_TEST_CASE(is_looked_at_as_often_as_asked_for) {
  const ScopedOptions options("-verdict_geometry 3");
  Model model(two_boxes(0), 0.01);
  for (int step = 1; step <= 6; ++step)
    BOOST_TEST(model.step().verdict.geometric_penetration.has_value() == (step % 3 == 0));
  const ScopedOptions off("-verdict_geometry 0");
  Model silent(two_boxes(0), 0.01);
  BOOST_TEST(!silent.step().verdict.geometric_penetration.has_value());
}

BOOST_AUTO_TEST_SUITE_END()
