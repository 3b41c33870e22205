// Who is kept apart from whom: pairs, groups, a group and one body, and names that are wrong.

#include "physics/collision/collision_filter.hpp"

#include "framework/error.hpp"
#include "physics/collision/detection.hpp"
#include "tests/unit/contact_worlds.hpp"

#include <boost/test/unit_test.hpp>

#include <set>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(collision_filter)

namespace {

using Kind = ShapeDescription::Kind;

/// Bodies 0, 1 in group g; 2, 3 in group k; 4 in none; particle 5.
World six() {
  World world;
  for (const char* name : {"g0", "g1", "k2", "k3", "b4"}) {
    world.bodies.push_back(make_body(name, Kind::sphere, {}));
    if (name[0] != 'b') world.bodies.back().group = name[0];
  }
  world.particles.push_back(make_particle("p5", {}, 0.1));
  return world;
}

std::set<EntityPair> kept_apart(const World& world, std::vector<EntityPair> pairs = {}) {
  const CollisionFilter filter(world, std::move(pairs));
  const View<int> answer("answer", 36);
  parallel_for(
      "ask_filter", 36, KOKKOS_LAMBDA(int k) { answer(k) = filter.keeps_apart(k / 6, k % 6); });
  fence();
  std::vector<int> apart_of;
  to_host(answer, apart_of);
  std::set<EntityPair> apart;
  for (int i = 0; i < 6; ++i)
    for (int j = i + 1; j < 6; ++j) {
      BOOST_TEST(apart_of[6 * i + j] == apart_of[6 * j + i]);
      if (apart_of[6 * i + j]) apart.insert({i, j});
    }
  return apart;
}

using Pairs = std::set<EntityPair>;

}  // namespace

BOOST_AUTO_TEST_CASE(every_kind_of_pair) {
  World world = six();
  BOOST_TEST(kept_apart(world).empty());
  BOOST_TEST((kept_apart(world, {{1, 4}}) == Pairs{{1, 4}}));
  world.no_collision = {{"p5", "g0"}};
  BOOST_TEST((kept_apart(world, {{1, 4}}) == Pairs{{0, 5}, {1, 4}}));
  world.no_collision = {{"g", "g"}};
  BOOST_TEST((kept_apart(world) == Pairs{{0, 1}}));
  world.no_collision = {{"k", "g"}};
  BOOST_TEST((kept_apart(world) == Pairs{{0, 2}, {0, 3}, {1, 2}, {1, 3}}));
  world.no_collision = {{"k", "p5"}, {"b4", "g"}, {"k2", "k"}};
  BOOST_TEST((kept_apart(world) == Pairs{{2, 5}, {3, 5}, {0, 4}, {1, 4}, {2, 3}}));
}

BOOST_AUTO_TEST_CASE(in_detection) {
  World world;
  for (int i = 0; i < 4; ++i) {
    world.bodies.push_back(make_body("b" + std::to_string(i), Kind::sphere, {0.9 * i, 0, 0}));
    world.bodies.back().group = i < 2 ? "left" : "right";
  }
  const auto count = [&] {
    const Entities entities = make_entities(world);
    ContactDetection detection(world, entities, {});
    ContactSet set;
    detection.detect(make_state(world, entities), 0.01, set);
    return set.count;
  };
  BOOST_TEST(count() == 3);
  world.no_collision = {{"left", "right"}};
  BOOST_TEST(count() == 2);
  world.no_collision = {{"left", "left"}, {"right", "right"}};
  BOOST_TEST(count() == 1);
}

BOOST_AUTO_TEST_CASE(wrong_names) {
  const auto refused = [](const World& world, const std::string& words) {
    BOOST_CHECK_EXCEPTION(kept_apart(world), InputError,
                          [&](const InputError& e) { return std::string(e.what()).find(words) != std::string::npos; });
  };
  World world = six();
  world.bodies[4].name = "obstacle";
  world.no_collision = {{"g", "obstacl"}};
  refused(world, "unknown body, particle or group; did you mean 'obstacle'?");
  world.bodies[4].name = "g";
  world.no_collision = {{"g", "k"}};
  refused(world, "the name is that of a body or particle and of a group");
}

BOOST_AUTO_TEST_SUITE_END()
