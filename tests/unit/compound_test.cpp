// Compound shapes: mass properties, frames, contacts of their parts, names, ids, and surfaces.

#include "framework/error.hpp"
#include "physics/collision/detection.hpp"
#include "physics/collision/mass_properties.hpp"
#include "physics/collision/surfaces.hpp"
#include "tests/unit/contact_worlds.hpp"

#include <boost/test/unit_test.hpp>

#include <set>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(compound)

namespace {

using Kind = ShapeDescription::Kind;

/// Rounding of positions of size one through a few rotations.
constexpr double kRounding = 1e-14;
constexpr double kStep = 0.01;  // h [s]

ShapeChild box_part(const Vec3& half, const Vec3& position, const Quat& turn = {}) {
  ShapeChild part;
  part.shape.kind = Kind::box;
  part.shape.half = half;
  part.position = position;
  part.orientation = turn;
  return part;
}

ShapeChild sphere_part(double radius, const Vec3& position) {
  ShapeChild part;
  part.shape.kind = Kind::sphere;
  part.shape.radius = radius;
  part.position = position;
  return part;
}

BodyDescription compound_body(const std::string& name, const Vec3& position, std::vector<ShapeChild> parts) {
  BodyDescription b = make_body(name, Kind::compound, position);
  b.shape.children = std::move(parts);
  return b;
}

void give_mass(BodyDescription& b) {
  b.mass = 1;
  b.inertia = Vec3{1, 1, 1};
}

template <class T>
std::vector<T> to_host(const View<T>& view) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  return {host.data(), host.data() + host.extent(0)};
}

struct Touch {
  std::string name;
  int a, b;
  Vec3 on_a, normal;  // world frame
  double gap;
  std::uint64_t id;
};

std::vector<Touch> detect(const World& world) {
  const Entities entities = make_entities(world);
  const State state = make_state(world, entities);
  ContactDetection detection(world, entities, {});
  ContactSet set;
  detection.detect(state, kStep, set);
  const auto a = to_host(set.a), b = to_host(set.b);
  const auto pa = to_host(set.point_a), pb = to_host(set.point_b), n = to_host(set.normal), x = to_host(state.x);
  const auto q = to_host(state.orientation);
  const auto ra = to_host(set.radius_a), rb = to_host(set.radius_b);
  const auto id = to_host(set.id);
  std::vector<Touch> touches;
  for (int i = 0; i < set.count; ++i) {
    const Vec3 on_a = x[a[i]] + rotate(q[a[i]], pa[i]), on_b = x[b[i]] + rotate(q[b[i]], pb[i]);
    touches.push_back(
        {detection.contact_name(set, i), a[i], b[i], on_a, n[i], dot(n[i], on_a - on_b) - ra[i] - rb[i], id[i]});
  }
  return touches;
}

double largest(const Mat3& m) {
  double value = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) value = std::max(value, std::fabs(m(i, j)));
  return value;
}

}  // namespace

BOOST_AUTO_TEST_CASE(mass_is_the_sum_of_the_parts) {
  // A box cut into a box and a box that is described turned by 90° about z: half extents (2, 1, 1).
  const Quat turn = from_axis_angle(Vec3{0, 0, 1}, M_PI / 2);
  ShapeDescription cut;
  cut.kind = Kind::compound;
  const Vec3 origin{3, -4, 5};
  cut.children = {box_part({0.5, 1, 1}, origin + Vec3{-1.5, 0, 0}),
                  box_part({1, 1.5, 1}, origin + Vec3{0.5, 0, 0}, turn)};
  ShapeDescription whole;
  whole.kind = Kind::box;
  whole.half = {2, 1, 1};
  const MassProperties p = clarke::mass_properties(cut, "cut"), q = clarke::mass_properties(whole, "whole");
  constexpr double kSums = 1e-13;  // a few products of numbers up to 100
  BOOST_TEST(std::fabs(p.volume - q.volume) <= kSums);
  BOOST_TEST(norm(p.centre - origin) <= kSums);
  BOOST_TEST(largest(p.inertia_per_density - q.inertia_per_density) <= 10 * kSums);

  // Overlaps count twice.
  cut.children = {sphere_part(0.5, {}), sphere_part(0.5, {})};
  const MassProperties twice = clarke::mass_properties(cut, "twice");
  BOOST_TEST(std::fabs(twice.volume - M_PI / 3) <= kRounding);
  // Two balls at ±d along x: 2 (2/5 V r²) along x, and V d² each across it.
  cut.children = {sphere_part(0.5, {2, 0, 0}), sphere_part(0.5, {-2, 0, 0})};
  const MassProperties dumbbell = clarke::mass_properties(cut, "dumbbell");
  const double v = M_PI / 6, own = 2 * 0.4 * v * 0.25;
  BOOST_TEST(largest(dumbbell.inertia_per_density - Mat3::diagonal(own, own + 8 * v, own + 8 * v)) <= kSums);
}

BOOST_AUTO_TEST_CASE(tensors) {
  BodyDescription b;
  b.inertia = Vec3{2, 3, 4};
  b.inertia_products = {0.1, 0.2, 0.3};
  const Mat3 t = inertia_tensor(b);
  BOOST_TEST(t(0, 1) == 0.1);
  BOOST_TEST(t(2, 0) == 0.2);
  BOOST_TEST(t(1, 2) == 0.3);
  BOOST_TEST(t(2, 2) == 4);
  const Vec3 m = principal_moments({{2, 1, 0}, {1, 2, 0}, {0, 0, 7}});
  BOOST_TEST(norm(m - Vec3{1, 3, 7}) <= kRounding * 10);
  BOOST_TEST(!triangle_inequality(m));
  BOOST_TEST(triangle_inequality({1, 3, 4}));
}

BOOST_AUTO_TEST_CASE(a_part_touches_like_a_body) {
  // One box, as a plain body and as a turned part away from the origin of its body, on the same other box.
  const Quat turn = normalized(Quat{1, 0.2, -0.1, 0.05}), body_turn = normalized(Quat{1, -0.3, 0.2, 0.4});
  const Vec3 half{0.5, 0.4, 0.3}, offset{0.7, -0.2, 0.4}, x{0.1, 0.2, 0.45};
  World plain;
  plain.bodies = {make_body("box", Kind::box, x), make_body("rock", Kind::box, {0, 0, -0.15}, Motion::fixed)};
  plain.bodies[0].shape.half = half;
  plain.bodies[0].orientation = body_turn * turn;
  World parts = plain;
  parts.bodies[0] = compound_body("box", x - rotate(body_turn, offset), {box_part(half, offset, turn)});
  parts.bodies[0].orientation = body_turn;
  give_mass(parts.bodies[0]);
  const std::vector<Touch> p = detect(plain), q = detect(parts);
  BOOST_TEST(!p.empty());
  BOOST_REQUIRE(p.size() == q.size());
  for (std::size_t i = 0; i < p.size(); ++i) {
    BOOST_TEST(p[i].name == q[i].name);  // one part needs no number
    BOOST_TEST(p[i].id == q[i].id);
    BOOST_TEST(norm(p[i].normal - q[i].normal) <= 10 * kRounding);
    BOOST_TEST(norm(p[i].on_a - q[i].on_a) <= 10 * kRounding);
    BOOST_TEST(std::fabs(p[i].gap - q[i].gap) <= 10 * kRounding);
  }
}

BOOST_AUTO_TEST_CASE(parts_names_and_ids) {
  // A table on two legs and a round foot; its parts overlap and never touch each other.
  World world;
  world.bodies = {make_body("floor", Kind::plane, {}, Motion::fixed),
                  compound_body("table", {0, 0, 1},
                                {box_part({1, 1, 0.1}, {0, 0, 0}), box_part({0.1, 0.1, 0.5}, {0.8, 0, -0.5}),
                                 sphere_part(0.25, {-0.8, 0, -0.75})}),
                  make_body("ball", Kind::sphere, {-0.8, 0, 1.6})};
  give_mass(world.bodies[1]);
  const std::vector<Touch> touches = detect(world);
  std::vector<std::string> names;
  std::set<std::uint64_t> ids;
  for (const Touch& t : touches) {
    names.push_back(t.name);
    ids.insert(t.id);
    BOOST_TEST(std::fabs(t.gap) <= kRounding);
    BOOST_TEST(t.a == 1);
    BOOST_TEST(t.b != 1);
  }
  const std::vector<std::string> expected{"table[1]/floor:0", "table[1]/floor:1", "table[1]/floor:2",
                                          "table[1]/floor:3", "table[2]/floor:0", "table[0]/ball:0"};
  BOOST_TEST(names == expected, boost::test_tools::per_element());
  BOOST_TEST(ids.size() == touches.size());
  BOOST_TEST(norm(touches[4].on_a - Vec3{-0.8, 0, 0.25}) <= kRounding);  // the centre of the round foot
}

BOOST_AUTO_TEST_CASE(a_far_part_that_turns_is_seen) {
  // The tip of a long arm sweeps 0.2 in the step; the body's own origin does not move.
  World world;
  world.bodies = {compound_body("arm", {}, {sphere_part(0.1, {10, 0, 0})}),
                  make_body("wall", Kind::box, {10, 0.75, 0})};
  give_mass(world.bodies[0]);
  BOOST_TEST(detect(world).empty());
  world.bodies[0].angular_velocity = {0, 0, 2};
  BOOST_TEST(detect(world).size() == 1u);
}

BOOST_AUTO_TEST_CASE(frames) {
  BodyDescription b =
      compound_body("b", {}, {box_part({0.5, 0.5, 0.5}, {1, 0, 0}), box_part({0.5, 0.5, 0.5}, {3, 0, 0})});
  const BodyShape centred = body_shape(b);
  BOOST_TEST(norm(centred.shift - Vec3{-2, 0, 0}) <= kRounding);
  BOOST_TEST(norm(centred.colliders[0].centre - Vec3{-1, 0, 0}) <= kRounding);
  b.mass = 1;
  BOOST_TEST(norm(body_shape(b).shift - Vec3{-2, 0, 0}) <= kRounding);
  b.inertia = Vec3{1, 1, 1};
  BOOST_TEST(norm(body_shape(b).shift) == 0);
  BOOST_TEST(body_shape(b).colliders[1].centre.x == 3);

  const Surface surface = body_surface(b);
  BOOST_TEST(surface.points.size() == 16u);
  BOOST_TEST(surface.polygons.size() == 12u);
  double volume = 0;
  for (const std::vector<int>& p : surface.polygons)
    for (std::size_t k = 1; k + 1 < p.size(); ++k)
      volume += dot(surface.points[p[0]], cross(surface.points[p[k]], surface.points[p[k + 1]])) / 6;
  BOOST_TEST(std::fabs(volume - 2) <= 10 * kRounding);

  // A hull keeps its place in the compound whatever its centroid.
  ShapeChild hull;
  hull.shape.kind = Kind::convex;
  hull.shape.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  b.shape.children = {hull};
  const BodyShape shape = body_shape(b);
  BOOST_TEST(norm(shape.colliders[0].centre - Vec3{0.25, 0.25, 0.25}) <= kRounding);
  BOOST_TEST(norm(shape.colliders[0].centre + shape.colliders[0].hull.vertex[0]) <= kRounding);
}

BOOST_AUTO_TEST_CASE(impossible_compounds_are_refused) {
  const auto refused = [](const BodyDescription& body, const std::string& word) {
    World world;
    world.bodies = {body};
    BOOST_CHECK_EXCEPTION(detect(world), InputError, [&](const InputError& e) {
      const std::string what = e.what();
      return what.find("'odd'") != std::string::npos && what.find(word) != std::string::npos;
    });
  };
  refused(compound_body("odd", {}, {}), "at least one part");
  BodyDescription nested = compound_body("odd", {}, {sphere_part(1, {})});
  nested.shape.children[0].shape.kind = Kind::compound;
  refused(nested, "boxes and convex");
  BodyDescription points = compound_body("odd", {}, {box_part({1, 1, 1}, {})});
  points.contact_points = {{0, 0, 0}};
  refused(points, "contact points");
  refused(compound_body("odd", {}, {sphere_part(-1, {})}), "radius");
}

BOOST_AUTO_TEST_SUITE_END()
