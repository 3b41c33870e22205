// Coefficients of two surfaces, friction and restitution, by every rule; and what an unknown material says.

#include "framework/error.hpp"
#include "physics/collision/detection.hpp"
#include "physics/contact/restitution.hpp"
#include "physics/friction/contact_friction.hpp"
#include "tests/unit/contact_worlds.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(surface_pairs)

namespace {

/// A square root and a product.
constexpr double kRounding = 8 * std::numeric_limits<double>::epsilon();

World ball_on_floor(const char* floor, const char* ball) {
  World world;
  world.materials["ice"].friction = 0.1;
  world.materials["rubber"].friction = 0.9;
  world.materials["clay"].restitution = 0.2;
  world.materials["steel"].restitution = 0.8;
  world.bodies = {make_body("floor", ShapeDescription::Kind::plane, {}, Motion::fixed),
                  make_body("ball", ShapeDescription::Kind::sphere, {0, 0, 0.5})};
  world.bodies[0].material = floor;
  world.bodies[1].material = ball;
  return world;
}

double first_of(const View<double>& values) {
  std::vector<double> host;
  to_host(values, host);
  return host.at(0);
}

double friction_of(const World& world, const FrictionOptions& options = {}) {
  const Entities entities = make_entities(world);
  const State state = make_state(world, entities);
  ContactDetection detection(world, entities, {});
  ContactSet set;
  detection.detect(state, 0.01, set);
  ContactFriction cones(world, entities, CollisionFilter(world, {}), options);
  cones.begin_step(set, entities, state);
  BOOST_TEST_REQUIRE(set.count == 1);
  return first_of(cones.rows().friction);
}

}  // namespace

BOOST_AUTO_TEST_CASE(friction) {
  const std::pair<const char*, double> rules[] = {
      {"geometric_mean", 0.3}, {"minimum", 0.1}, {"maximum", 0.9}, {"average", 0.5}};
  for (const auto& [rule, mu] : rules) {
    FrictionOptions options;
    options.pairing = rule;
    BOOST_TEST(std::fabs(friction_of(ball_on_floor("ice", "rubber"), options) - mu) <= kRounding);
  }
  BOOST_TEST(friction_of(ball_on_floor("", "")) == MaterialDescription{}.friction);
}

BOOST_AUTO_TEST_CASE(restitution) {
  const std::pair<const char*, double> rules[] = {
      {"geometric_mean", 0.4}, {"minimum", 0.2}, {"maximum", 0.8}, {"average", 0.5}};
  const World world = ball_on_floor("clay", "steel");
  for (const auto& [rule, e] : rules) {
    RestitutionOptions options;
    options.pairing = rule;
    const Restitution pair = Restitution::of(world, options);
    const View<double> out("restitution", 1);
    parallel_for(
        "restitution_of_a_pair", 1, KOKKOS_LAMBDA(int) { out(0) = pair(0, 1); });
    BOOST_TEST(std::fabs(first_of(out) - e) <= kRounding);
  }
  BOOST_TEST((Restitution::of(world, {}).rule == Pairing::maximum));
}

BOOST_AUTO_TEST_CASE(an_unknown_material_is_named_with_the_nearest) {
  BOOST_CHECK_EXCEPTION(friction_of(ball_on_floor("ice", "rubbr")), InputError, [](const InputError& e) {
    const std::string what = e.what();
    return what.find("'ball'") != std::string::npos && what.find("did you mean 'rubber'") != std::string::npos;
  });
}

BOOST_AUTO_TEST_SUITE_END()
