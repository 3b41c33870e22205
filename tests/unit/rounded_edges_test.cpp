// Rounded polyhedra whose cores are apart touch where the cores are nearest, also where that is two edges side by side:
// the least gap is what the geometric verdict, which shares nothing with the detection, says of the same poses.

#include "tests/unit/contact_pairs.hpp"
#include "verdict/geometry/penetration_depth.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(rounded_edges)

namespace {

constexpr double kSame = 2 * kEqualLength;  // [m] of bodies of size one: faces that near are the nearest features

struct Shape {
  ConvexHull hull;
  Solid solid;
  Shape(const ConvexHull& h, double radius) : hull(h) {
    std::vector<std::vector<int>> faces;
    for (std::size_t f = 0; f + 1 < hull.loop_begin.size(); ++f)
      // a loop repeats its first corner
      faces.emplace_back(hull.loop.begin() + hull.loop_begin[f], hull.loop.begin() + hull.loop_begin[f + 1]);
    for (auto& face : faces)
      if (face.size() > 1 && face.front() == face.back()) face.pop_back();
    solid = hull_solid(hull.vertex, faces, radius, "shape");
  }
};

/// Gap of two solids as the verdict has it [m].
double true_gap(const Shape& a, const Pose& pa, const Shape& b, const Pose& pb) {
  PlacedSolid sa, sb;
  place(a.solid, pa.x, pa.q, sa);
  place(b.solid, pb.x, pb.q, sb);
  return -penetration_depth(sa, sb);
}

PairManifold touch(const Shape& a, const Pose& pa, const Shape& b, const Pose& pb, std::vector<Vec3>& normals) {
  PairManifold r;
  r.a = pa, r.b = pb;
  r.m.radius_a = a.solid.radius, r.m.radius_b = b.solid.radius;
  normals.resize(kMaxManifold);
  r.m.normals = normals.data();
  convex_convex(a.hull.shape(), b.hull.shape(), pa, pb, pa, pb, kMargin, r.m);
  return r;
}

}  // namespace

BOOST_AUTO_TEST_CASE(two_cards_that_lean_on_each_other_touch_at_both_ends_of_their_edges) {
  constexpr double kTilt = 0.35, kRadius = 0.001, kHalf = 0.049;
  const Shape card(box_hull({0.0005, 0.029, kHalf}, "card"), kRadius);
  for (double distance : {0.0015, 0.0018, 0.002, 0.0025}) {
    // tops of the inner edges at x = ± distance / 2
    const double x = 0.5 * distance + 0.0005 * std::cos(kTilt) + kHalf * std::sin(kTilt);
    const Pose left{{-x, 0, 0}, tilt({0, 1, 0}, kTilt)}, right{{x, 0, 0}, tilt({0, 1, 0}, -kTilt)};
    std::vector<Vec3> normals;
    const PairManifold r = touch(card, left, card, right, normals);
    int nearest = 0;
    for (int i = 0; i < r.count(); ++i) {
      if (r.gap(i) > distance - 2 * kRadius + kRounding) continue;
      ++nearest;
      BOOST_TEST(std::fabs(r.gap(i) - (distance - 2 * kRadius)) < kRounding);
      BOOST_TEST(norm(normals[i] - Vec3{-1, 0, 0}) < 1e-9);  // a direction of 1e-3 m, of positions of 0.1 m
      BOOST_TEST(std::fabs(std::fabs(r.world_a(i).y) - 0.029) < kRounding);
    }
    BOOST_TEST(nearest == 2);
  }
}

BOOST_AUTO_TEST_CASE(the_least_gap_is_that_of_the_verdict) {
  RandomSolids random(23);
  int touching = 0, beside = 0;
  for (int i = 0; i < 4000; ++i) {
    const double radius = random.number(0.02, 0.1);
    const auto shape = [&] {
      if (i % 2 == 0) return Shape(box_hull(Vec3{0.3, 0.3, 0.3} + random.in_cube(0.2), "box"), radius);
      const Vec3 to = random.in_cube(0.2);
      return Shape(convex_hull({{-0.4, -0.4, -0.3}, {0.5, -0.3, -0.3}, to - Vec3{0, -0.5, 0.3}, to + Vec3{0, 0, 0.5}},
                               "tetrahedron"),
                   radius);
    };
    const Shape a = shape(), b = shape();
    // every other pair has edges that are parallel, or nearly so
    const Vec3 axis{0, 1, 0};
    const auto turned = [&] { return i % 4 < 2 ? random.rotation() : tilt(axis, random.number(-3, 3)); };
    Pose pa{{}, turned()}, pb{random.in_cube(1), turned()};
    if (i % 8 == 7) pb.q = tilt(random.in_cube(1) + Vec3{0, 0, 2}, 1e-4) * pb.q;
    const double gap = true_gap(a, pa, b, pb);
    if (gap >= 0 || gap <= -2 * radius) continue;  // the verdict measures no gaps; cores that overlap
    ++touching;
    std::vector<Vec3> normals;
    const PairManifold features = touch(a, pa, b, pb, normals);
    const PairManifold clipped = collide(a.hull, pa, b.hull, pb, kMargin, 2 * radius);
    BOOST_TEST(std::fabs(features.least_gap() - gap) < kSame);
    BOOST_TEST(std::fabs(clipped.least_gap() - gap) < kSame);
    beside += features.count() > clipped.count();
  }
  BOOST_TEST(touching > 300);
  BOOST_TEST(beside > 20);
}

BOOST_AUTO_TEST_SUITE_END()
