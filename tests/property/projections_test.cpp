// The projections that judge everything: onto Coulomb's cone and its disc, and the natural map built on them.

#include "tests/property/random.hpp"
#include "verdict/contact_residuals.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(projections)

namespace {

constexpr double kPi = 3.14159265358979323846;
// A few operations on numbers of the size of the argument.
constexpr double kRounding = 32 * std::numeric_limits<double>::epsilon();

const double kFriction[] = {0, 1e-3, 0.3, 1, 4, 1e3};

/// Points inside, outside, in the polar cone, on every boundary and at the apex.
std::vector<Vec3> cone_points(double mu) {
  std::vector<Vec3> points{{0, 0, 0},  {1, 0, 0},  {-1, 0, 0},  {0, 1, 0},
                           {0, 0, -1}, {1, mu, 0}, {-mu, 1, 0}, {-mu, 0, -1}};
  Random random(3);
  for (int i = 0; i < 300; ++i) points.push_back(random.log_uniform(1e-6, 1e6) * random.unit_vector());
  return points;
}

/// A point of the cone.
Vec3 in_cone(double n, double fraction, double angle, double mu) {
  return {n, fraction * mu * n * std::cos(angle), fraction * mu * n * std::sin(angle)};
}

double tangent(const Vec3& p) { return std::hypot(p.y, p.z); }

ContactQuantities quantities(Random& random, double mu) {
  ContactQuantities c{};
  c.mu = mu;
  c.wnn = random.log_uniform(1e-2, 1e2);
  c.w11 = c.wnn * random.uniform(0.5, 3);
  c.w22 = c.wnn * random.uniform(0.5, 3);
  return c;
}

}  // namespace

BOOST_AUTO_TEST_CASE(cone_idempotent_and_inside) {
  for (double mu : kFriction)
    for (const Vec3& p : cone_points(mu)) {
      const Vec3 q = project_on_cone(p, mu), again = project_on_cone(q, mu);
      BOOST_TEST_CONTEXT("mu " << mu << " p " << p.x << " " << p.y << " " << p.z) {
        BOOST_TEST(norm(again - q) <= kRounding * norm(p));
        BOOST_TEST(tangent(q) - mu * q.x <= kRounding * norm(p) * std::fmax(1, mu));
        BOOST_TEST(q.x >= 0);
        if (p.x >= 0 && tangent(p) <= mu * p.x) BOOST_TEST(norm(q - p) == 0);
      }
    }
}

// Moreau: p = Π_K(p) + Π_K°(p) with the two parts orthogonal, K° = {n ≤ −μ|t|} the polar cone.
BOOST_AUTO_TEST_CASE(cone_moreau) {
  for (double mu : kFriction)
    for (const Vec3& p : cone_points(mu)) {
      const Vec3 q = project_on_cone(p, mu), rest = p - q;
      BOOST_TEST_CONTEXT("mu " << mu << " p " << p.x << " " << p.y << " " << p.z) {
        BOOST_TEST(std::fabs(dot(q, rest)) <= kRounding * norm2(p));
        BOOST_TEST(rest.x + mu * tangent(rest) <= kRounding * norm(p) * std::fmax(1, mu));
        if (mu > 0) {  // Π_K° through the dual cone, which is Coulomb's with 1/μ
          const Vec3 polar = -project_on_cone(-p, 1 / mu);
          BOOST_TEST(norm(polar - rest) <= kRounding * norm(p));
        }
      }
    }
}

BOOST_AUTO_TEST_CASE(cone_nearest) {
  for (double mu : kFriction)
    for (const Vec3& p : cone_points(mu)) {
      const double distance = norm(p - project_on_cone(p, mu)), size = norm(p);
      double best = size;  // the apex
      for (int i = 1; i <= 40; ++i)
        for (int k = 0; k < 40; ++k)
          for (double fraction : {0.0, 0.7, 1.0})
            best = std::fmin(best, norm(p - in_cone(i * size / 40, fraction, k * kPi / 20, mu)));
      BOOST_TEST_CONTEXT("mu " << mu << " p " << p.x << " " << p.y << " " << p.z)
      BOOST_TEST(distance <= best * (1 + kRounding) + kRounding * size);
    }
}

BOOST_AUTO_TEST_CASE(cone_nearest_along_its_boundary) {
  // Where the brute force above is too coarse to see an error: the projection cannot be improved by a small move.
  constexpr double kMove = 1e-4;
  Random random(4);
  for (double mu : {0.3, 1.0, 4.0})
    for (int i = 0; i < 200; ++i) {
      const Vec3 p = random.unit_vector(), q = project_on_cone(p, mu);
      for (int k = 0; k < 30; ++k) {
        const Vec3 near = project_on_cone(q + kMove * random.unit_vector(), mu);
        BOOST_TEST(norm(p - q) <= norm(p - near) * (1 + kRounding));
      }
    }
}

BOOST_AUTO_TEST_CASE(disc) {
  Random random(5);
  for (double radius : {0.0, 1e-9, 0.3, 1.0, 1e6})
    for (int i = 0; i < 300; ++i) {
      const double size = random.log_uniform(1e-3, 1e3) * std::fmax(radius, 1e-9), angle = random.uniform(0, 2 * kPi);
      const double p1 = size * std::cos(angle), p2 = size * std::sin(angle);
      double q1 = p1, q2 = p2;
      project_on_disc(q1, q2, radius);
      BOOST_TEST(std::hypot(q1, q2) <= radius * (1 + kRounding));
      if (std::hypot(p1, p2) <= radius) BOOST_TEST((q1 == p1 && q2 == p2));
      double r1 = q1, r2 = q2;
      project_on_disc(r1, r2, radius);
      BOOST_TEST(std::hypot(r1 - q1, r2 - q2) <= kRounding * radius);
      for (int k = 0; k < 100; ++k) {
        const double s = radius * std::sqrt(random.uniform(0, 1)), a = random.uniform(0, 2 * kPi);
        const double y1 = s * std::cos(a), y2 = s * std::sin(a);
        BOOST_TEST(std::hypot(p1 - q1, p2 - q2) <= std::hypot(p1 - y1, p2 - y2) + kRounding * size);
        // (p − Π p)·(y − Π p) ≤ 0 for all y of the disc: what makes it the projection.
        BOOST_TEST((p1 - q1) * (y1 - q1) + (p2 - q2) * (y2 - q2) <= kRounding * size * (size + radius));
      }
    }
}

BOOST_AUTO_TEST_CASE(verdict_of_exact_solutions) {
  Random random(6);
  for (double mu : {0.0, 0.3, 1.0, 4.0})
    for (int i = 0; i < 300; ++i) {
      ContactQuantities c = quantities(random, mu);
      const double angle = random.uniform(0, 2 * kPi);
      ContactStatus expected = ContactStatus::open;
      if (i % 3 == 0) {
        c.gap_velocity = random.log_uniform(1e-3, 1e1);
        c.v1 = random.uniform(-3, 3), c.v2 = random.uniform(-3, 3);
      } else {
        c.ln = random.log_uniform(1e-3, 1e3);
        const bool slips = i % 3 == 2;
        const double friction = mu * c.ln * (slips ? 1 : random.uniform(0, 0.99));
        c.l1 = friction * std::cos(angle), c.l2 = friction * std::sin(angle);
        if (slips) {
          const double speed = random.log_uniform(1e-3, 1e1);
          c.v1 = -speed * std::cos(angle), c.v2 = -speed * std::sin(angle);
        }
        expected = slips ? ContactStatus::slip : ContactStatus::stick;
      }
      const ContactResiduals r = contact_residuals(c);
      const double impulse = norm(Vec3{c.ln, c.l1, c.l2}) + r.natural_scale;
      const double velocity = impulse * (c.wnn + c.w11 + c.w22);
      BOOST_TEST_CONTEXT("mu " << mu << " sample " << i) {
        BOOST_TEST(r.complementarity <= kRounding * velocity);
        BOOST_TEST(r.friction <= kRounding * velocity);
        BOOST_TEST(r.natural_map <= kRounding * impulse * std::fmax(1, mu));
        BOOST_TEST(r.cone_excess <= kRounding * impulse);
        BOOST_TEST(r.desaxce_gap <= kRounding * impulse * velocity * std::fmax(1, mu));
        BOOST_TEST(static_cast<int>(r.status) == static_cast<int>(expected));
      }
    }
}

BOOST_AUTO_TEST_CASE(verdict_sees_every_kind_of_error) {
  Random random(7);
  for (int i = 0; i < 100; ++i) {
    ContactQuantities slip = quantities(random, 0.5);
    slip.ln = random.log_uniform(1e-2, 1e2);
    slip.l1 = 0.5 * slip.ln;
    slip.v1 = -slip.wnn * slip.ln;
    const double impulse = 0.1 * slip.ln, velocity = 0.1 * slip.wnn * slip.ln;
    std::vector<ContactQuantities> wrong(8, slip);
    wrong[0].gap_velocity = -velocity;  // penetrates
    wrong[1].gap_velocity = velocity;   // pushes at a distance
    wrong[2].l1 += impulse;             // outside the cone
    wrong[3].l1 -= impulse;             // slips with the cone unused
    wrong[4].v1 = velocity;             // pushed along by friction
    wrong[5].v2 = velocity;             // not opposed
    wrong[6].ln = -slip.ln;             // pulls
    wrong[7].l2 = impulse;              // crosswise
    for (const ContactQuantities& c : wrong) {
      const ContactResiduals r = contact_residuals(c);
      constexpr double kSeen = 1e-3;  // of a tenth of the impulse, whatever W is
      BOOST_TEST(r.natural_map > kSeen * impulse);
      BOOST_TEST(r.complementarity + r.friction > kSeen * velocity);
    }
    BOOST_TEST(contact_residuals(wrong[2]).cone_excess > 0);
    BOOST_TEST(contact_residuals(wrong[6]).cone_excess > 0);
  }
}

BOOST_AUTO_TEST_CASE(verdict_of_nan_is_nan) {
  ContactQuantities c{};
  c.wnn = c.w11 = c.w22 = 1;
  c.mu = 0.5;
  c.ln = std::numeric_limits<double>::quiet_NaN();
  const ContactResiduals r = contact_residuals(c);
  BOOST_TEST(std::isnan(r.natural_map));
}

BOOST_AUTO_TEST_SUITE_END()
