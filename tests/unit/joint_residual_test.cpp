// Mixed complementarity of one row, Λ ∈ [l, u], v ≥ 0 at l, v ≤ 0 at u, v = 0 between: the verdict's residual and the
// joint law, over grids with infinite bounds, rows switched off and corners.

#include "ncp/joint_laws/mixed_complementarity.hpp"
#include "tests/model_run.hpp"
#include "tests/property/random.hpp"
#include "tests/property/taylor.hpp"
#include "verdict/row_residuals.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(joint_residual)

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
const double kNan = std::nan("");

struct Sample {
  double v, impulse, lower, upper, w = 1.5, compliance = 0.5;
};

bool holds(const Sample& s) {
  if (!(s.lower <= s.impulse && s.impulse <= s.upper)) return false;
  return s.v == 0 || (s.v > 0 && s.impulse == s.lower) || (s.v < 0 && s.impulse == s.upper);
}

/// All combinations, those with l ≤ u.
std::vector<Sample> grid() {
  std::vector<Sample> out;
  for (double v : {-2.0, -1e-3, 0.0, 1e-3, 1.0})
    for (double l : {-kInf, -1.0, 0.0, 0.5})
      for (double u : {-1.0, 0.0, 0.5, kInf})
        for (double impulse : {-3.0, -1.0, -0.25, 0.0, 0.25, 0.5, 2.0})
          if (l <= u) out.push_back({v, impulse, l, u});
  return out;
}

bool bounded(const Sample& s) { return s.lower > -kInf || s.upper < kInf; }

/// As the verdict takes it: |mid(v, w (Λ − l), w (Λ − u))| of {v, Λ, l, u, w}.
double joint_error(const std::array<double, 5>& q) {
  return std::fabs(interval_natural_map(q[0], q[1], q[2], q[3], q[4]));
}

struct Row {
  double residual, a, b;
};

/// The joint law on the samples as one batch; what it must fill is NaN before.
std::vector<Row> evaluate(const std::vector<Sample>& samples, bool linearise = true) {
  MixedComplementarity law;
  std::vector<double> v, impulse, lower, upper, w, compliance;
  for (const Sample& s : samples) {
    v.push_back(s.v);
    impulse.push_back(s.impulse);
    lower.push_back(s.lower);
    upper.push_back(s.upper);
    w.push_back(s.w);
    compliance.push_back(s.compliance);
  }
  const std::vector<double> poison(samples.size(), kNan);
  RowSet rows;
  rows.items = rows.rows = static_cast<int>(samples.size());
  rows.bounded = true;
  rows.velocity = to_device("v", v);
  rows.impulse = to_device("impulse", impulse);
  rows.lower = to_device("lower", lower);
  rows.upper = to_device("upper", upper);
  rows.compliance = to_device("compliance", compliance);
  rows.out.rows = rows.rows;
  rows.out.delassus_diagonal = to_device("w", w);
  rows.out.residual = to_device("residual", poison);
  rows.out.a = to_device("a", poison);
  rows.out.b = to_device("b", poison);
  law.evaluate(rows, linearise);
  fence();
  std::vector<double> f, a, b;
  to_host(rows.out.residual, f);
  to_host(rows.out.a, a);
  to_host(rows.out.b, b);
  std::vector<Row> out;
  for (int i = 0; i < rows.rows; ++i) out.push_back({f[i], a[i], b[i]});
  return out;
}

std::string text(const Sample& s) {
  return "v " + std::to_string(s.v) + ", impulse " + std::to_string(s.impulse) + " in [" + std::to_string(s.lower) +
         ", " + std::to_string(s.upper) + "]";
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_verdict_takes_the_median) {
  for (const Sample& s : grid()) {
    const double w = s.w + s.compliance;
    std::array<double, 3> three{s.v, w * (s.impulse - s.lower), w * (s.impulse - s.upper)};
    std::sort(three.begin(), three.end());
    const double residual = joint_error({s.v, s.impulse, s.lower, s.upper, w});
    BOOST_TEST(residual == std::fabs(three[1]), text(s));
    BOOST_TEST((residual == 0) == holds(s), text(s));
  }
}

BOOST_AUTO_TEST_CASE(the_verdict_lets_nan_win) {
  for (const double l : {-kInf, 0.0})
    for (const double u : {0.0, kInf}) {
      BOOST_TEST(std::isnan(joint_error({kNan, 1, l, u, 1})));
      BOOST_TEST(std::isnan(joint_error({1, kNan, l, u, 1})));
    }
  // Infinite quantities are as wrong as they look, not within a bound.
  BOOST_TEST(joint_error({kInf, 1, -kInf, kInf, 1}) == kInf);
  BOOST_TEST(joint_error({-kInf, 1, 0, kInf, 1}) == kInf);
  BOOST_TEST(joint_error({0, kInf, -1, 1, 1}) == kInf);
  BOOST_TEST(joint_error({kInf, 0, 0, 0, 1}) == 0);  // a row that is switched off asks nothing of v
}

BOOST_AUTO_TEST_CASE(the_law_vanishes_where_the_conditions_hold) {
  const std::vector<Sample> samples = grid();
  for (const std::string& function : ncp_function_registry().names())
    for (const char* corner : {"active", "inactive", "symmetric"}) {
      const ScopedOptions scoped("-ncp_function " + function + " -ncp_corner " + corner);
      for (const bool linearise : {false, true}) {
        const std::vector<Row> rows = evaluate(samples, linearise);
        for (std::size_t i = 0; i < samples.size(); ++i) {
          const Sample& s = samples[i];
          BOOST_TEST_CONTEXT(function << ", corner " << corner << ": " << text(s)) {
            if (!bounded(s)) {
              BOOST_TEST((std::isnan(rows[i].residual) && std::isnan(rows[i].a) && std::isnan(rows[i].b)));
              continue;
            }
            BOOST_TEST((rows[i].residual == 0) == holds(s), "F = " << rows[i].residual);
            BOOST_TEST(std::isfinite(rows[i].residual));
            BOOST_TEST((std::isnan(rows[i].a) && std::isnan(rows[i].b)) == !linearise);
            if (!linearise) continue;
            // Newton's matrix stays regular: never both zero, never of the wrong sign.
            BOOST_TEST(rows[i].a >= 0);
            BOOST_TEST(rows[i].b >= 0);
            BOOST_TEST(rows[i].a + rows[i].b > 0);
          }
        }
      }
    }
}

BOOST_AUTO_TEST_CASE(the_law_says_on_which_side_it_is) {
  // Both bounds infinitely far: F is v itself in the limit; a large v of either sign is seen through the bound it is
  // allowed at.
  for (const std::string& function : ncp_function_registry().names()) {
    const ScopedOptions scoped("-ncp_function " + function);
    const std::vector<Row> rows =
        evaluate({{1, 0, -1e9, 1e9}, {-1, 0, -1e9, 1e9}, {5, 2, 0, 4}, {-5, 2, 0, 4}, {0, 6, 0, 4}, {0, -2, 0, 4}});
    // The product of the penalised function grows with the distance from the bounds: there only the sign is right.
    if (function != "penalized_fischer_burmeister") {
      BOOST_TEST(std::fabs(rows[0].residual - 1) <= 1e-8);  // v²/(r u): Fischer-Burmeister is that far from the minimum
      BOOST_TEST(std::fabs(rows[1].residual + 1) <= 1e-8);
    }
    BOOST_TEST(rows[0].residual > 0);
    BOOST_TEST(rows[1].residual < 0);
    BOOST_TEST(rows[2].residual > 0);
    BOOST_TEST(rows[3].residual < 0);
    BOOST_TEST(rows[4].residual > 0);
    BOOST_TEST(rows[5].residual < 0);
  }
  const ScopedOptions scoped("-ncp_function minimum_map");
  for (const Sample& s : grid()) {
    if (!bounded(s)) continue;
    BOOST_TEST(
        std::fabs(evaluate({s})[0].residual) == joint_error({s.v, s.impulse, s.lower, s.upper, s.w + s.compliance}),
        text(s));
  }
}

BOOST_AUTO_TEST_CASE(slopes_are_the_derivatives) {
  // Along (d(J u), dΛ): dv = d(J u) + γ dΛ and dF = a d(J u) + b dΛ. Off the corners, where the minimum map has its
  // kinks too.
  constexpr double kFirst = 1e-3;  // the largest step of the Taylor remainder
  for (const std::string& function : ncp_function_registry().names()) {
    const ScopedOptions scoped("-ncp_function " + function + " -ncp_slope_min 0");
    Random random(7);
    int tried = 0;
    while (tried < 200) {
      Sample s{random.uniform(-2, 2),  random.uniform(-2, 2),  random.uniform(-1.5, 0),
               random.uniform(0, 1.5), random.uniform(0.5, 2), random.uniform(0, 1)};
      if (random.uniform(0, 1) < 0.25)
        s.lower = -kInf;
      else if (random.uniform(0, 1) < 0.25)
        s.upper = kInf;
      else if (random.uniform(0, 1) < 0.2)
        s.lower = s.upper = 0;
      const double r = s.w + s.compliance, low = r * (s.impulse - s.lower), high = r * (s.impulse - s.upper);
      const double away = std::min({std::fabs(s.v - low), std::fabs(s.v - high), std::fabs(low), std::fabs(high)});
      if (away < 0.1) continue;
      ++tried;
      const double du = random.uniform(-1, 1), dl = random.uniform(-1, 1);
      const Row at = evaluate({s})[0];
      const double slope = taylor_slope(
          4.0,
          [&](double e) {
            Sample t = s;
            t.v += e * (du + s.compliance * dl);
            t.impulse += e * dl;
            return std::fabs(evaluate({t})[0].residual - at.residual - e * (at.a * du + at.b * dl));
          },
          kFirst);
      BOOST_TEST(slope >= kTaylorSlope, function << ": " << text(s) << ", slope " << slope);
    }
  }
}

BOOST_AUTO_TEST_CASE(small_slopes_only_set_the_multiplier) {
  const ScopedOptions scoped("-ncp_function fischer_burmeister -ncp_slope_min 0.5");
  // Far open: ∂φ/∂a is small and cut to zero; b keeps the outer slope.
  const Row open = evaluate({{10, 0.1, 0, kInf}})[0], closed = evaluate({{0.01, 3, 0, kInf}})[0];
  BOOST_TEST(open.a == 0);
  BOOST_TEST(open.b > 0);
  BOOST_TEST(closed.a > 0.5);
}

BOOST_AUTO_TEST_SUITE_END()
