// Volume, centre and inertia against closed forms, and their behaviour under motion and scaling.

#include "physics/collision/mass_properties.hpp"

#include "framework/error.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;

BOOST_AUTO_TEST_SUITE(mass_properties)

namespace {

/// Relative; sums of tens of products of numbers of size one to ten.
constexpr double kRounding = 1e-13;

ShapeDescription convex(std::vector<Vec3> points) {
  ShapeDescription shape;
  shape.kind = ShapeDescription::Kind::convex;
  shape.points = std::move(points);
  return shape;
}

ShapeDescription box(const Vec3& half) {
  ShapeDescription shape;
  shape.kind = ShapeDescription::Kind::box;
  shape.half = half;
  return shape;
}

double largest(const Mat3& m) {
  double value = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) value = std::max(value, std::fabs(m(i, j)));
  return value;
}

void check_close(const MassProperties& p, const MassProperties& q) {
  BOOST_TEST(std::fabs(p.volume - q.volume) <= kRounding * q.volume);
  BOOST_TEST(norm(p.centre - q.centre) <= kRounding * (1 + norm(q.centre)));
  BOOST_TEST(largest(p.inertia_per_density - q.inertia_per_density) <= kRounding * largest(q.inertia_per_density));
}

/// The same solid after x → R x + shift.
MassProperties moved(const MassProperties& p, const Quat& q, const Vec3& shift) {
  const Mat3 r = rotation_matrix(q);
  return {p.volume, r * p.centre + shift, r * p.inertia_per_density * transpose(r)};
}

}  // namespace

BOOST_AUTO_TEST_CASE(box_closed_form) {
  const MassProperties p = clarke::mass_properties(box({0.5, 1, 1.5}), "box");
  BOOST_TEST(p.volume == 6.0);
  // m/12 of the squared edges, with m the volume: edges 1, 2, 3
  check_close(p, {6, {}, Mat3::diagonal(0.5 * (4 + 9), 0.5 * (9 + 1), 0.5 * (1 + 4))});
}

BOOST_AUTO_TEST_CASE(box_as_hull) {
  const Vec3 half{0.5, 1, 1.5}, shift{3, -4, 5};
  const Quat q = normalized(Quat{1, 0.4, -0.2, 0.7});
  std::vector<Vec3> points = box_hull(half, "box").vertex;
  check_close(clarke::mass_properties(convex(points), "hull"), clarke::mass_properties(box(half), "box"));
  for (Vec3& x : points) x = rotate(q, x) + shift;
  check_close(clarke::mass_properties(convex(points), "hull"),
              moved(clarke::mass_properties(box(half), "box"), q, shift));
}

BOOST_AUTO_TEST_CASE(tetrahedron_closed_form) {
  // Solid tetrahedron: volume det/6, centre the mean of the corners, ∫ (x−c)(x−c)ᵀ = V/20 Σ (v−c)(v−c)ᵀ.
  const std::vector<Vec3> v{{0.1, 0.2, 0.3}, {1.4, 0.1, -0.2}, {0.3, 1.7, 0.1}, {-0.2, 0.4, 2.1}};
  const double volume = std::fabs(dot(v[1] - v[0], cross(v[2] - v[0], v[3] - v[0]))) / 6;
  const Vec3 c = 0.25 * (v[0] + v[1] + v[2] + v[3]);
  Mat3 second{};
  for (const Vec3& x : v) second = second + (volume / 20) * outer(x - c, x - c);
  const double t = trace(second);
  check_close(clarke::mass_properties(convex(v), "tetrahedron"), {volume, c, Mat3::diagonal(t, t, t) - second});
}

BOOST_AUTO_TEST_CASE(sphere_closed_form_and_limit_of_hulls) {
  ShapeDescription sphere;
  sphere.kind = ShapeDescription::Kind::sphere;
  sphere.radius = 2;
  const MassProperties p = clarke::mass_properties(sphere, "sphere");
  const double volume = 4.0 / 3.0 * M_PI * 8;
  check_close(p, {volume, {}, Mat3::diagonal(1.6 * volume, 1.6 * volume, 1.6 * volume)});

  // An inscribed polyhedron of many faces approaches it from inside.
  constexpr int kPoints = 400;
  constexpr double kGap = 0.03;  // relative volume between sphere and hull, ~ 4π/√3 over the number of faces
  std::vector<Vec3> points;
  for (int i = 0; i < kPoints; ++i) {
    const double z = 1 - (2.0 * i + 1) / kPoints,
                 angle = 2.399963229728653 * i;  // golden angle: even spread
    const double r = std::sqrt(1 - z * z);
    points.push_back(2.0 * Vec3{r * std::cos(angle), r * std::sin(angle), z});
  }
  const MassProperties hull = clarke::mass_properties(convex(points), "hull");
  BOOST_TEST(hull.volume < volume);
  BOOST_TEST(hull.volume > (1 - kGap) * volume);
}

BOOST_AUTO_TEST_CASE(shapes_without_volume) {
  ShapeDescription shape;
  BOOST_TEST(clarke::mass_properties(shape, "none").volume == 0);
  shape.kind = ShapeDescription::Kind::plane;
  BOOST_TEST(clarke::mass_properties(shape, "plane").volume == 0);
}

BOOST_AUTO_TEST_CASE(impossible_sizes_are_refused) {
  ShapeDescription sphere;
  sphere.kind = ShapeDescription::Kind::sphere;
  BOOST_CHECK_THROW(clarke::mass_properties(sphere, "s"), InputError);
  BOOST_CHECK_THROW(clarke::mass_properties(box({1, -1, 1}), "b"), InputError);
  BOOST_CHECK_THROW(clarke::mass_properties(convex({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), "c"), InputError);
}

BOOST_AUTO_TEST_SUITE_END()
