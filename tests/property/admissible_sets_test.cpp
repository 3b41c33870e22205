// Admissible sets: what every set of impulses must obey, whatever kind of row it belongs to.

#include "framework/sets/admissible_set.hpp"
#include "framework/sets/local_solution.hpp"
#include "framework/sets/resolvent.hpp"
#include "tests/property/random.hpp"
#include "tests/property/taylor.hpp"

#include <boost/test/unit_test.hpp>

#include <array>
#include <limits>
#include <string>
#include <vector>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(admissible_sets)

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
// Iterative projections onto sections end at a few roundings of the argument; the others are exact to one or two.
constexpr double kRounding = 1e-13;
constexpr int kSamples = 200;
// Where a step of 1e-3 of the argument crosses a kink the remainder is of first order: rare among random points.
constexpr double kSmoothShare = 0.95;
// The map is a difference of a handful of terms of this size, each with its own rounding.
constexpr double kTerms = 100;
// Boxes and discs: coordinate descent, W has eigenvalues between 0.5 and 3.5; far more sweeps than it needs.
constexpr int kLocalSweeps = 400;
// Cones over sections: projections in turn converge linearly, and a call makes at most 200 of them.
constexpr double kLocal = 1e-10;

using Vector = std::array<double, 3>;

/// Bounds and section live here, so that a set may point at them.
struct Sample {
  std::string name;
  Vector lower{-kInf, -kInf, -kInf}, upper{kInf, kInf, kInf};
  FrictionSection section{};
  AdmissibleSet set;
};

std::vector<Sample> samples() {
  std::vector<Sample> out(8);
  out[0].name = "whole space";
  out[1].name = "half-lines", out[1].lower = {0, -kInf, 0}, out[1].upper = {kInf, 0, kInf};
  out[2].name = "intervals", out[2].lower = {-1, 0, -0.5}, out[2].upper = {2, 0, 0.5};
  out[3].name = "disc", out[3].lower = {-0.3, -0.7, -0.7}, out[3].upper = {0.3, 0.7, 0.7};
  for (int i = 4; i < 8; ++i) out[i].set.kind = SetKind::cone;
  out[3].set.kind = SetKind::disc;
  out[4].name = "cone", out[4].set.friction = 0.6;
  out[5].name = "cone without friction", out[5].set.friction = 0;
  out[6].name = "cone over quarters", out[6].set.friction = 0.8,
  out[6].section = {SectionKind::quarters, 1, 0.4, 0.7, 1.3};
  out[7].name = "cone over a pentagon", out[7].set.friction = 0.5;
  out[7].section.kind = SectionKind::polygon, out[7].section.corners = 5, out[7].section.angle = 0.2;
  return out;
}

/// Calls f(name, set) for every set.
template <class F>
void for_every_set(const F& f) {
  for (Sample& s : samples()) {
    s.set.rows = 3;
    if (s.set.kind == SetKind::cone) {
      if (s.name.find("over") != std::string::npos) s.set.section = &s.section;
    } else {
      s.set.lower = s.lower.data();
      s.set.upper = s.upper.data();
    }
    BOOST_TEST_CONTEXT(s.name) { f(s.set); }
  }
}

Vector projected(const AdmissibleSet& set, Vector p) {
  project(set, p.data());
  return p;
}
Vector difference(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
double product(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
double size(const Vector& a) { return std::sqrt(product(a, a)); }
Vector random_point(Random& random) {
  const Vec3 v = random.log_uniform(1e-3, 1e2) * random.unit_vector();
  return {v.x, v.y, v.z};
}
/// Calls f(cone) for that of a disc and that of a section.
template <class F>
void for_disc_and_section(const F& f) {
  const FrictionSection ellipses{SectionKind::quarters, 1, 0.5, 0.8, 1.5, 0, 0};
  for (const FrictionSection* section : {static_cast<const FrictionSection*>(nullptr), &ellipses}) {
    AdmissibleSet set;
    set.kind = SetKind::cone, set.rows = 3, set.friction = 0.6, set.section = section;
    BOOST_TEST_CONTEXT((section ? "section" : "disc")) { f(set); }
  }
}

}  // namespace

// Π is idempotent, and p − Π(p) makes an obtuse angle with the way to any other point of the set: it is the nearest.
BOOST_AUTO_TEST_CASE(projection_is_the_nearest_point) {
  for_every_set([](const AdmissibleSet& set) {
    Random random(7);
    for (int i = 0; i < kSamples; ++i) {
      const Vector p = random_point(random), q = projected(set, p), other = projected(set, random_point(random));
      BOOST_TEST(size(difference(projected(set, q), q)) <= kRounding * size(p));
      BOOST_TEST(product(difference(p, q), difference(other, q)) <= 20 * kRounding * size(p) * (size(p) + size(other)));
    }
  });
}

// Taylor: the remainder of Π is of second order where Π is smooth. Sets are cones and boxes: almost everywhere.
BOOST_AUTO_TEST_CASE(derivative_by_taylor_slope) {
  for_every_set([](const AdmissibleSet& set) {
    Random random(11);
    int smooth = 0;
    for (int i = 0; i < kSamples; ++i) {
      const Vector p = random_point(random), d = random_point(random);
      double P[9];
      projection_derivative(set, p.data(), P);
      const auto remainder = [&](double e) {
        const double scale = e * size(p) / size(d);
        Vector at = p, linear = projected(set, p);
        for (int r = 0; r < 3; ++r) {
          at[r] += scale * d[r];
          for (int c = 0; c < 3; ++c) linear[r] += scale * P[3 * r + c] * d[c];
        }
        return size(difference(projected(set, at), linear)) / size(p);
      };
      const double far = remainder(1e-3), near = remainder(1e-4);
      constexpr double kNoise = 1e-12;                 // of the iterative projections
      smooth += near <= kNoise || near <= 0.02 * far;  // a hundredth where the order is two
    }
    BOOST_TEST(smooth >= kSmoothShare * kSamples, smooth << " of " << kSamples << " points");
  });
}

// A NaN is not projected away: what comes out has one, too, where the row is bounded.
BOOST_AUTO_TEST_CASE(nan_stays) {
  for_every_set([](const AdmissibleSet& set) {
    for (int r = 0; r < 3; ++r) {
      Vector p{1, -2, 0.5};
      p[r] = std::numeric_limits<double>::quiet_NaN();
      const Vector out = projected(set, p);
      BOOST_TEST((std::isnan(out[0]) || std::isnan(out[1]) || std::isnan(out[2])));
    }
  });
}

// One proximal step of a contact obeys Coulomb's law at ṽ = v + c (p − r), and its tangent is positive semidefinite in
// the rows of friction, whatever estimate it is made with.
BOOST_AUTO_TEST_CASE(resolvent_obeys_coulombs_law) {
  for_disc_and_section([](const AdmissibleSet& set) {
    Random random(29);
    int states[3] = {};
    for (int i = 0; i < kSamples; ++i) {
      const Vector r = random_point(random), v = random_point(random), estimate = random_point(random);
      // A section is projected onto in the plain metric of its two rows, as a disc is: any c_t will do.
      const double k = random.log_uniform(1e-1, 1e1), c_n = random.log_uniform(1e-2, 1e2);
      const double c[3] = {c_n, k * c_n, k * c_n};
      Vector p{}, w{};
      double D[9];
      resolvent(set, r.data(), v.data(), c, estimate.data() + 1, p.data(), D);
      for (int e = 0; e < 3; ++e) w[e] = v[e] + c[e] * (p[e] - r[e]);
      const double rounding = kTerms * kRounding * (size(v) + c_n * (1 + k) * (size(p) + size(r)));
      BOOST_TEST(p[0] >= 0);
      BOOST_TEST(w[0] >= -rounding);
      BOOST_TEST(std::fabs(std::fmin(p[0], w[0] / c_n)) <= rounding / c_n);
      const double radius = set.friction * p[0];
      // Friction is in its set, and takes the most from the slip ṽ_t: p_t·ṽ_t = −R σ(−ṽ_t).
      const double gauge = set.section ? section_gauge(*set.section, p[1], p[2]) : std::hypot(p[1], p[2]);
      BOOST_TEST(gauge <= radius + kTerms * kRounding * size(p));
      const double taken = p[1] * w[1] + p[2] * w[2], most = radius * unit_dissipation(set.section, w[1], w[2]);
      BOOST_TEST(std::fabs(taken + most) <= 2 * rounding * (radius + size(p)) + kTerms * kRounding * most);
      const bool slides = p[0] > 0 && std::hypot(w[1], w[2]) > kTerms * rounding;
      ++states[p[0] > 0 ? 1 + slides : 0];
      BOOST_TEST(D[4] + D[8] >= 0);
      BOOST_TEST(D[4] * D[8] - D[5] * D[7] >= -kRounding * (1 + D[4] * D[4] + D[8] * D[8]));
    }
    for (const int state : states) BOOST_TEST(state > kSamples / 50);  // open, sticks, slides: each takes part
    // A NaN stays one; a contact that neither presses nor moves gives nothing.
    const double still[3] = {0, 0, 0}, one[3] = {1, 1, 1}, broken[3] = {kInf - kInf, 0, 0};
    double D[9];
    Vector p{};
    resolvent(set, still, still, one, still, p.data(), D);
    BOOST_TEST(size(p) == 0);
    resolvent(set, still, broken, one, still, p.data(), D);
    BOOST_TEST(std::isnan(p[0] + p[1] + p[2]));
  });
}

// The tangent is the derivative where the estimate of friction is friction itself.
BOOST_AUTO_TEST_CASE(resolvent_and_its_tangent) {
  for_disc_and_section([](const AdmissibleSet& set) {
    Random random(31);
    int kinks = 0;
    for (int i = 0; i < kSamples; ++i) {
      const Vector r = random_point(random), v = random_point(random), d = random_point(random);
      const double c[3] = {1, 1, 1}, none[2] = {0, 0};
      Vector p{}, q{};
      double D[9], unused[9];
      resolvent(set, r.data(), v.data(), c, none, p.data(), unused);
      const double friction[2] = {p[1], p[2]};
      resolvent(set, r.data(), v.data(), c, friction, p.data(), D);
      const auto remainder = [&](double e) {
        Vector at = v;
        for (int k = 0; k < 3; ++k) at[k] -= e * d[k];  // z + e d
        resolvent(set, r.data(), at.data(), c, none, q.data(), unused);
        double sum = 0;
        for (int k = 0; k < 3; ++k)
          sum += std::fabs(q[k] - p[k] - e * (D[3 * k] * d[0] + D[3 * k + 1] * d[1] + D[3 * k + 2] * d[2]));
        return sum;
      };
      kinks += taylor_slope(size(p) + 1, remainder, 1e-4) < kTaylorSlope;
    }
    BOOST_TEST(kinks <= kSamples / 50);  // where a direction crosses a kink; a wrong tangent fails for all that slide
  });
}

// With the radius held the envelope has the slope −p_t in v_t, and with p_n that of the same v −p_n in v_n.
BOOST_AUTO_TEST_CASE(resolvent_and_its_envelope) {
  constexpr double kStep = 1e-6, kQuotient = 1e-6;  // of a difference quotient over numbers up to 100
  for_disc_and_section([](const AdmissibleSet& set) {
    Random random(37);
    for (int i = 0; i < kSamples; ++i) {
      const Vector r = random_point(random), v = random_point(random);
      const double c[3] = {2, 3, 3}, none[2] = {0, 0};
      double D[9];
      Vector p{}, q{};
      resolvent(set, r.data(), v.data(), c, none, p.data(), D);
      const double radius = set.friction * p[0];
      const auto half = [&](int k, double e) {
        Vector at = v;
        at[k] += e;
        resolvent(set, r.data(), at.data(), c, none, q.data(), D);
        return 0.5 * resolvent_envelope(set, r.data(), at.data(), c, radius, q[0]);
      };
      for (int k = 0; k < 3; ++k) {
        const double slope = (half(k, kStep) - half(k, -kStep)) / (2 * kStep);
        BOOST_TEST(std::fabs(slope + p[k]) <= kQuotient * (1 + size(v) + size(r)));
      }
    }
  });
}

// ½ dist² has the slope p − Π(p).
BOOST_AUTO_TEST_CASE(distance_and_its_slope) {
  for_every_set([](const AdmissibleSet& set) {
    Random random(13);
    for (int i = 0; i < kSamples; ++i) {
      const Vector p = random_point(random), d = random_point(random);
      Vector slope{}, unused{};
      const double value = half_squared_distance(set, p.data(), slope.data());
      BOOST_TEST(std::fabs(value - 0.5 * product(slope, slope)) <= kRounding * product(p, p));
      const auto at = [&](double e) {
        Vector x = p;
        for (int r = 0; r < 3; ++r) x[r] += e * d[r];
        return half_squared_distance(set, x.data(), unused.data());
      };
      const double e = 1e-5 * size(p) / size(d);
      // Central difference of a function whose curvature is at most one, but may jump: a remainder of e² |d|².
      BOOST_TEST(std::fabs(at(e) - at(-e) - 2 * e * product(slope, d)) <= 1.01 * e * e * product(d, d));
    }
  });
}

// The natural map vanishes where Λ is in K and −v − s n in the normal cone there, for any w; and only there.
BOOST_AUTO_TEST_CASE(natural_map_is_zero_where_the_law_holds) {
  for_every_set([](const AdmissibleSet& set) {
    Random random(17);
    for (int i = 0; i < kSamples; ++i) {
      const Vector p = random_point(random), impulse = projected(set, p);
      // p − Π(p) is in the normal cone at Π(p): −v − s(v) n is it for v_t = −(p − Π)_t, v_n = −(p − Π)_n − s.
      Vector v = difference(impulse, p);
      v[0] -= de_saxce_term(set, v.data());
      double w[3] = {random.log_uniform(0.1, 10), random.log_uniform(0.1, 10), random.log_uniform(0.1, 10)};
      set_metric(set, w);
      Vector f{}, moved{};
      natural_map(set, v.data(), impulse.data(), w, f.data());
      BOOST_TEST(size(f) <= kTerms * kRounding * (1 + w[0] + w[1] + w[2]) * (size(p) + size(v)));
      // Away from the set it is at least the distance, in the metric.
      Vector slope{};
      if (half_squared_distance(set, p.data(), slope.data()) <= 1e-6 * product(p, p)) continue;
      const Vector still{};
      natural_map(set, still.data(), p.data(), w, moved.data());
      BOOST_TEST(size(moved) > 0);
    }
  });
}

// The local solution of an item obeys the law: exactly for cones and for the whole space; boxes and discs go there.
BOOST_AUTO_TEST_CASE(local_solutions_obey_the_law) {
  for_every_set([](const AdmissibleSet& set) {
    Random random(19);
    for (int i = 0; i < kSamples; ++i) {
      double W[9], block[9];
      Vec3 rows[3] = {random.unit_vector(), random.unit_vector(), random.unit_vector()};
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) W[3 * r + c] = block[3 * r + c] = dot(rows[r], rows[c]) + (r == c ? 0.5 : 0);
      const bool inverted = prepare_local(set, block);
      const Vector q = random_point(random);
      Vector impulse{}, v = q, change{};
      double largest = 1;
      for (int n = 0; n < kLocalSweeps && largest > 1e-13 * size(q); ++n) {
        largest = solve_local(set, block, inverted, v.data(), impulse.data(), 1, change.data());
        for (int r = 0; r < 3; ++r) impulse[r] += change[r];
        for (int r = 0; r < 3; ++r)
          v[r] = q[r] + W[3 * r] * impulse[0] + W[3 * r + 1] * impulse[1] + W[3 * r + 2] * impulse[2];
      }
      double w[3] = {W[0], W[4], W[8]};
      set_metric(set, w);
      Vector f{};
      natural_map(set, v.data(), impulse.data(), w, f.data());
      BOOST_TEST(size(f) <= kLocal * size(q), size(f) / size(q));
    }
  });
}

BOOST_AUTO_TEST_SUITE_END()
