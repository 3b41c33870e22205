// Depth of two solids against closed forms, against its own definition by translations and by other directions, and
// against the detector's signed distance, which shares no code with it.

#include "framework/error.hpp"
#include "physics/collision/convex_hull.hpp"
#include "physics/collision/narrow_phase/signed_distance.hpp"
#include "tests/property/random.hpp"
#include "verdict/geometry/penetration_depth.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(solid_overlap)

namespace {

/// Dozens of products of numbers below ten.
constexpr double kRounding = 1e-13;

Solid hull(const std::vector<Vec3>& points, double radius = 0) {
  const ConvexHull h = convex_hull(points, "hull");
  std::vector<std::vector<int>> faces;
  for (std::size_t f = 0; f + 1 < h.loop_begin.size(); ++f)
    faces.emplace_back(h.loop.begin() + h.loop_begin[f], h.loop.begin() + h.loop_begin[f + 1]);
  return hull_solid(h.vertex, faces, radius, "hull");
}

Solid box(const Vec3& half, double radius = 0) {
  std::vector<Vec3> points;
  for (int k = 0; k < 8; ++k)
    points.push_back({(k & 1 ? 1 : -1) * half.x, (k & 2 ? 1 : -1) * half.y, (k & 4 ? 1 : -1) * half.z});
  return hull(points, radius);
}

double depth(const Solid& a, const Vec3& xa, const Quat& qa, const Solid& b, const Vec3& xb, const Quat& qb) {
  PlacedSolid pa, pb;
  place(a, xa, qa, pa);
  place(b, xb, qb, pb);
  return penetration_depth(pa, pb);
}
double depth(const Solid& a, const Vec3& xa, const Solid& b, const Vec3& xb) { return depth(a, xa, {}, b, xb, {}); }

std::vector<Vec3> random_points(Random& random, int count) {
  std::vector<Vec3> out;
  for (int k = 0; k < count; ++k) out.push_back(0.5 * random.unit_vector());
  return out;
}

/// Extent of a hull with a ball along n.
double overlap_along(const Solid& a, const Vec3& xa, const Quat& qa, const Solid& b, const Vec3& xb, const Quat& qb,
                     const Vec3& n) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Vec3& p : a.points) low = std::fmin(low, dot(n, xa + rotate(qa, p)));
  for (const Vec3& p : b.points) high = std::fmax(high, dot(n, xb + rotate(qb, p)));
  return high - low + a.radius + b.radius;
}

}  // namespace

BOOST_AUTO_TEST_CASE(closed_forms) {
  const Solid cube = box({0.5, 0.5, 0.5}), ball = ball_solid(0.3), floor = plane_solid({0, 0, 1}, 0.1);
  BOOST_TEST(std::fabs(depth(ball, {0, 0, 0.55}, ball, {}) - 0.05) <= kRounding);
  BOOST_TEST(depth(ball, {0, 0, 0.7}, ball, {}) < 0);
  BOOST_TEST(std::fabs(depth(ball, {0, 0, 0}, ball, {}) - 0.6) <= kRounding);  // the same place
  BOOST_TEST(std::fabs(depth(cube, {0.9, 0.2, 0.1}, cube, {}) - 0.1) <= kRounding);
  BOOST_TEST(std::fabs(depth(cube, {0, 0, 0.5}, floor, {}) - 0.1) <= kRounding);
  BOOST_TEST(std::fabs(depth(ball, {0, 0, 0.35}, floor, {}) - 0.05) <= kRounding);
  // A ball beside a face, an edge and a corner of a cube.
  BOOST_TEST(std::fabs(depth(ball, {0.7, 0.1, 0.2}, cube, {}) - 0.1) <= kRounding);
  BOOST_TEST(std::fabs(depth(ball, {0.7, 0.7, 0.2}, cube, {}) - (0.3 - 0.2 * std::sqrt(2.0))) <= kRounding);
  BOOST_TEST(std::fabs(depth(ball, {0.6, 0.6, 0.6}, cube, {}) - (0.3 - 0.1 * std::sqrt(3.0))) <= kRounding);
  // Its centre inside: out by the nearest face.
  BOOST_TEST(std::fabs(depth(ball, {0.4, 0.1, 0}, cube, {}) - 0.4) <= kRounding);
  // Capsules: crossing at a distance, parallel, end to end; and one across an edge of a cube.
  const Solid capsule = segment_solid({}, {0, 0, 1}, 0.2);
  const Quat across = from_axis_angle({0, 1, 0}, std::acos(0.0));
  BOOST_TEST(std::fabs(depth(capsule, {0, 0.3, 0}, across, capsule, {}, {}) - 0.1) <= kRounding);
  BOOST_TEST(std::fabs(depth(capsule, {0.3, 0, 0.5}, capsule, {}) - 0.1) <= kRounding);
  BOOST_TEST(std::fabs(depth(capsule, {0, 0, 2.3}, capsule, {}) - 0.1) <= kRounding);
  BOOST_TEST(std::fabs(depth(capsule, {0.6, 0.6, 0}, cube, {}) - (0.2 - 0.1 * std::sqrt(2.0))) <= kRounding);
  // Cylinders: on a plane, cap on cap, side by side, one lying across another; by a search to 1e-12 rad, squared.
  const Solid can = cylinder_solid({}, {0, 0, 0.5}, 0.4, 0);
  BOOST_TEST(std::fabs(depth(can, {0, 0, 0.55}, floor, {}) - 0.05) <= kRounding);
  BOOST_TEST(std::fabs(depth(can, {0.1, 0.2, 0.98}, can, {}) - 0.02) <= kRounding);
  BOOST_TEST(std::fabs(depth(can, {0.75, 0, 0.3}, can, {}) - 0.05) <= kRounding);
  BOOST_TEST(std::fabs(depth(can, {0, 0.77, 0}, across, can, {}, {}) - 0.03) <= kRounding);
  BOOST_TEST(std::fabs(depth(can, {0.3, 0, 0.98}, cube, {}) - 0.02) <= kRounding);
}

// Moved by its depth along some direction the pair is just apart, and along no direction by less.
BOOST_AUTO_TEST_CASE(is_the_least_of_all_directions) {
  Random random(4);
  for (int i = 0; i < 300; ++i) {
    const double radius = i % 2 == 0 ? 0 : random.uniform(0, 0.2);
    const Solid a = hull(random_points(random, 10), radius), b = hull(random_points(random, 8), radius);
    const Quat qa = random.rotation(), qb = random.rotation();
    const Vec3 xa = random.vector(0.7), xb = random.vector(0.3);
    const double d = depth(a, xa, qa, b, xb, qb);
    double least = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 3000; ++k) least = std::fmin(least, overlap_along(a, xa, qa, b, xb, qb, random.unit_vector()));
    // Of what is apart only that is told.
    BOOST_TEST(d <= std::fmax(least, 0.0) + kRounding, "pair " << i);
    // Nearly as deep: thousands of directions come within some hundredths of the best.
    if (d > 0) BOOST_TEST(least <= d + 0.1, "pair " << i);
  }
}

BOOST_AUTO_TEST_CASE(agrees_with_the_detector_of_contacts) {
  Random random(6);
  double largest = 0;
  int overlapping = 0;
  for (int i = 0; i < 2000; ++i) {
    const ConvexHull ha = convex_hull(random_points(random, 12), "a"), hb = convex_hull(random_points(random, 9), "b");
    const Quat qa = random.rotation(), qb = random.rotation();
    const Vec3 xa = random.vector(0.6);
    const auto solid = [](const ConvexHull& h) {
      std::vector<std::vector<int>> faces;
      for (std::size_t f = 0; f + 1 < h.loop_begin.size(); ++f)
        faces.emplace_back(h.loop.begin() + h.loop_begin[f], h.loop.begin() + h.loop_begin[f + 1]);
      return hull_solid(h.vertex, faces, 0, "hull");
    };
    const double d = depth(solid(ha), xa, qa, solid(hb), {}, qb);
    const ConvexCore ca{CoreKind::vertices, {}, 0, ha.shape()}, cb{CoreKind::vertices, {}, 0, hb.shape()};
    const Separation s = signed_distance(place(ca, qa, xa), place(cb, qb, Vec3{}));
    if (!(s.distance < 0)) {
      BOOST_TEST(d <= kRounding);
      continue;
    }
    ++overlapping;
    largest = std::fmax(largest, std::fabs(d + s.distance));
  }
  BOOST_TEST(overlapping > 500);
  BOOST_TEST(largest <= 1e-12);  // two ways to the same number of order one
}

// Elements collapse on their way back from inversion: depths stay numbers.
// Of 10⁵ random pairs of cylinders the two that a search finds hardest: one that overlaps by nearly the same in all
// directions within 0.02 rad, and one where a place just outside of the difference is, as rounding has it, between four
// of its points.
BOOST_AUTO_TEST_CASE(cylinders_whose_direction_is_hard_to_find) {
  constexpr double kSearch = 1e-12;  // [m] the detector's, by Newton's method on the two rims
  const Solid a = cylinder_solid({}, {0.11169385986254088, -0.18483486133465074, -0.37799988189629086},
                                 0.14870860524212678, 0),
              b = cylinder_solid({}, {0.20970246702729248, -0.12589722223763952, 0.12352563232925273},
                                 0.29341045443280844, 0);
  BOOST_TEST(std::fabs(depth(a, {}, b, {-0.4608762752465458, 0.024883709367184814, 0.19921880553344298}) -
                       0.14812058381560061) <= kSearch);
  constexpr double kBall = 6;  // [m] reaches from one to the other
  const Solid c = cylinder_solid({}, {0, 0, 0.43025614133343482}, 0.22870071514712201, kBall),
              d = cylinder_solid({}, {0, 0, 0.22578222968750222}, 0.14908241276840736, 0);
  BOOST_TEST(std::fabs(kBall -
                       depth(c, {-0.52956833108270041, -0.31754048276039909, 0.014093977731143598},
                             {0.069802257342637494, 0.99563839442676783, -0.0049386036034850533, -0.061704478019085018},
                             d, {-0.071378144615185019, -0.073849124501889837, -0.00085338156224540329},
                             {0.55236658602185629, 0.4383237109384116, -0.49677137058373166, -0.50594632565530095}) -
                       0.016612654795565285) <= kSearch);
}

BOOST_AUTO_TEST_CASE(collapsed_triangles) {
  PlacedSolid cube, triangle, point;
  place(box({0.5, 0.5, 0.5}), {}, {}, cube);
  place_triangle({Vec3{0.4, 0, 0}, Vec3{0.4, 0, 0}, Vec3{0.4, 0, 0}}, 0, point);
  BOOST_TEST(std::fabs(penetration_depth(point, cube) - 0.1) <= kRounding);
  place_triangle({Vec3{0.4, 0, 0}, Vec3{0.4, 0.3, 0}, Vec3{0.4, 0.1, 0}}, 0.05, triangle);
  BOOST_TEST(std::fabs(penetration_depth(triangle, cube) - 0.15) <= kRounding);
  BOOST_TEST(std::fabs(penetration_depth(triangle, point) - 0.05) <= kRounding);
  BOOST_TEST(penetration_depth(point, point) == 0);
}

BOOST_AUTO_TEST_CASE(a_hull_that_is_none_is_refused) {
  const std::vector<Vec3> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}};
  BOOST_CHECK_THROW(hull_solid(points, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}, 0, "b"), InputError);
  BOOST_CHECK_THROW(hull_solid({points.begin(), points.begin() + 4}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}}, 0, "b"),
                    InputError);
}

// Corners from a single-precision file are off the planes of their faces by 6e-8.
BOOST_AUTO_TEST_CASE(hulls_of_single_precision_points) {
  const Quat turned = from_axis_angle(normalized(Vec3{0.3, -0.7, 0.2}), 0.8);
  std::vector<Vec3> points;
  for (int k = 0; k < 8; ++k) {
    const Vec3 x = rotate(turned, {k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k & 4 ? 0.5 : -0.5});
    points.push_back({static_cast<float>(x.x), static_cast<float>(x.y), static_cast<float>(x.z)});
  }
  const Solid cube = hull(points);
  constexpr double kSingle = 4e-7;  // of coordinates below one, on both sides of both bodies
  BOOST_TEST(std::fabs(depth(cube, {}, cube, rotate(turned, {0.9, 0.05, 0.02})) - 0.1) <= kSingle);
}

BOOST_AUTO_TEST_SUITE_END()
