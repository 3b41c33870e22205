// Contacts whose normals turn (theory V7a): gaps by their derivatives, the stiffness of impulses by theirs, and what is
// told from a normal that was seen twice.

#include "physics/contact/turning_normal.hpp"

#include "tests/property/random.hpp"
#include "tests/property/taylor.hpp"

#include <boost/test/unit_test.hpp>

#include <array>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(turning_normal)

namespace {

// Some hundred operations on numbers of the size one.
constexpr double kRounding = 512 * std::numeric_limits<double>::epsilon();
constexpr std::array kAll{TurnsWith::a, TurnsWith::b, TurnsWith::edges};

struct Contact {
  TurningNormal turning;
  Pose a, b;
  Vec3 pa, pb;
  double rho_a, rho_b;
};

Pose random_pose(Random& random) { return {random.vector(1), random.rotation()}; }

/// By velocities v_a, ω_a, v_b, ω_b for a unit of time, turns about fixed axes.
Contact moved(Contact c, const std::array<Vec3, 4>& u, double e) {
  const auto turned = [e](const Quat& q, const Vec3& w) { return from_axis_angle(normalized(w), e * norm(w)) * q; };
  c.a = {c.a.x + e * u[0], turned(c.a.q, u[1])};
  c.b = {c.b.x + e * u[2], turned(c.b.q, u[3])};
  return c;
}

Contact random_contact(Random& random, TurnsWith with) {
  return {{with, random.unit_vector(), random.unit_vector()},
          random_pose(random),
          random_pose(random),
          random.vector(1),
          random.vector(1),
          random.uniform(0, 0.1),
          random.uniform(0, 0.1)};
}

struct Row {
  double gap;
  Vec3 n;
  std::array<Vec3, 4> J;
};

Row row_of(const Contact& c) {
  Vec3 n;
  const ContactGeometry g = turning_geometry(c.turning, c.a, c.b, c.pa, c.pb, c.rho_a, c.rho_b, n);
  return {g.gap, n, {n, cross(g.arm_a, n), -n, -cross(g.arm_b, n)}};
}

std::array<Vec3, 4> random_motion(Random& random) {
  return {random.unit_vector(), random.unit_vector(), random.unit_vector(), random.unit_vector()};
}

double along(const std::array<Vec3, 4>& J, const std::array<Vec3, 4>& u) {
  return dot(J[0], u[0]) + dot(J[1], u[1]) + dot(J[2], u[2]) + dot(J[3], u[3]);
}

}  // namespace

BOOST_AUTO_TEST_CASE(rows_are_the_derivative_of_the_gap) {
  Random random(1);
  for (const TurnsWith with : kAll)
    for (int trial = 0; trial < 20; ++trial) BOOST_TEST_CONTEXT(static_cast<int>(with) << ' ' << trial) {
        const Contact c = random_contact(random, with);
        const std::array<Vec3, 4> u = random_motion(random);
        const Row row = row_of(c);
        const double slope = taylor_slope(1 + std::fabs(row.gap), [&](double e) {
          return std::fabs(row_of(moved(c, u, e)).gap - row.gap - e * along(row.J, u));
        });
        BOOST_TEST(slope >= kTaylorSlope);
      }
}

BOOST_AUTO_TEST_CASE(stiffness_is_the_derivative_of_impulses) {
  Random random(2);
  for (const TurnsWith with : kAll)
    for (int trial = 0; trial < 20; ++trial) BOOST_TEST_CONTEXT(static_cast<int>(with) << ' ' << trial) {
        const Contact c = random_contact(random, with);
        const std::array<Vec3, 4> u = random_motion(random);
        const double impulse = random.uniform(-2, 2), weight = random.uniform(0.1, 1);
        double K[kTurningSize * kTurningSize];
        turning_stiffness(c.turning, c.a, c.b, c.pa, c.pb, c.rho_a, c.rho_b, impulse, weight, K);
        const Row row = row_of(c);
        const double slope = taylor_slope(1, [&](double e) {
          const Row there = row_of(moved(c, u, e));
          double sum = 0;
          for (int k = 0; k < kTurningSize; ++k) {
            double change = 0;
            for (int by = 0; by < kTurningSize; ++by) change += K[k * kTurningSize + by] * u[by / 3][by % 3];
            sum += std::fabs(-weight * impulse * (there.J[k / 3][k % 3] - row.J[k / 3][k % 3]) - e * change);
          }
          return sum;
        });
        BOOST_TEST(slope >= kTaylorSlope);
      }
}

/// An impulse on both bodies has neither momentum nor, as the gap is unchanged by a common rotation, angular momentum.
BOOST_AUTO_TEST_CASE(impulses_balance) {
  Random random(3);
  for (const TurnsWith with : kAll)
    for (int trial = 0; trial < 20; ++trial) {
      const Contact c = random_contact(random, with);
      const Row row = row_of(c);
      const Vec3 angular = row.J[1] + row.J[3] + cross(c.a.x, row.J[0]) + cross(c.b.x, row.J[2]);
      BOOST_TEST(norm(angular) <= kRounding * (1 + norm(row.J[1]) + norm(row.J[3])));
    }
}

/// Of a corner over a face the gap is the distance to the plane of the face, and of two edges that of their lines.
BOOST_AUTO_TEST_CASE(gaps_are_distances) {
  Random random(4);
  for (int trial = 0; trial < 20; ++trial) {
    Contact c = random_contact(random, TurnsWith::b);
    const Vec3 corner = c.a.x + rotate(c.a.q, c.pa), n = rotate(c.b.q, c.turning.in_b);
    const Vec3 in_plane = c.b.x + rotate(c.b.q, c.pb + 3.0 * cross(c.turning.in_b, random.unit_vector()));
    BOOST_TEST(std::fabs(row_of(c).gap + c.rho_a + c.rho_b - dot(n, corner - in_plane)) <= kRounding);

    c = random_contact(random, TurnsWith::edges);
    const double before = row_of(c).gap;
    c.pa = c.pa + random.uniform(-2, 2) * c.turning.in_a;  // along the edges
    c.pb = c.pb + random.uniform(-2, 2) * c.turning.in_b;
    // The cross product of edges that are nearly parallel loses digits.
    const double parallel = norm(cross(rotate(c.a.q, c.turning.in_a), rotate(c.b.q, c.turning.in_b)));
    BOOST_TEST(std::fabs(row_of(c).gap - before) <= 4 * kRounding / parallel);
  }
}

BOOST_AUTO_TEST_CASE(two_normals_tell_what_they_turn_with) {
  constexpr double kTold = 1e-9;  // edges from normals that differ by a tenth of a radian and more
  Random random(5);
  int told = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const TurnsWith with = kAll[trial % 3];
    const Contact first = random_contact(random, with), second = moved(first, random_motion(random), 0.3),
                  third = moved(second, random_motion(random), 0.3);
    const auto seen = [](const Contact& c) { return seen_normal(c.a.q, c.b.q, row_of(c).n); };
    const TurningNormal turning = oriented(clarke::turning_normal(seen(first), seen(second), with == TurnsWith::edges),
                                           second.a.q, second.b.q, row_of(second).n);
    if (turning.with == TurnsWith::nothing) continue;  // edges that are nearly parallel
    ++told;
    BOOST_TEST((turning.with == with));
    Contact again = third;
    again.turning = turning;
    BOOST_TEST(norm(row_of(again).n - row_of(third).n) <= kTold);
  }
  BOOST_TEST(told > 180);
}

BOOST_AUTO_TEST_CASE(what_cannot_be_told_turns_with_nothing) {
  Random random(6);
  const Contact c = random_contact(random, TurnsWith::edges);
  const SeenNormal n = seen_normal(c.a.q, c.b.q, row_of(c).n);
  BOOST_TEST((clarke::turning_normal(n, n, true).with == TurnsWith::nothing));
  const Contact turned = moved(c, random_motion(random), 0.3), hardly = moved(c, random_motion(random), 1e-5);
  const auto told = [&](const Contact& second, bool edges) {
    return clarke::turning_normal(n, seen_normal(second.a.q, second.b.q, row_of(second).n), edges).with;
  };
  BOOST_TEST((told(turned, true) == TurnsWith::edges));
  BOOST_TEST((told(turned, false) == TurnsWith::nothing));  // of a sphere, say
  BOOST_TEST((told(hardly, true) == TurnsWith::nothing));
  // Edges that have come to be parallel have no normal of their own.
  const Vec3 e{1, 0, 0};
  const TurningNormal parallel{TurnsWith::edges, e, {1, 0.01, 0}};
  BOOST_TEST((oriented(parallel, Quat{}, Quat{}, {0, 0, 1}).with == TurnsWith::nothing));
}

BOOST_AUTO_TEST_SUITE_END()
