// When a body could have tunnelled: the bound of physics/collision/tunnelling.hpp from both sides.

#include "physics/collision/tunnelling.hpp"

#include "tests/unit/contact_worlds.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(tunnelling)

namespace {

using Kind = ShapeDescription::Kind;
constexpr double kStep = 0.01;

/// Warnings of a step at whose start and end `body` has these speeds along x, and spins [rad/s] about z.
int warnings(BodyDescription body, const ContactMargin& margin, double before, double after, double spin_before = 0,
             double spin_after = 0) {
  World world;
  body.velocity = {before, 0, 0};
  body.angular_velocity = {0, 0, spin_before};
  world.bodies = {body};
  const Entities entities = make_entities(world);
  TunnellingWatch watch(build_shapes(world), entities, margin);
  watch.begin_step(make_state(world, entities), kStep);
  world.bodies[0].velocity = {after, 0, 0};
  world.bodies[0].angular_velocity = {0, 0, spin_after};
  return watch.end_step(make_state(world, entities), kStep);
}

}  // namespace

BOOST_AUTO_TEST_CASE(bound) {
  const BodyDescription box = make_body("box", Kind::box, {});  // ρ = 0.25
  BOOST_TEST(warnings(box, {0.1, 1}, 1000, 1000) == 0);         // what flies on freely has the margin for it
  BOOST_TEST(warnings(box, {0.1, 1}, 0, 34) == 0);              // 0.34 − 0.1 < 0.25
  BOOST_TEST(warnings(box, {0.1, 1}, 0, 36) == 1);
  BOOST_TEST(warnings(box, {0.1, 1}, 5, 39) == 0);
  BOOST_TEST(warnings(box, {0.1, 0.5}, 69, 69) == 0);  // 0.69 − 0.1 − 0.345 < 0.25
  BOOST_TEST(warnings(box, {0.1, 0.5}, 71, 71) == 1);
  const double rim = std::sqrt(0.5 * 0.5 + 0.5 * 0.5 + 0.25 * 0.25) - 0.25;
  BOOST_TEST(warnings(box, {0.1, 1}, 0, 0, 0, 34.9 / rim) == 0);
  BOOST_TEST(warnings(box, {0.1, 1}, 0, 0, 0, 35.1 / rim) == 1);
}

BOOST_AUTO_TEST_CASE(shapes) {
  BodyDescription ball = make_body("ball", Kind::sphere, {});
  BOOST_TEST(warnings(ball, {0, 0}, 0, 49) == 0);
  BOOST_TEST(warnings(ball, {0, 0}, 0, 51) == 1);
  BOOST_TEST(warnings(ball, {0, 0}, 0, 0, 0, 1e6) == 0);  // a ball that spins stays where it is
  ball.thickness = 0.02;
  BOOST_TEST(warnings(ball, {0, 0}, 0, 51) == 0);
  BOOST_TEST(warnings(make_body("ghost", Kind::none, {}), {0, 0}, 0, 1e6) == 0);
  BOOST_TEST(warnings(make_body("rock", Kind::box, {}, Motion::prescribed), {0, 0}, 0, 1e6) == 0);
}

BOOST_AUTO_TEST_CASE(each_body_is_named_once) {
  World world;
  for (int i = 0; i < 3; ++i) world.bodies.push_back(make_body("b", Kind::sphere, {3.0 * i, 0, 0}));
  const Entities entities = make_entities(world);
  TunnellingWatch watch(build_shapes(world), entities, {0, 0});
  const auto step = [&](double first, double third) {
    world.bodies[0].velocity.x = first;
    world.bodies[2].velocity.z = third;
    watch.begin_step(make_state(world, entities), kStep);
    return watch.end_step(make_state(world, entities), kStep);
  };
  BOOST_TEST(step(0, 0) == 0);
  BOOST_TEST(step(60, 0) == 1);
  BOOST_TEST(watch.newly() == std::vector<int>{0}, boost::test_tools::per_element());
  BOOST_TEST(watch.first());
  BOOST_TEST(step(60, 70) == 2);
  BOOST_TEST(watch.newly() == std::vector<int>{2}, boost::test_tools::per_element());
  BOOST_TEST(!watch.first());
  BOOST_TEST(step(60, 70) == 2);
  BOOST_TEST(watch.newly().empty());
}

BOOST_AUTO_TEST_SUITE_END()
