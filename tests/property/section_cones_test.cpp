// Cones whose section is no disc, as laws and strategies see them: the projection on the cone over a section, the laws
// that take one, the local solver of the sweeps.

#include "framework/sets/local_contact.hpp"
#include "framework/sets/section_cone.hpp"
#include "ncp/contact_laws/alart_curnier.hpp"
#include "ncp/contact_laws/jean_moreau.hpp"
#include "ncp/contact_laws/natural_map.hpp"
#include "physics/friction/cones/asymmetric.hpp"
#include "physics/friction/cones/polygon.hpp"
#include "tests/property/random.hpp"
#include "tests/property/taylor.hpp"
#include "verdict/contact_residuals.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(section_cones)

namespace {

constexpr double kPi = 3.14159265358979323846;
// A few dozen operations on numbers of the size of the argument; the root for the nearest point is found to rounding.
constexpr double kRounding = 256 * std::numeric_limits<double>::epsilon();

Pair2 random_pair(Random& random, double size) {
  const double angle = random.uniform(0, 2 * kPi);
  return {size * std::cos(angle), size * std::sin(angle)};
}
double length(const Pair2& p) { return std::hypot(p.x, p.y); }

}  // namespace

namespace {

/// Calls visit(name, section, μ): sections at unit radius and the coefficient that goes with them.
template <class Visit>
void for_all_sections(const Visit& visit) {
  visit("asymmetric", Asymmetric{0.2, 0.9, 0.4}.section(), 1.0);
  visit("scaled asymmetric", Asymmetric{0.5, 1, 0.8}.section(), 0.3);
  visit("thin", Asymmetric{1.2, 0.02, 0.5}.section(), 0.7);
  visit("triangle", Polygon{1, 3}.section(), 0.5);
  visit("octagon", Polygon{1, 8}.section(), 0.5);
}

Vec3 random_vector(Random& random, double size) { return size * random.unit_vector(); }

}  // namespace

BOOST_AUTO_TEST_CASE(cone_over_a_section_is_projected_on) {
  for_all_sections([](const char* name, const FrictionSection& c, double mu) {
    Random random(18);
    for (int i = 0; i < 400; ++i) {
      const double size = random.log_uniform(1e-2, 1e2);
      const Vec3 p = random_vector(random, size), x = project_on_section_cone(c, mu, p),
                 again = project_on_section_cone(c, mu, x);
      const Vec3 off = p - x;
      BOOST_TEST_CONTEXT(name << " p " << p.x << " " << p.y << " " << p.z) {
        // A thin section has a gauge of 50: so much more is rounding worth.
        constexpr double kThin = 100 * kRounding;
        BOOST_TEST(norm(again - x) <= kThin * size);
        BOOST_TEST(section_gauge(c, x.y, x.z) <= mu * x.x + kThin * size);
        BOOST_TEST(std::fabs(dot(off, x)) <= kThin * size * size);
        // p − Π p is in the polar cone: its product with every point of K is at most 0.
        for (int k = 0; k < 40; ++k) {
          const double angle = random.uniform(0, 2 * kPi), gauge = section_gauge(c, std::cos(angle), std::sin(angle));
          const Vec3 y{1, mu * std::cos(angle) / gauge, mu * std::sin(angle) / gauge};
          BOOST_TEST(dot(off, y) <= kThin * size);
        }
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(cone_over_a_section_has_the_derivative_that_laws_use) {
  for_all_sections([](const char* name, const FrictionSection& c, double mu) {
    Random random(19);
    int checked = 0;
    for (int i = 0; i < 200; ++i) {
      const Vec3 p = random_vector(random, 1), d = random_vector(random, 1);
      double P[9], near[9];
      const Vec3 x = project_on_section_cone(c, mu, p, P);
      constexpr double first = 1e-4;
      (void)project_on_section_cone(c, mu, p + first * d, near);
      double jump = 0;
      for (int e = 0; e < 9; ++e) jump = std::fmax(jump, std::fabs(near[e] - P[e]));
      if (jump > 0.02) continue;  // a seam between two faces, or between inside and outside
      const Vec3 slope{P[0] * d.x + P[1] * d.y + P[2] * d.z, P[3] * d.x + P[4] * d.y + P[5] * d.z,
                       P[6] * d.x + P[7] * d.y + P[8] * d.z};
      ++checked;
      BOOST_TEST_CONTEXT(name << " p " << p.x << " " << p.y << " " << p.z)
      BOOST_TEST(taylor_slope(
                     1 + norm(slope),
                     [&](double e) { return norm(project_on_section_cone(c, mu, p + e * d) - x - e * slope); },
                     first) >= kTaylorSlope);
    }
    BOOST_TEST(checked > 100);
  });
}

BOOST_AUTO_TEST_CASE(cone_over_a_disc_is_the_second_order_cone) {
  Random random(20);
  const FrictionSection round = Asymmetric{1, 1, 1}.section();
  for (int i = 0; i < 500; ++i) {
    const double mu = random.log_uniform(0.1, 2);
    const Vec3 p = random_vector(random, 1);
    BOOST_TEST(norm(project_on_section_cone(round, mu, p) - project_on_cone(p, mu)) <= kRounding);
  }
}

namespace {

/// F of a law at (ĉ, v_t, Λ).
template <class Law>
ContactBlock law_at(const FrictionSection& c, double mu, const std::array<double, 6>& x) {
  return Law{}({x[0], x[1], x[2], x[3], x[4], x[5], mu, 1.3, 0.8, &c});
}

template <class Law>
void check_law_on_sections(unsigned seed) {
  for_all_sections([seed](const char* name, const FrictionSection& c, double mu) {
    Random random(seed);
    int checked = 0;
    for (int i = 0; i < 200; ++i) {
      // Sliding with the force of maximal dissipation, open, and stuck inside the cone: roots.
      const Pair2 v = random_pair(random, random.log_uniform(1e-2, 10));
      const double normal = random.log_uniform(1e-2, 10);
      Pair2 at;
      section_maximiser(c, -v.x, -v.y, at.x, at.y);
      const double R = mu * normal, inside = random.uniform(0, 0.99);
      for (const std::array<double, 6>& root :
           {std::array{0.0, v.x, v.y, normal, R * at.x, R * at.y}, std::array{normal, v.x, v.y, 0.0, 0.0, 0.0},
            std::array{0.0, 0.0, 0.0, normal, inside * R * at.x, inside * R * at.y}}) {
        const ContactBlock f = law_at<Law>(c, mu, root);
        BOOST_TEST_CONTEXT(name)
        BOOST_TEST(std::hypot(f.f[0], f.f[1], f.f[2]) <= 1e4 * kRounding * (normal + length(v)));  // thin gauge
      }
      // Somewhere else A and B are its derivatives.
      std::array<double, 6> x{}, d{};
      for (int k = 0; k < 6; ++k) x[k] = random.uniform(-1, 1), d[k] = random.uniform(-1, 1);
      x[3] = std::fabs(x[3]);
      const auto moved = [&](double e) {
        std::array<double, 6> y = x;
        for (int k = 0; k < 6; ++k) y[k] += e * d[k];
        return law_at<Law>(c, mu, y);
      };
      constexpr double first = 1e-4;
      const ContactBlock f = moved(0), there = moved(first);
      double jump = 0;
      for (int e = 0; e < 9; ++e)
        jump = std::fmax(jump, std::fmax(std::fabs(there.A[e] - f.A[e]), std::fabs(there.B[e] - f.B[e])));
      if (jump > 0.02) continue;
      ++checked;
      BOOST_TEST_CONTEXT(name)
      BOOST_TEST(taylor_slope(
                     10,
                     [&](double e) {
                       const ContactBlock g = moved(e);
                       double sum = 0;
                       for (int r = 0; r < 3; ++r) {
                         double change = g.f[r] - f.f[r];
                         for (int k = 0; k < 3; ++k) change -= e * (f.A[3 * r + k] * d[k] + f.B[3 * r + k] * d[3 + k]);
                         sum += change * change;
                       }
                       return std::sqrt(sum);
                     },
                     first) >= kTaylorSlope);
    }
    BOOST_TEST(checked > 80);
  });
}

}  // namespace

BOOST_AUTO_TEST_CASE(laws_hold_on_sections) {
  check_law_on_sections<NaturalMap>(21);
  check_law_on_sections<AlartCurnier>(22);
  check_law_on_sections<JeanMoreau>(23);
}

BOOST_AUTO_TEST_CASE(local_solver_holds_on_sections) {
  for_all_sections([](const char* name, const FrictionSection& c, double mu) {
    Random random(24);
    for (int i = 0; i < 100; ++i) {
      // W = Q + Q Qᵀ-like: symmetric, positive definite, of moderate coupling, as of a body's corner.
      Mat3 W = Mat3::diagonal(random.uniform(1, 2), random.uniform(1, 2), random.uniform(1, 2));
      for (int r = 0; r < 3; ++r)
        for (int k = 0; k < r; ++k) W(r, k) = W(k, r) = random.uniform(-0.3, 0.3);
      const Vec3 q = random_vector(random, 1);
      const LocalSolution s = solve_local_section(W, q, mu, c, {});
      const Vec3 l = s.impulse, v = q + W * l;
      const ContactBlock f = law_at<JeanMoreau>(c, mu, {v.x, v.y, v.z, l.x, l.y, l.z});
      BOOST_TEST_CONTEXT(name << " q " << q.x << " " << q.y << " " << q.z)
      BOOST_TEST(std::hypot(f.f[0], f.f[1], f.f[2]) <= 1e-12);  // 200 projections that contract by a half or better
    }
  });
}

BOOST_AUTO_TEST_SUITE_END()
