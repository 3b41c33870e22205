// The relaxed law of one item: potentials and their slopes, curvatures and majorising weights; and that its impulses
// solve the law of the same rows with their compliance.

#include "framework/sets/relaxed_law.hpp"

#include "tests/property/random.hpp"
#include "tests/property/taylor.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <limits>

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

/// −(v + γ p) − s n ∈ N_K(p): the natural map of the rows with their compliance vanishes.
BOOST_AUTO_TEST_CASE(solves_the_law_with_compliance) {
  Random random(3);
  std::array<double, 3> lower{-kInf, 0, -0.5}, upper{kInf, kInf, 0.5};
  FrictionSection quarters{SectionKind::quarters, 1, 0.4, 0.7, 1.3}, pentagon;
  pentagon.kind = SectionKind::polygon, pentagon.corners = 5, pentagon.angle = 0.2;
  for (int kind = 0; kind < 4; ++kind)
    for (int i = 0; i < kSamples; ++i) {
      AdmissibleSet set;
      set.rows = 3;
      set.lower = lower.data(), set.upper = upper.data();
      if (kind > 0) set.kind = SetKind::cone, set.friction = random.uniform(0, 1.2);
      set.section = kind == 2 ? &quarters : kind == 3 ? &pentagon : nullptr;
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
