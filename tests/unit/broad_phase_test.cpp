// Candidate pairs against a test of all pairs, and which pairs are never candidates.

#include "physics/collision/broad_phase.hpp"

#include "tests/unit/contact_worlds.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(broad_phase)

namespace {

using Kind = ShapeDescription::Kind;
using Pairs = std::vector<ColliderPair>;

Pairs to_vector(const CandidatePairs& pairs) {
  Pairs out;
  to_host(pairs, out);
  return out;
}

Pairs find_pairs(const World& world, const ContactMargin& margin = {}, double h = 0,
                 std::vector<EntityPair> excluded = {}) {
  const Entities entities = make_entities(world);
  BroadPhase broad_phase(build_shapes(world), entities, CollisionFilter(std::move(excluded)));
  return to_vector(broad_phase.find_pairs(make_state(world, entities), h, margin));
}

/// What a test of all pairs wants to know of a collider.
struct Candidate {
  ShapeKind kind;
  int entity;
  bool movable, point;
  double own;  // [m] its part of the margin
  Aabb box;
  Vec3 normal, at;  // of a plane, and a point of the entity
  double offset;    // [m] of a plane and its thickness
};

std::vector<Candidate> candidates(const ShapeSet& shapes, const Entities& entities, const State& state,
                                  const ContactMargin& margin, double h) {
  const View<Candidate> out("candidates", shapes.count);
  parallel_for(
      "candidates", shapes.count, KOKKOS_LAMBDA(int c) {
        const int e = shapes.entity(c);
        const Twist twist = twist_of(e, entities.block_of, entities.prescribed, state.u);
        const Pose entity = pose_of(e, entities.bodies, state.x, state.orientation);
        Candidate& of = out(c);
        of.kind = shapes.kind(c);
        of.entity = e;
        of.movable = entities.block_of(e).v >= 0;
        of.point = of.kind == ShapeKind::sphere && shapes.radius(c) + shapes.thickness(c) == 0;
        of.own = 0.5 * margin.base + margin.speed * h * (norm(twist.v) + norm(twist.w) * collider_reach(shapes, c));
        of.box = bounding_box(shapes, c, collider_pose(shapes, c, entity), of.own);
        of.at = entity.x;
        of.normal = rotate(entity.q, shapes.plane(c).normal);
        of.offset = shapes.plane(c).offset + shapes.thickness(c);
      });
  std::vector<Candidate> host;
  to_host(out, host);
  return host;
}

bool reaches(const Candidate& plane, const Candidate& c) {
  double lowest = 1e300;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3 p{(corner & 1 ? c.box.upper : c.box.lower).x, (corner & 2 ? c.box.upper : c.box.lower).y,
                 (corner & 4 ? c.box.upper : c.box.lower).z};
    lowest = std::min(lowest, dot(plane.normal, p - plane.at));
  }
  return lowest <= plane.offset + plane.own;
}

/// What find_pairs has to return: a test of all pairs with boxes and half spaces of its own.
Pairs all_pairs(const World& world, const ContactMargin& margin, double h) {
  const Entities entities = make_entities(world);
  const std::vector<Candidate> all = candidates(build_shapes(world), entities, make_state(world, entities), margin, h);
  const int count = static_cast<int>(all.size());
  Pairs pairs;
  for (int i = 0; i < count; ++i)
    for (int j = i + 1; j < count; ++j) {
      const Candidate &a = all[i], &b = all[j];
      const bool plane_a = a.kind == ShapeKind::plane, plane_b = b.kind == ShapeKind::plane;
      if (a.kind == ShapeKind::none || b.kind == ShapeKind::none) continue;
      if (plane_a && plane_b) continue;
      if (!a.movable && !b.movable) continue;
      if (a.entity == b.entity || (a.point && b.point)) continue;
      if (plane_a || plane_b ? reaches(plane_a ? a : b, plane_a ? b : a) : overlap(a.box, b.box))
        pairs.push_back({i, j});
    }
  return pairs;
}

/// All kinds of shape and motion, mixed: `count` bodies and a fifth as many particles. The box they are in is `extent`;
/// sizes are from 10^-decades to 1 times `size`.
World mixed_world(int count, double extent, double size, double decades, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto vector = [&] { return Vec3{number(random), number(random), number(random)}; };
  World world;
  for (int i = 0; i < count; ++i) {
    const double s = size * std::pow(10, -decades * std::fabs(number(random)));
    const Kind kind = i % 97 == 5   ? Kind::plane
                      : i % 31 == 7 ? Kind::none
                      : i % 5 == 1  ? Kind::convex
                      : i % 5 == 2  ? Kind::compound
                      : i % 5 == 3  ? Kind::sphere
                                    : Kind::box;
    const Motion motion =
        kind == Kind::plane || i % 11 == 3 ? (i % 2 ? Motion::fixed : Motion::prescribed) : Motion::dynamic;
    BodyDescription b = make_body("b", kind, extent * vector(), motion);
    b.mass = 1;
    b.inertia = Vec3{1, 1, 1};
    b.shape.radius = s;
    b.shape.half = {s, 0.3 * s, 0.7 * s};
    b.shape.normal = {0.1, number(random), 1};
    b.shape.offset = -0.8 * extent;
    if (kind == Kind::convex) b.shape.points = {{s, 0, 0}, {0, s, 0}, {0, 0, s}, {-s, -s, -0.5 * s}};
    for (int k = 0; kind == Kind::compound && k < 3; ++k) {
      ShapeChild part;
      part.shape.kind = k % 2 ? Kind::sphere : Kind::box;
      part.shape.radius = 0.3 * s;
      part.shape.half = {0.2 * s, 0.3 * s, 0.4 * s};
      part.position = (0.5 * s * k) * Vec3{1, 0, 0};
      b.shape.children.push_back(part);
    }
    b.orientation = normalized(Quat{1, number(random), number(random), number(random)});
    b.thickness = i % 13 ? 0 : 0.1 * s;
    if (motion != Motion::fixed) {
      b.velocity = (0.5 * extent) * vector();
      b.angular_velocity = 3.0 * vector();
    }
    world.bodies.push_back(b);
  }
  for (int i = 0; i < count / 5; ++i) {
    world.particles.push_back(make_particle("p", extent * vector(), i % 3 ? 0.1 * size : 0));
    world.particles.back().fixed = i % 7 == 2;
  }
  return world;
}

}  // namespace

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
          "p", {extent.x * number(random), extent.y * number(random), extent.z * number(random)}, 0.05 * (i % 3)));
    const ContactMargin margin{0.2, 1};
    const Pairs found = find_pairs(world, margin);
    BOOST_TEST(std::is_sorted(found.begin(), found.end()));
    const std::set<ColliderPair> set(found.begin(), found.end());
    BOOST_TEST(set.size() == found.size());

    const int bodies = static_cast<int>(world.bodies.size()), count = bodies + static_cast<int>(world.particles.size());
    const auto position = [&](int e) {
      return e < bodies ? world.bodies[e].position : world.particles[e - bodies].position;
    };
    const auto radius = [&](int e) {  // of the ball inside the shape
      return e < bodies ? (e % 3 ? 0.5 : 0.25) + world.bodies[e].thickness : world.particles[e - bodies].radius;
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
  world.bodies = {make_body("left", Kind::sphere, {0, 0, 0}), make_body("right", Kind::sphere, {1.3, 0, 0})};
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
  const Pairs expected{{0, 4}, {0, 5}, {0, 6}, {0, 7}, {1, 4}, {1, 5}, {1, 6}, {1, 7}, {2, 4},
                       {2, 5}, {2, 6}, {2, 7}, {4, 5}, {4, 6}, {4, 7}, {5, 6}, {5, 7}};
  BOOST_TEST((find_pairs(world) == expected));
  Pairs fewer = expected;
  std::erase(fewer, ColliderPair{4, 5});
  std::erase(fewer, ColliderPair{0, 6});
  BOOST_TEST((find_pairs(world, {}, 0, {{4, 5}, {0, 6}, {2, 3}}) == fewer));
}

BOOST_AUTO_TEST_CASE(planes_meet_what_reaches_them) {
  World world;
  world.bodies = {make_body("floor", Kind::plane, {}, Motion::fixed), make_body("far", Kind::sphere, {0, 0, 1000}),
                  make_body("near", Kind::sphere, {7, 0, 0.55}), make_body("deep", Kind::box, {0, 9, -30}),
                  make_body("piston", Kind::plane, {0, 0, -1}, Motion::prescribed)};
  BOOST_TEST((find_pairs(world) == Pairs{{0, 3}, {3, 4}}));
  BOOST_TEST((find_pairs(world, {0.06, 1}) == Pairs{{0, 2}, {0, 3}, {3, 4}}));
  world.bodies[0].thickness = 0.06;
  BOOST_TEST((find_pairs(world) == Pairs{{0, 2}, {0, 3}, {3, 4}}));
  world.bodies[0].thickness = 0;
  world.bodies[2].velocity = {0, 0, -1};
  BOOST_TEST((find_pairs(world, {0, 1}, 0.06) == Pairs{{0, 2}, {0, 3}, {3, 4}}));
  world.bodies[2].velocity = {};
  world.bodies[4].velocity = {0, 0, 11};
  BOOST_TEST((find_pairs(world, {0, 1}, 0.1) == Pairs{{0, 3}, {2, 4}, {3, 4}}));
  // Points of contact may be outside the shape.
  world.bodies[4].velocity = {};
  world.bodies[3].position = {0, 0, 2};
  world.bodies[3].contact_points = {{0, 0, -2.01}};
  BOOST_TEST((find_pairs(world) == Pairs{{0, 3}}));
}

// The trees against a test of all pairs: no pair missed, none twice, in order.
BOOST_AUTO_TEST_CASE(same_as_all_pairs) {
  struct {
    int count;
    double extent, size, decades;
  } const scenes[]{{20, 1, 0.3, 0},   {60, 2, 0.4, 1},    {300, 5, 0.5, 1},
                   {900, 10, 0.8, 3}, {900, 1e4, 500, 3}, {2000, 10, 0.3, 0}};
  unsigned seed = 3;
  for (const auto& scene : scenes)
    for (const ContactMargin& margin : {ContactMargin{0, 0}, ContactMargin{0.01, 1}}) {
      const World world = mixed_world(scene.count, scene.extent, scene.size, scene.decades, ++seed);
      const Pairs found = find_pairs(world, margin, 0.01), expected = all_pairs(world, margin, 0.01);
      BOOST_TEST_CONTEXT(scene.count << " bodies in " << scene.extent) {
        BOOST_TEST(found.size() > static_cast<std::size_t>(scene.count) / 5);
        BOOST_TEST((found == expected));
      }
    }
}

// One body that touches all others, many in one place, and one very far away.
BOOST_AUTO_TEST_CASE(uneven_scenes) {
  World world = mixed_world(400, 5, 0.2, 1, 11);
  world.bodies[200].shape.kind = Kind::box;
  world.bodies[200].shape.half = {50, 50, 50};
  world.bodies[200].motion = Motion::dynamic;
  const ContactMargin margin{0.01, 1};
  BOOST_TEST((find_pairs(world, margin, 0.01) == all_pairs(world, margin, 0.01)));
  for (int i = 300; i < 400; ++i) world.bodies[i].position = {1, 2, 3};
  BOOST_TEST((find_pairs(world, margin, 0.01) == all_pairs(world, margin, 0.01)));
  world.bodies[17].position = {1e9, -1e7, 3};
  BOOST_TEST((find_pairs(world, margin, 0.01) == all_pairs(world, margin, 0.01)));
  for (BodyDescription& b : world.bodies) b.position = {};
  BOOST_TEST((find_pairs(world, margin, 0.01) == all_pairs(world, margin, 0.01)));
}

// What rests is sorted once, but not for longer than it rests.
BOOST_AUTO_TEST_CASE(bodies_at_rest_may_be_moved) {
  World world = mixed_world(300, 5, 0.5, 1, 5);
  for (int i = 0; i < 300; i += 2) {
    world.bodies[i].motion = Motion::fixed;
    world.bodies[i].velocity = world.bodies[i].angular_velocity = {};
  }
  const Entities entities = make_entities(world);
  BroadPhase broad_phase(build_shapes(world), entities, CollisionFilter({}));
  for (int pass = 0; pass < 4; ++pass) {
    if (pass == 1) world.bodies[0].position = {2, 1, 0};
    if (pass == 3) world.bodies[2].orientation = normalized(Quat{1, 2, 3, 4});
    const ContactMargin wider{pass < 2 ? 0.01 : 0.1, 1};
    BOOST_TEST(
        (to_vector(broad_phase.find_pairs(make_state(world, entities), 0.01, wider)) == all_pairs(world, wider, 0.01)));
  }
}

// A state that has become NaN is for the verdict to report; here it must come to an end.
BOOST_AUTO_TEST_CASE(not_a_number) {
  World world = mixed_world(200, 5, 0.5, 1, 9);
  const std::size_t all = find_pairs(world).size();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  world.bodies[4].position = {nan, nan, nan};
  world.bodies[6].velocity = {0, nan, std::numeric_limits<double>::infinity()};
  BOOST_TEST(find_pairs(world, {0, 1}, 0.01).size() > all / 2);
}

BOOST_AUTO_TEST_CASE(radix_sort_is_stable) {
  std::mt19937_64 random(1);
  RadixScratch scratch;
  Buffer<std::uint64_t> keys;
  Buffer<int> values;
  for (const int n : {0, 1, 2, 100, 5000, 60000})
    for (const int bits : {1, 20, 63}) {
      std::vector<std::pair<std::uint64_t, int>> expected;
      const auto key = Kokkos::create_mirror_view(keys.resize(n));
      const auto value = Kokkos::create_mirror_view(values.resize(n));
      for (int i = 0; i < n; ++i) {
        expected.push_back({random() & ((std::uint64_t{1} << bits) - 1) & ~std::uint64_t{6}, i});
        key(i) = expected[i].first;
        value(i) = i;
      }
      Kokkos::deep_copy(keys.view(), key);
      Kokkos::deep_copy(values.view(), value);
      radix_sort(n, bits, keys, values, scratch);
      std::sort(expected.begin(), expected.end());  // by value where keys are equal
      std::vector<std::uint64_t> sorted;
      std::vector<int> with;
      to_host(keys.view(), sorted);
      to_host(values.view(), with);
      bool same = true;
      for (int i = 0; i < n; ++i) same = same && sorted[i] == expected[i].first && with[i] == expected[i].second;
      BOOST_TEST(same, n << " keys of " << bits << " bits");
    }
}

BOOST_AUTO_TEST_CASE(nothing_at_all) { BOOST_TEST(find_pairs(World{}).empty()); }

BOOST_AUTO_TEST_SUITE_END()
