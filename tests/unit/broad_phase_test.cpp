// Candidate pairs against a test of all pairs, and which pairs are never candidates.

#include "physics/contact/broad_phase.hpp"

#include "tests/unit/contact_worlds.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <random>
#include <set>

using namespace clarke;
using namespace clarke::test;

namespace {

CandidatePairs find_pairs(const World& world, const ContactMargin& margin = {}, double h = 0,
                          std::vector<EntityPair> excluded = {}) {
  const Entities entities = make_entities(world);
  BroadPhase broad_phase(build_shapes(world), entities, CollisionFilter(std::move(excluded)));
  return broad_phase.find_pairs(make_state(world, entities), h, margin);
}

using Kind = ShapeDescription::Kind;

}  // namespace

BOOST_AUTO_TEST_SUITE(broad_phase)

BOOST_AUTO_TEST_CASE(finds_every_near_pair) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> number(-1, 1);
  for (const Vec3& extent : {Vec3{8, 3, 3}, Vec3{3, 8, 3}, Vec3{3, 3, 8}}) {
    World world;
    for (int i = 0; i < 150; ++i) {
      const Vec3 x{extent.x * number(random), extent.y * number(random), extent.z * number(random)};
      BodyDescription b = make_body("b", i % 3 ? Kind::sphere : Kind::box, x);
      b.orientation = normalized(Quat{1, number(random), number(random), number(random)});
      b.thickness = i % 5 ? 0 : 0.1;
      world.bodies.push_back(b);
    }
    for (int i = 0; i < 50; ++i)
      world.particles.push_back(make_particle(
          "p", {extent.x * number(random), extent.y * number(random), extent.z * number(random)},
          0.05 * (i % 3)));
    const ContactMargin margin{0.2, 1};
    const CandidatePairs found = find_pairs(world, margin);
    BOOST_TEST(std::is_sorted(found.begin(), found.end()));
    const std::set<ColliderPair> set(found.begin(), found.end());
    BOOST_TEST(set.size() == found.size());

    const int bodies = static_cast<int>(world.bodies.size()),
              count = bodies + static_cast<int>(world.particles.size());
    const auto position = [&](int e) {
      return e < bodies ? world.bodies[e].position : world.particles[e - bodies].position;
    };
    const auto radius = [&](int e) {  // of the ball inside the shape
      return e < bodies ? (e % 3 ? 0.5 : 0.25) + world.bodies[e].thickness
                        : world.particles[e - bodies].radius;
    };
    int near = 0;
    for (int i = 0; i < count; ++i)
      for (int j = i + 1; j < count; ++j) {
        const double ri = radius(i), rj = radius(j), d = norm(position(i) - position(j));
        if (d - ri - rj >= margin.base || ri + rj == 0) continue;
        ++near;
        BOOST_TEST(set.count({i, j}) == 1u);
      }
    BOOST_TEST(near > 100);
    BOOST_TEST(found.size() < 5000u);  // of 19900
  }
}

BOOST_AUTO_TEST_CASE(margin_grows_with_speed) {
  World world;
  world.bodies = {make_body("left", Kind::sphere, {0, 0, 0}),
                  make_body("right", Kind::sphere, {1.3, 0, 0})};
  world.bodies[0].velocity = {2, 0, 0};
  world.bodies[1].angular_velocity = {0, 0, 2};
  BOOST_TEST(find_pairs(world, {0.1, 1}, 0.01).empty());
  BOOST_TEST(find_pairs(world, {0.29, 1}, 0.01).size() == 1u);  // + 0.02 + 0.01
  BOOST_TEST(find_pairs(world, {0.29, 0}, 0.01).empty());
  BOOST_TEST(find_pairs(world, {0.1, 1}, 0.1).size() == 1u);
}

BOOST_AUTO_TEST_CASE(pairs_that_never_touch) {
  World world;
  world.bodies = {make_body("floor", Kind::plane, {}, Motion::fixed),        // 0
                  make_body("wall", Kind::plane, {}, Motion::prescribed),    // 1
                  make_body("rock", Kind::box, {}, Motion::fixed),           // 2
                  make_body("ghost", Kind::none, {}),                        // 3
                  make_body("box", Kind::box, {0.1, 0, 0}),                  // 4
                  make_body("ball", Kind::sphere, {0, 0.1, 0})};             // 5
  world.particles = {make_particle("p", {}, 0), make_particle("q", {}, 0)};  // 6, 7: points
  const CandidatePairs expected{{0, 4}, {0, 5}, {0, 6}, {0, 7}, {1, 4}, {1, 5},
                                {1, 6}, {1, 7}, {2, 4}, {2, 5}, {2, 6}, {2, 7},
                                {4, 5}, {4, 6}, {4, 7}, {5, 6}, {5, 7}};
  BOOST_TEST((find_pairs(world) == expected));
  CandidatePairs fewer = expected;
  std::erase(fewer, ColliderPair{4, 5});
  std::erase(fewer, ColliderPair{0, 6});
  BOOST_TEST((find_pairs(world, {}, 0, {{4, 5}, {0, 6}, {2, 3}}) == fewer));
}

BOOST_AUTO_TEST_CASE(planes_meet_everything_that_moves) {
  World world;
  world.bodies = {make_body("floor", Kind::plane, {}, Motion::fixed),
                  make_body("far", Kind::sphere, {0, 0, 1000})};
  BOOST_TEST((find_pairs(world) == CandidatePairs{{0, 1}}));
}

BOOST_AUTO_TEST_CASE(nothing_at_all) { BOOST_TEST(find_pairs(World{}).empty()); }

BOOST_AUTO_TEST_SUITE_END()
