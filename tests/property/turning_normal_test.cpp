// Contacts whose normals turn with what they touch with (theory V7a): random pairs of spheres, capsules, cylinders,
// boxes and planes as detection finds them. Their gaps are distances of the shapes wherever these turn to, and rows and
// stiffness are derivatives of them.

#include "physics/collision/shapes.hpp"
#include "physics/contact/touching_features.hpp"
#include "tests/property/random.hpp"
#include "tests/property/taylor.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <limits>
#include <map>
#include <string>
#include <vector>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(turning_normal)

namespace {

// Some hundred operations on lengths of the size one.
constexpr double kRounding = 512 * std::numeric_limits<double>::epsilon();
constexpr double kSameGap = 1e-9;  // [m] as touching_features() takes it
constexpr double kMargin = 0.05;   // [m]
// First length of Taylor remainders: with 1e-3 third derivatives of rims that cross edges at small angles show.
constexpr double kFirst = 1e-4;

const std::vector<std::string> kShapes{"sphere", "capsule", "cylinder", "box", "plane"};

BodyDescription body(const std::string& shape) {
  using Kind = ShapeDescription::Kind;
  static const std::map<std::string, Kind> kinds{{"sphere", Kind::sphere},
                                                 {"capsule", Kind::capsule},
                                                 {"cylinder", Kind::cylinder},
                                                 {"box", Kind::box},
                                                 {"plane", Kind::plane}};
  BodyDescription b;
  b.name = shape;
  b.shape.kind = kinds.at(shape);
  b.shape.radius = 0.3;
  b.shape.half_height = 0.4;
  b.shape.half = {0.3, 0.4, 0.5};
  if (shape == "plane") b.motion = Motion::fixed;
  return b;
}

/// A contact of two shapes, and what it follows.
struct Found {
  std::string name;
  PlacedSide a, b;
  Vec3 n;
  double gap;
  TurningNormal turning;
};

struct Row {
  double gap;
  Vec3 n;
  std::array<Vec3, 4> J;
};

Row row_of(const Found& f) {
  Vec3 n;
  const ContactGeometry g =
      turning_geometry(f.turning, f.a.pose, f.b.pose, f.a.point, f.b.point, f.a.radius, f.b.radius, n);
  return {g.gap, n, {n, cross(g.arm_a, n), -n, -cross(g.arm_b, n)}};
}

Found moved(Found f, const std::array<Vec3, 4>& u, double e) {
  const auto turn = [e](const Quat& q, const Vec3& w) { return from_axis_angle(normalized(w), e * norm(w)) * q; };
  f.a.pose = {f.a.pose.x + e * u[0], turn(f.a.pose.q, u[1])};
  f.b.pose = {f.b.pose.x + e * u[2], turn(f.b.pose.q, u[3])};
  return f;
}

std::array<Vec3, 4> random_motion(Random& random) {
  return {random.unit_vector(), random.unit_vector(), random.unit_vector(), random.unit_vector()};
}

ShapeSet shapes_of(const std::string& a, const std::string& b) {
  World world;
  world.bodies = {body(a), body(b)};
  world.bodies[1].name += "_below";
  return build_shapes(world);
}

/// The nearest contacts of random poses of all pairs.
template <class Do>
void for_all_pairs(int poses, const Do& run) {
  Random random(7);
  for (const std::string& first : kShapes)
    for (const std::string& second : kShapes) {
      if (first == "plane") continue;
      const ShapeSet s = shapes_of(first, second);
      for (int k = 0; k < poses; ++k) {
        const Vec3 apart = random.unit_vector();
        Pose a{{}, random.rotation()}, b{{}, second == "plane" ? Quat{} : random.rotation()};
        const Vec3 up = second == "plane" ? Vec3{0, 0, 1} : apart;
        a.x = 3.0 * up;
        a.x -= (shape_distance(s, 0, a, 1, b).distance - random.uniform(-0.02, 0.02)) * up;
        a.x -= (shape_distance(s, 0, a, 1, b).distance - random.uniform(-0.02, 0.02)) * up;
        std::vector<ManifoldPoint> points(64);
        std::vector<Vec3> normals(64);
        Manifold m{points.data(), 64};
        m.normals = normals.data();
        find_contacts(s, {0, a, a}, {1, b, b}, kMargin, m);
        int nearest = -1;
        for (int i = 0; i < m.count; ++i)
          if (nearest < 0 || gap_of(m, i, a, b) < gap_of(m, nearest, a, b)) nearest = i;
        if (nearest < 0) continue;
        Found f{first + " on " + second,
                {0, a, points[nearest].point_a, m.radius_a},
                {1, b, points[nearest].point_b, m.radius_b},
                m.normal_of(nearest),
                gap_of(m, nearest, a, b),
                {}};
        f.turning = touching_features(TouchingPair(s, f.a, f.b, f.n));
        BOOST_TEST_CONTEXT(f.name << ' ' << k << " with " << static_cast<int>(f.turning.with)) run(s, f, random);
      }
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(nearly_all_contacts_turn_with_something) {
  std::map<std::string, std::array<int, 2>> count;
  for_all_pairs(100, [&](const ShapeSet&, const Found& f, Random&) {
    ++count[f.name][f.turning.with != TurnsWith::nothing];
    if (f.turning.with == TurnsWith::nothing) return;
    const Row row = row_of(f);
    BOOST_TEST(std::fabs(row.gap - f.gap) <= kSameGap);
    BOOST_TEST(norm(row.n - f.n) <= 1e-6);  // [rad] as touching_features() takes it
  });
  for (const auto& [name, of] : count) {
    BOOST_TEST_MESSAGE(name << ": " << of[1] << " of " << of[0] + of[1]);
    BOOST_TEST(of[1] >= 9 * of[0]);
  }
}

/// Spins of a radian, and a little of everything else: where the same features are the nearest.
BOOST_AUTO_TEST_CASE(gaps_are_distances_wherever_bodies_turn_to) {
  int same = 0, all = 0, points = 0;
  for_all_pairs(50, [&](const ShapeSet& s, const Found& f, Random& random) {
    if (f.turning.with == TurnsWith::nothing) return;
    Found there = moved(f, random_motion(random), 1e-3);
    const auto spin = [&](PlacedSide& side) {
      const ShapeKind kind = s.kind(side.collider);
      const Vec3 axis = kind == ShapeKind::sphere ? random.unit_vector() : Vec3{0, 0, 1};
      if (kind == ShapeKind::sphere || kind == ShapeKind::capsule || kind == ShapeKind::cylinder)
        side.pose.q = side.pose.q * from_axis_angle(axis, random.uniform(-1, 1));
    };
    spin(there.a), spin(there.b);
    const double distance = shape_distance(s, 0, there.a.pose, 1, there.b.pose).distance;
    ++all;
    same += std::fabs(row_of(there).gap - distance) <= kSameGap;
    points +=
        std::fabs(contact_geometry(there.a.pose, there.b.pose, f.a.point, f.b.point, f.a.radius, f.b.radius, f.n).gap -
                  distance) <= kSameGap;
  });
  BOOST_TEST_MESSAGE("gaps that are distances: " << same << " of " << all << ", of points and normals that do not "
                                                 << points);
  BOOST_TEST(all > 500);
  BOOST_TEST(same >= 0.9 * all);
  BOOST_TEST(points <= 0.2 * all);
}

/// An impulse on both bodies has neither momentum nor, as the gap is unchanged by a common rotation, angular momentum.
BOOST_AUTO_TEST_CASE(impulses_balance) {
  for_all_pairs(10, [](const ShapeSet&, const Found& f, Random&) {
    if (f.turning.with == TurnsWith::nothing) return;
    const Row row = row_of(f);
    const Vec3 angular = row.J[1] + row.J[3] + cross(f.a.pose.x, row.J[0]) + cross(f.b.pose.x, row.J[2]);
    BOOST_TEST(norm(angular) <= kRounding);
  });
}

BOOST_AUTO_TEST_CASE(rows_are_the_derivative_of_the_gap) {
  for_all_pairs(10, [](const ShapeSet&, const Found& f, Random& random) {
    if (f.turning.with == TurnsWith::nothing) return;
    const std::array<Vec3, 4> u = random_motion(random);
    const Row row = row_of(f);
    const double slope = taylor_slope(
        2,
        [&](double e) {
          const double along = dot(row.J[0], u[0]) + dot(row.J[1], u[1]) + dot(row.J[2], u[2]) + dot(row.J[3], u[3]);
          return std::fabs(row_of(moved(f, u, e)).gap - row.gap - e * along);
        },
        kFirst);
    BOOST_TEST(slope >= kTaylorSlope);
  });
}

BOOST_AUTO_TEST_CASE(stiffness_is_the_derivative_of_impulses) {
  for_all_pairs(10, [](const ShapeSet&, const Found& f, Random& random) {
    if (f.turning.with == TurnsWith::nothing) return;
    const std::array<Vec3, 4> u = random_motion(random);
    const double impulse = random.uniform(-2, 2), weight = random.uniform(0.1, 1);
    double K[kTurningSize * kTurningSize];
    turning_stiffness(f.turning, f.a.pose, f.b.pose, f.a.point, f.b.point, f.a.radius, f.b.radius, impulse, weight, K);
    const Row row = row_of(f);
    const double slope = taylor_slope(
        100,
        [&](double e) {
          const Row there = row_of(moved(f, u, e));
          double sum = 0;
          for (int k = 0; k < kTurningSize; ++k) {
            double change = 0;
            for (int by = 0; by < kTurningSize; ++by) change += K[k * kTurningSize + by] * u[by / 3][by % 3];
            sum += std::fabs(-weight * impulse * (there.J[k / 3][k % 3] - row.J[k / 3][k % 3]) - e * change);
          }
          return sum;
        },
        kFirst);
    BOOST_TEST(slope >= kTaylorSlope);
  });
}

BOOST_AUTO_TEST_SUITE_END()
