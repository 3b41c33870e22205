// Capsules and cylinders as shapes: mass properties, boxes, reach, parts of compounds, surfaces, and what is refused.

#include "framework/error.hpp"
#include "framework/jacobian.hpp"
#include "physics/collision/broad_phase.hpp"
#include "physics/collision/mass_properties.hpp"
#include "physics/collision/narrow_phase.hpp"
#include "physics/collision/surfaces.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;

BOOST_AUTO_TEST_SUITE(round_shapes)

namespace {

using Kind = ShapeDescription::Kind;

constexpr double kRadius = 0.3, kHalf = 0.7;
constexpr double kRounding = 1e-14;

BodyDescription round_body(Kind kind) {
  BodyDescription b;
  b.name = "b";
  b.shape.kind = kind;
  b.shape.radius = kRadius;
  b.shape.half_height = kHalf;
  return b;
}

World world_of(const BodyDescription& b) {
  World w;
  w.bodies = {b};
  return w;
}

/// Of the only collider of a set, in a pose: its box, and how far its core reaches along the axes.
struct Extent {
  Aabb box;
  Vec3 highest, lowest;
  double rho;  // [m] radius of contact
};

Extent extent_of(const ShapeSet& s, const Pose& pose, double extra) {
  const View<Extent> out("extent", 1);
  parallel_for(
      "extent", 1, KOKKOS_LAMBDA(int i) {
        const PlacedCore core = place(convex_core(s, i), pose.q, pose.x);
        Extent& of = out(i);
        of.box = bounding_box(s, i, pose, extra);
        of.rho = contact_radius(s, i);
        for (int k = 0; k < 3; ++k) {
          Vec3 e{};
          e[k] = 1;
          of.highest[k] = dot(e, support(core, e));
          of.lowest[k] = dot(e, support(core, -e));
        }
      });
  return host_copy(out)(0);
}

}  // namespace

BOOST_AUTO_TEST_CASE(mass_properties_are_those_of_stacked_discs) {
  for (Kind kind : {Kind::capsule, Kind::cylinder}) {
    const MassProperties p = clarke::mass_properties(round_body(kind).shape, "b");
    const double top = kind == Kind::capsule ? kHalf + kRadius : kHalf;
    constexpr int kDiscs = 20000;
    double volume = 0, along = 0, across = 0;
    for (int i = 0; i < kDiscs; ++i) {
      const double z = top * (2 * (i + 0.5) / kDiscs - 1), over = std::max(std::fabs(z) - kHalf, 0.0);
      const double r2 = kRadius * kRadius - over * over, v = M_PI * r2 * 2 * top / kDiscs;
      volume += v;
      along += v * r2 / 2;
      across += v * (r2 / 4 + z * z);
    }
    constexpr double kMidpoint = 1e-7;  // of the sum: square of the thickness of a disc
    BOOST_TEST(std::fabs(p.volume - volume) <= kMidpoint * volume);
    BOOST_TEST(std::fabs(p.inertia_per_density(2, 2) - along) <= kMidpoint * along);
    BOOST_TEST(std::fabs(p.inertia_per_density(0, 0) - across) <= kMidpoint * across);
    BOOST_TEST(p.inertia_per_density(0, 0) == p.inertia_per_density(1, 1));
  }
}

BOOST_AUTO_TEST_CASE(boxes_touch_the_shape) {
  for (Kind kind : {Kind::capsule, Kind::cylinder}) {
    const ShapeSet s = build_shapes(world_of(round_body(kind)));
    BOOST_TEST(host_copy(s.axis_radius)(0) == kRadius);
    BOOST_TEST(host_copy(s.axis)(0).z == kHalf);
    const double radius = host_copy(s.radius)(0);
    BOOST_TEST(std::fabs(radius - (kind == Kind::capsule ? kHalf + kRadius : std::hypot(kHalf, kRadius))) <= kRounding);
    for (double angle : {0.0, 0.3, 1.0, M_PI / 2, 2.5}) {
      constexpr double kExtra = 0.01;
      const Extent of = extent_of(s, {{1, 2, 3}, from_axis_angle(normalized(Vec3{1, 0.5, 0.2}), angle)}, kExtra);
      for (int k = 0; k < 3; ++k) {
        BOOST_TEST(std::fabs(of.box.upper[k] - of.highest[k] - of.rho - kExtra) <= kRounding);
        BOOST_TEST(std::fabs(of.box.lower[k] - of.lowest[k] + of.rho + kExtra) <= kRounding);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(surfaces_and_compounds) {
  BodyDescription whole;
  whole.name = "whole";
  whole.shape.kind = Kind::compound;
  whole.mass = 1, whole.inertia = Vec3{1, 1, 1};
  for (Kind kind : {Kind::capsule, Kind::cylinder})
    whole.shape.children.push_back({round_body(kind).shape, {3, 0, 0}, from_axis_angle(Vec3{0, 1, 0}, M_PI / 2)});
  const BodyShape shape = body_shape(whole);
  BOOST_REQUIRE(shape.colliders.size() == 2U);
  for (const ColliderShape& c : shape.colliders) BOOST_TEST(norm(c.axis - Vec3{kHalf, 0, 0}) <= kRounding);
  const Surface surface = body_surface(whole);
  double low = 1e300, high = -1e300, wide = 0;
  for (const Vec3& p : surface.points) {
    low = std::min(low, p.x), high = std::max(high, p.x);
    wide = std::max(wide, std::hypot(p.y, p.z));
  }
  BOOST_TEST(std::fabs(low - (3 - kHalf - kRadius)) <= kRounding);
  BOOST_TEST(std::fabs(high - (3 + kHalf + kRadius)) <= kRounding);
  BOOST_TEST(std::fabs(wide - kRadius) <= kRounding);
  // Closed and outward: the divergence theorem gives the volume of the polyhedron, a little below that of the shape.
  for (Kind kind : {Kind::capsule, Kind::cylinder}) {
    const Surface s = body_surface(round_body(kind));
    double volume = 0;
    for (const std::vector<int>& f : s.polygons)
      for (std::size_t i = 1; i + 1 < f.size(); ++i)
        volume += dot(s.points[f[0]], cross(s.points[f[i]], s.points[f[i + 1]])) / 6;
    const double exact = clarke::mass_properties(round_body(kind).shape, "b").volume;
    BOOST_TEST(volume < exact);
    BOOST_TEST(volume > 0.96 * exact);  // 24 sides, 12 latitudes
  }
}

BOOST_AUTO_TEST_CASE(impossible_sizes_are_refused) {
  for (Kind kind : {Kind::capsule, Kind::cylinder})
    for (bool height : {false, true}) {
      BodyDescription b = round_body(kind);
      (height ? b.shape.half_height : b.shape.radius) = 0;
      BOOST_CHECK_THROW(build_shapes(world_of(b)), InputError);
      BOOST_CHECK_THROW(clarke::mass_properties(b.shape, "b"), InputError);
    }
}

BOOST_AUTO_TEST_SUITE_END()
