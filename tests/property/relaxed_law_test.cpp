// The relaxed law of one item: potentials and their slopes, curvatures and majorising weights; and that its impulses
// solve the law of the same rows with their compliance.

#include "framework/sets/relaxed_law.hpp"

#include "tests/property/random.hpp"
#include "tests/property/taylor.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <limits>
#include <vector>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(relaxed_law)

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr int kSamples = 300;
// A handful of operations on numbers of the size of the result.
constexpr double kRounding = 1e-13;
// Projections onto sections iterate to a few roundings.
constexpr double kSectionRounding = 1e-11;
// A step of 1e-3 of the argument may cross a kink of Huber or a section's corner: rare among random points.
constexpr double kSmoothShare = 0.95;
constexpr std::array<FrictionSmoothing, 3> kSmoothings{FrictionSmoothing::huber, FrictionSmoothing::pseudo_huber,
                                                       FrictionSmoothing::quintic};

}  // namespace

BOOST_AUTO_TEST_CASE(normal_potentials) {
  Random random(1);
  for (const double p : {2.0, 3.0, 4.0})
    for (int i = 0; i < kSamples; ++i) {
      const double v = -random.log_uniform(1e-3, 10), k = random.log_uniform(1e-2, 1e4), size = k * std::pow(-v, p);
      const NormalPotential at = normal_potential(v, k, p);
      const auto energy = [&](double e) { return normal_potential(v * (1 + e), k, p).energy; };
      const auto force = [&](double e) { return normal_potential(v * (1 + e), k, p).force; };
      BOOST_TEST(taylor_slope(size, [&](double e) { return std::fabs(energy(e) - at.energy + at.force * v * e); }) >
                 kTaylorSlope);
      BOOST_TEST(taylor_slope(size / -v, [&](double e) {
                   return std::fabs(force(e) - at.force + at.curvature * v * e);
                 }) > kTaylorSlope);
      BOOST_TEST(normal_potential(-v, k, p).force == 0);
      BOOST_TEST(normal_potential(-v, k, p).curvature == 0);
    }
  BOOST_TEST(std::isnan(normal_potential(NAN, 1, 2).force));
}

BOOST_AUTO_TEST_CASE(friction_potentials) {
  Random random(2);
  for (const FrictionSmoothing smoothing : kSmoothings) {
    int smooth = 0, all = 0;
    for (int i = 0; i < kSamples; ++i) {
      const double k = random.log_uniform(1e-2, 1e4), F = random.log_uniform(1e-3, 1e3),
                   s = F / k * random.log_uniform(1e-2, 1e2);
      const FrictionPotential at = friction_potential(smoothing, s, k, F);
      const double size = F * s;
      const auto slope = [&](double x) { return friction_potential(smoothing, x, k, F).weight * x; };
      const auto energy = [&](double x) { return friction_potential(smoothing, x, k, F).energy; };
      ++all;
      smooth += taylor_slope(size,
                             [&](double e) {
                               return std::fabs(energy(s * (1 + e)) - at.energy - at.weight * s * s * e);
                             }) > kTaylorSlope &&
                taylor_slope(F, [&](double e) {
                  return std::fabs(slope(s * (1 + e)) - at.weight * s - at.curvature * s * e);
                }) > kTaylorSlope;
      BOOST_TEST(at.weight * s <= F * (1 + kRounding));         // inside Coulomb's disc
      BOOST_TEST(at.weight <= k * (1 + kRounding));             // no stiffer than k
      BOOST_TEST(at.curvature <= at.weight * (1 + kRounding));  // w majorises
      for (const double other : {0.0, 0.3 * s, 0.9 * s, 1.1 * s, 3 * s, 30 * s})
        BOOST_TEST(energy(other) <=
                   at.energy + 0.5 * at.weight * (other * other - s * s) + kRounding * F * (s + other));
    }
    BOOST_TEST(smooth >= kSmoothShare * all);
    // Small slip: a spring of stiffness k. Large slip: Coulomb's force.
    BOOST_TEST(std::fabs(friction_potential(smoothing, 1e-9, 2, 3).weight / 2 - 1) <= 1e-6);
    BOOST_TEST(std::fabs(friction_potential(smoothing, 1e9, 2, 3).weight * 1e9 / 3 - 1) <= 1e-6);
    BOOST_TEST(friction_potential(smoothing, 1, 2, 0).weight == 0);
  }
}

namespace {

const FrictionSection kQuarters{SectionKind::quarters, 1, 0.4, 0.7, 1.3},
    kPentagon{SectionKind::polygon, 1, 1, 1, 1, 5, 0.2};

/// A contact with random μ over a disc, quarters or a pentagon, which takes no smoothing.
struct Contact {
  AdmissibleSet set;
  RelaxedContact law;
  std::array<double, 3> v{}, gamma{};
};

std::vector<Contact> random_contacts(Random& random) {
  std::vector<Contact> out;
  for (const FrictionSection* section : {(const FrictionSection*)nullptr, &kQuarters, &kPentagon})
    for (const FrictionSmoothing smoothing : kSmoothings)
      for (const int exponent : {2, 3, 4})
        for (int i = 0; i < kSamples / 6; ++i) {
          if (section == &kPentagon && smoothing != FrictionSmoothing::huber) continue;
          Contact c;
          c.set.rows = 3, c.set.kind = SetKind::cone, c.set.friction = random.uniform(0.1, 1.2);
          c.set.section = section;
          c.law = {exponent, smoothing};
          c.v = {-random.log_uniform(1e-2, 2), random.uniform(-1, 1), random.uniform(-1, 1)};
          const double friction = random.log_uniform(1e-2, 10);
          c.gamma = {random.log_uniform(1e-2, 10), friction, friction};
          out.push_back(c);
        }
  return out;
}

}  // namespace

/// Ψ at fixed radius has slope −p_t, p the derivative −T, the radius of p_n with it; and w majorises.
BOOST_AUTO_TEST_CASE(contacts_have_a_potential_at_fixed_radius) {
  Random random(5);
  int slopes = 0, derivatives = 0, all = 0;
  for (const Contact& c : random_contacts(random)) {
    std::array<double, 3> p{}, w{}, q{}, other{};
    std::array<double, 9> T{};
    (void)clarke::relaxed_law(c.set, c.law, c.v.data(), c.gamma.data(), p.data(), w.data());
    relaxed_tangent(c.set, c.law, c.v.data(), c.gamma.data(), p.data(), w.data(), T.data());
    const double radius = c.set.friction * p[0];
    const Vec3 d = random.unit_vector();
    const auto moved = [&](double e) {
      return std::array<double, 3>{c.v[0] * (1 + e * d.x), c.v[1] + e * d.y, c.v[2] + e * d.z};
    };
    const auto energy = [&](double e) {
      return friction_energy(c.set, c.law, moved(e).data(), c.gamma.data(), radius);
    };
    const double here = energy(0), slope = p[1] * d.y + p[2] * d.z;
    ++all;
    slopes += taylor_slope(radius, [&](double e) { return std::fabs(energy(e) - here + e * slope); }) > kTaylorSlope;
    derivatives += taylor_slope(p[0] + radius, [&](double e) {
                     const auto at = moved(e);
                     (void)clarke::relaxed_law(c.set, c.law, at.data(), c.gamma.data(), q.data(), other.data());
                     double off = 0;
                     for (int r = 0; r < 3; ++r) {
                       double change = q[r] - p[r];
                       for (int k = 0; k < 3; ++k) change += T[3 * r + k] * (at[k] - c.v[k]);
                       off = std::fmax(off, std::fabs(change));
                     }
                     return off;
                   }) > kTaylorSlope;
    if (c.set.section && c.law.smoothing == FrictionSmoothing::huber) continue;
    for (const double e : {0.01, 0.3, 1.0, 5.0}) {
      const double step2 = e * e * (d.y * d.y + d.z * d.z);
      BOOST_TEST(energy(e) <= here - e * slope + 0.5 * w[1] * step2 + kRounding * (here + radius * e));
    }
  }
  BOOST_TEST(slopes >= kSmoothShare * all);
  BOOST_TEST(derivatives >= kSmoothShare * all);
}

/// What Λ = p makes of v is a velocity at which the law of the rows holds, and another Λ is not.
BOOST_AUTO_TEST_CASE(impulses_solve_the_law_of_what_is_not_linear) {
  Random random(6);
  for (const Contact& c : random_contacts(random)) {
    std::array<double, 3> p{}, w{}, f{};
    const std::array<double, 3> metric{1, 1, 1};
    (void)clarke::relaxed_law(c.set, c.law, c.v.data(), c.gamma.data(), p.data(), w.data());
    const auto residual = [&](const std::array<double, 3>& impulse) {
      std::array<double, 3> v = c.v;
      add_compliance(c.law, c.set.section, c.set.friction, c.gamma.data(), impulse.data(), v.data());
      natural_map(c.set, v.data(), impulse.data(), metric.data(), f.data());
      return std::fmax(std::fabs(f[0]), std::hypot(f[1], f[2]));
    };
    const double size = 1 + 10 * norm(Vec3{p[0], p[1], p[2]}) + norm(Vec3{c.v[0], c.v[1], c.v[2]});
    BOOST_TEST(residual(p) <= kSectionRounding * size);
    // An impulse that is off by 1 % shows as itself, or as the velocity that it is off by.
    BOOST_TEST(residual({1.01 * p[0], p[1], p[2]}) > 1e-3 * std::fmin(-c.v[0], p[0]));
    if (c.law.smoothing != FrictionSmoothing::huber)
      BOOST_TEST(residual({p[0], 0.99 * p[1], 0.99 * p[2]}) > 1e-3 * std::hypot(p[1], p[2]) * std::fmin(1, 1 / w[1]));
  }
}

/// −(v + γ p) − s n ∈ N_K(p): the natural map of the rows with their compliance vanishes.
BOOST_AUTO_TEST_CASE(solves_the_law_with_compliance) {
  Random random(3);
  std::array<double, 3> lower{-kInf, 0, -0.5}, upper{kInf, kInf, 0.5};
  for (int kind = 0; kind < 4; ++kind)
    for (int i = 0; i < kSamples; ++i) {
      AdmissibleSet set;
      set.rows = 3;
      set.lower = lower.data(), set.upper = upper.data();
      if (kind > 0) set.kind = SetKind::cone, set.friction = random.uniform(0, 1.2);
      set.section = kind == 2 ? &kQuarters : kind == 3 ? &kPentagon : nullptr;
      std::array<double, 3> v{random.uniform(-2, 1), random.uniform(-1, 1), random.uniform(-1, 1)}, p{}, w{}, f{}, at{};
      const double normal = random.log_uniform(1e-2, 10), friction = random.log_uniform(1e-2, 10);
      const std::array<double, 3> gamma{normal, friction, friction};
      (void)clarke::relaxed_law(set, {}, v.data(), gamma.data(), p.data(), w.data());
      double size = 0;
      for (int r = 0; r < 3; ++r) at[r] = v[r] + gamma[r] * p[r], size += std::fabs(v[r]) + gamma[r] * std::fabs(p[r]);
      const std::array<double, 3> metric{1, 1, 1};
      natural_map(set, at.data(), p.data(), metric.data(), f.data());
      for (int r = 0; r < 3; ++r) {
        BOOST_TEST(std::fabs(f[r]) <= (kind > 1 ? kSectionRounding : kRounding) * (1 + size + std::fabs(p[r])) * 10);
        BOOST_TEST(w[r] >= 0);
        if (kind < 2)
          BOOST_TEST(std::fabs(p[r] + w[r] * v[r]) <= (r == 0 && kind == 1 ? kInf : kRounding * size * 100));
      }
    }
}

/// p = −∂Ψ/∂v of boxes, at points of all kinds.
BOOST_AUTO_TEST_CASE(boxes_have_a_potential) {
  Random random(4);
  std::array<double, 3> lower{-kInf, 0, -0.5}, upper{kInf, kInf, 0.5};
  AdmissibleSet set;
  set.rows = 3, set.lower = lower.data(), set.upper = upper.data();
  for (int i = 0; i < kSamples; ++i) {
    const std::array<double, 3> gamma{0.3, 2, 0.7};
    std::array<double, 3> v{random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)}, p{}, w{}, q{};
    const double here = clarke::relaxed_law(set, {}, v.data(), gamma.data(), p.data(), w.data());
    const Vec3 d = random.unit_vector();
    const auto remainder = [&](double e) {
      std::array<double, 3> x{v[0] + e * d.x, v[1] + e * d.y, v[2] + e * d.z};
      const double there = clarke::relaxed_law(set, {}, x.data(), gamma.data(), q.data(), w.data());
      return std::fabs(there - here + e * (p[0] * d.x + p[1] * d.y + p[2] * d.z));
    };
    BOOST_TEST(taylor_slope(10, remainder) > kTaylorSlope);  // Ψ is continuously differentiable
  }
}

BOOST_AUTO_TEST_SUITE_END()
