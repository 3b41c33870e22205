// Points of a patch that stay: corners and the deepest, whatever the rounding and the order.

#include "physics/collision/manifold_reduction.hpp"

#include "framework/math/mat3.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <random>
#include <vector>

using namespace clarke;

BOOST_AUTO_TEST_SUITE(manifold_reduction)

namespace {

/// Features of what stays of points (x, y) at gap g, given in that order, seen with a normal in some direction and with
/// noise.
struct Dot {
  double x, y, gap;
};
std::vector<std::uint32_t> kept(const std::vector<Dot>& dots, const Quat& turn, double noise, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> number(-noise, noise);
  const Pose a{rotate(turn, {0, 0, 1}), turn}, b{{}, turn};
  std::vector<ManifoldPoint> points;
  for (const Dot& d : dots) {
    const Vec3 jitter{number(random), number(random), number(random)};
    const Vec3 on_b = Vec3{d.x, d.y, 0} + jitter;
    points.push_back({on_b + Vec3{0, 0, d.gap - 1}, on_b, static_cast<std::uint32_t>(points.size())});
  }
  Manifold m{points.data(), static_cast<int>(points.size())};
  m.normal = rotate(turn, {0, 0, 1});
  m.count = m.capacity;
  reduce_manifold(m, a, b);
  std::vector<std::uint32_t> out;
  for (int i = 0; i < m.count; ++i) out.push_back(points[i].feature);
  return out;
}

void expect(const std::vector<Dot>& dots, const std::vector<std::uint32_t>& expected) {
  for (const Quat& turn : {Quat{}, normalized(Quat{1, 2, -3, 0.5}), normalized(Quat{0.1, 1, 0, 0})})
    for (const double noise : {0.0, 1e-13, 1e-10})  // below any of the thresholds: nothing may change
      for (unsigned seed = 1; seed < 6; ++seed)
        BOOST_TEST(kept(dots, turn, noise, seed) == expected, boost::test_tools::per_element());
}

}  // namespace

BOOST_AUTO_TEST_CASE(few_points_stay) {
  expect({}, {});
  expect({{0, 0, 0}}, {0});
  expect({{0, 0, 0}, {1, 0, 0}}, {0, 1});
  expect({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {0, 1, 2});
}

BOOST_AUTO_TEST_CASE(corners_of_a_patch) {
  std::vector<Dot> grid;
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 5; ++i) grid.push_back({0.1 * i, 0.3 * j, 0.0});
  expect(grid, {0, 4, 15, 19});
  std::vector<Dot> circle;
  for (int i = 0; i < 24; ++i) circle.push_back({std::cos(0.26 * i), std::sin(0.26 * i), 0.001});
  circle.push_back({0.5, 0.5, 0.001});
  std::vector<std::uint32_t> all(24);
  for (unsigned i = 0; i < 24; ++i) all[i] = i;
  expect(circle, all);
}

BOOST_AUTO_TEST_CASE(points_on_a_line) {
  expect({{0.3, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0.7, 0, 0}}, {1, 2});
  expect({{0.3, 0.3, 0}, {2, 2, 0}, {-1, -1, 0}, {0.7, 0.7, 0}}, {1, 2});
}

BOOST_AUTO_TEST_CASE(points_at_one_place) {
  expect({{0, 0, 0}, {0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {0, 2, 4});
}

BOOST_AUTO_TEST_CASE(the_deepest_stays) {
  const std::vector<Dot> square{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5, 0.5, -0.01}};
  expect(square, {0, 1, 2, 3, 4});
  std::vector<Dot> flat = square;
  flat[4].gap = 0;
  expect(flat, {0, 1, 2, 3});
  flat[4].gap = 0.02;
  flat[2].gap = -0.01;
  expect(flat, {0, 1, 2, 3});
}

// What stays depends neither on the order of the points nor on anything but the set.
BOOST_AUTO_TEST_CASE(any_order) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> number(-1, 1);
  for (int pass = 0; pass < 50; ++pass) {
    std::vector<Dot> dots;
    for (int i = 0; i < 12; ++i) dots.push_back({number(random), number(random), 0.01 * number(random)});
    std::vector<int> order(12);
    for (int i = 0; i < 12; ++i) order[i] = i;
    const auto first = kept(dots, {}, 0, 1);
    BOOST_TEST(first.size() >= 3U);
    std::shuffle(order.begin(), order.end(), random);
    std::vector<Dot> mixed;
    for (int i : order) mixed.push_back(dots[i]);
    std::vector<std::uint32_t> back;
    for (std::uint32_t i : kept(mixed, {}, 0, 1)) back.push_back(static_cast<std::uint32_t>(order[i]));
    std::sort(back.begin(), back.end());
    BOOST_TEST(back == first, boost::test_tools::per_element());
  }
}

BOOST_AUTO_TEST_SUITE_END()
