// Every registered NCP function: zero exactly at complementarity, slopes that are its derivatives, corners as asked
// for.

#include "ncp/functions/fischer_burmeister.hpp"
#include "ncp/functions/minimum_map.hpp"
#include "ncp/functions/penalized_fischer_burmeister.hpp"
#include "tests/property/random.hpp"
#include "tests/property/taylor.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(ncp_functions)

namespace {

// An NCP function is at least this fraction of min(a, b): (2 − √2) for Fischer-Burmeister, 1 for the minimum map.
constexpr double kLeastFraction = 1e-2;
// Rounding of φ(a, b) where the smaller argument is zero, relative to the larger one.
constexpr double kRounding = 4 * std::numeric_limits<double>::epsilon();

struct Values {
  std::vector<double> value, da, db;
};

Values evaluate(const NcpFunction& phi, const NcpCorner& corner, const std::vector<double>& a,
                const std::vector<double>& b) {
  const int n = static_cast<int>(a.size());
  const std::vector<double> poison(n + 1, std::numeric_limits<double>::quiet_NaN());
  const View<double> value = to_device("value", poison), da = to_device("da", poison), db = to_device("db", poison);
  phi.evaluate(n, corner, to_device("a", a), to_device("b", b), value, da, db);
  fence();
  Values out;
  to_host(value, out.value);
  to_host(da, out.da);
  to_host(db, out.db);
  for (auto* v : {&out.value, &out.da, &out.db}) {
    BOOST_TEST(std::isnan(v->back()));  // entries behind the first n are not touched
    v->pop_back();
  }
  return out;
}

/// Zero, and both signs of powers of ten from 1e-9 to 1e4.
std::vector<double> axis() {
  std::vector<double> out{0};
  for (int k = -9; k <= 4; ++k)
    for (double sign : {-1.0, 1.0}) out.push_back(sign * std::pow(10.0, k));
  return out;
}

/// All pairs of the axis, so that both coordinate axes, the diagonal and the corner are among them.
void grid(std::vector<double>& a, std::vector<double>& b) {
  for (double x : axis())
    for (double y : axis()) {
      a.push_back(x);
      b.push_back(y);
    }
}

NcpCorner corner_named(const char* name) {
  NcpOptions options;
  options.corner = name;
  return corner_of(options);
}

template <class F>
void for_each_function(F f) {
  for (const std::string& name : ncp_function_registry().names()) BOOST_TEST_CONTEXT(name) {
      f(*ncp_function_registry().create(name));
    }
}

/// The pure function in double, float and dual numbers.
void check_scalars(const NcpFunction& phi) {
  constexpr double kFloat = 1e-5;      // 2^-24 with room for a few operations
  constexpr double kDual = 1e-12;      // the same formula differentiated by rule and by hand
  constexpr double kFloatRange = 1e3;  // the quotient of two arguments that float can still resolve
  Random random(1);
  int checked = 0;
  for (int i = 0; i < 2000; ++i) {
    const double a = random.sign() * random.log_uniform(1e-3, 1e3), b = random.sign() * random.log_uniform(1e-3, 1e3);
    const Values all = evaluate(phi, {}, {a}, {b});
    const NcpValue<double> f{all.value[0], all.da[0], all.db[0]};
    const double scale = std::fmax(std::fabs(a), std::fabs(b));
    if (std::fabs(a / b) < kFloatRange && std::fabs(b / a) < kFloatRange) {
      const NcpValue<float> single = phi.at(static_cast<float>(a), static_cast<float>(b));
      BOOST_TEST(std::fabs(single.value - f.value) <= kFloat * scale);
      BOOST_TEST(std::fabs(single.da - f.da) <= kFloat);
      BOOST_TEST(std::fabs(single.db - f.db) <= kFloat);
    }
    BOOST_TEST(std::fabs(phi.at(Dual(a, 1), Dual(b, 0)).value.d - f.da) <= kDual);
    BOOST_TEST(std::fabs(phi.at(Dual(a, 0), Dual(b, 1)).value.d - f.db) <= kDual);
    // hypot and hypotenuse() may differ in the last place.
    BOOST_TEST(std::fabs(phi.at(Dual(a, 1), Dual(b, 0)).value.v - f.value) <= kRounding * scale);
    ++checked;
  }
  BOOST_TEST(checked == 2000);
}

}  // namespace

BOOST_AUTO_TEST_CASE(zero_exactly_at_complementarity) {
  std::vector<double> a, b;
  grid(a, b);
  for_each_function([&](const NcpFunction& phi) {
    const Values f = evaluate(phi, {}, a, b);
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double natural = std::fmin(a[i], b[i]), scale = std::fmax(std::fabs(a[i]), std::fabs(b[i]));
      BOOST_TEST_CONTEXT("a " << a[i] << " b " << b[i] << " phi " << f.value[i]) {
        if (natural == 0) BOOST_TEST(std::fabs(f.value[i]) <= kRounding * scale);
        if (natural != 0) BOOST_TEST(std::fabs(f.value[i]) >= kLeastFraction * std::fabs(natural));
        BOOST_TEST((natural == 0 || std::signbit(f.value[i]) == std::signbit(natural)));
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(slopes_are_nonnegative_and_never_both_zero) {
  std::vector<double> a, b;
  grid(a, b);
  for_each_function([&](const NcpFunction& phi) {
    for (const char* corner : {"active", "inactive", "symmetric"}) {
      const Values f = evaluate(phi, corner_named(corner), a, b);
      for (std::size_t i = 0; i < a.size(); ++i)
        BOOST_TEST_CONTEXT("a " << a[i] << " b " << b[i] << " slopes " << f.da[i] << " " << f.db[i]) {
          BOOST_TEST(f.da[i] >= 0);
          BOOST_TEST(f.db[i] >= 0);
          BOOST_TEST(f.da[i] + f.db[i] > 0.1);  // 2 − √2 and 1 for the present ones
        }
    }
  });
}

BOOST_AUTO_TEST_CASE(slopes_are_derivatives) {
  Random random(2);
  std::vector<double> a, b;
  for (int i = 0; i < 500; ++i) {
    const double x = random.sign() * random.log_uniform(1e-6, 1e4), y = random.sign() * random.log_uniform(1e-6, 1e4);
    // Off the kinks a function may have: the axes and both diagonals.
    if (std::fabs(std::fabs(x) - std::fabs(y)) < 0.05 * std::fmax(std::fabs(x), std::fabs(y))) continue;
    a.push_back(x);
    b.push_back(y);
  }
  BOOST_TEST(a.size() > 450u);
  for_each_function([&](const NcpFunction& phi) {
    const Values f = evaluate(phi, {}, a, b);
    for (double angle : {0.1, 1.2, 2.0, 3.5, 5.5}) {
      // Each argument moves relative to itself, so that no sign changes.
      const auto moved = [&](double e) {
        std::vector<double> am, bm;
        for (std::size_t i = 0; i < a.size(); ++i) {
          am.push_back(a[i] + e * std::fabs(a[i]) * std::cos(angle));
          bm.push_back(b[i] + e * std::fabs(b[i]) * std::sin(angle));
        }
        return evaluate(phi, {}, am, bm).value;
      };
      const std::vector<double> first = moved(1e-3), second = moved(1e-3 / 4), third = moved(1e-3 / 16);
      for (std::size_t i = 0; i < a.size(); ++i) {
        const double derivative =
            f.da[i] * std::fabs(a[i]) * std::cos(angle) + f.db[i] * std::fabs(b[i]) * std::sin(angle);
        const double scale = std::fabs(f.value[i]) + f.da[i] * std::fabs(a[i]) + f.db[i] * std::fabs(b[i]);
        const double slope = taylor_slope(scale, [&](double e) {
          const double value = e > 0.5e-3 ? first[i] : (e > 1e-4 ? second[i] : third[i]);
          return std::fabs(value - f.value[i] - e * derivative);
        });
        BOOST_TEST_CONTEXT("a " << a[i] << " b " << b[i]) BOOST_TEST(slope >= kTaylorSlope);
      }
    }
  });
}

BOOST_AUTO_TEST_CASE(corner_is_the_one_asked_for) {
  const double radius = NcpOptions().corner_radius, middle = 1 - std::sqrt(0.5);
  const std::vector<double> a{0, 0.3 * radius, -0.3 * radius, 0}, b{0, 0.2 * radius, 0.3 * radius, -0.5 * radius};
  const std::vector<double> away{10 * radius}, zero{0};
  constexpr double kRoundingOfSlopes = 1e-15;
  for_each_function([&](const NcpFunction& phi) {
    const Values active = evaluate(phi, corner_named("active"), a, b),
                 inactive = evaluate(phi, corner_named("inactive"), a, b),
                 symmetric = evaluate(phi, corner_named("symmetric"), a, b);
    for (std::size_t i = 0; i < a.size(); ++i) {
      // What is asked for, times the function's own slope: 1 where it is not weighted.
      const double unit = active.da[i];
      BOOST_TEST((unit > 0.5 && unit <= 1 && active.db[i] == 0));
      BOOST_TEST((inactive.da[i] == 0 && inactive.db[i] == unit));
      // A piecewise linear function has no (1 − 1/√2)(1, 1) among its slopes; then any of its own will do.
      const bool asked =
          std::fabs(symmetric.da[i] - unit * middle) + std::fabs(symmetric.db[i] - unit * middle) < kRoundingOfSlopes;
      const bool convex = std::fabs(symmetric.da[i] + symmetric.db[i] - unit) < kRoundingOfSlopes;
      BOOST_TEST((asked || convex));
    }
    // The corner decides slopes only, and only there.
    BOOST_TEST(active.value == inactive.value);
    for (const char* corner : {"active", "inactive", "symmetric"}) {
      const Values right = evaluate(phi, corner_named(corner), away, zero),
                   up = evaluate(phi, corner_named(corner), zero, away);
      // On the axes one slope vanishes; the other is the function's own.
      BOOST_TEST((right.da[0] == 0 && right.db[0] > 0.5));
      BOOST_TEST((up.da[0] > 0.5 && up.db[0] == 0));
    }
    NcpCorner point{0, 1, 0};  // radius zero: the corner alone, and no division by zero there
    const Values f = evaluate(phi, point, {0, 1e-200}, {0, 1e-200});
    BOOST_TEST((f.value[0] == 0 && f.da[0] > 0.5 && f.db[0] == 0));
    BOOST_TEST((std::isfinite(f.value[1]) && std::isfinite(f.da[1]) && std::isfinite(f.db[1])));
  });
}

BOOST_AUTO_TEST_CASE(other_scalars) { for_each_function(check_scalars); }

// The weight 1 gives Fischer-Burmeister; the second term is a product over a speed.
BOOST_AUTO_TEST_CASE(penalty_term) {
  PenalizedFischerBurmeister phi;
  const FischerBurmeister plain;
  BOOST_TEST(std::fabs(phi(3.0, 4.0).value - (0.95 * 2 + 0.05 * 12)) < 10 * kRounding);
  BOOST_TEST(std::fabs(phi(-3.0, 4.0).value - 0.95 * plain(-3.0, 4.0).value) < 10 * kRounding);
  phi.parameters.speed = 10;
  BOOST_TEST(std::fabs(phi(3.0, 4.0).value - (0.95 * 2 + 0.05 * 1.2)) < 10 * kRounding);
  phi.parameters.weight = 1;
  BOOST_TEST(phi(3.0, 4.0).value == plain(3.0, 4.0).value);
  BOOST_TEST(phi(3.0, 4.0).da == plain(3.0, 4.0).da);
}

BOOST_AUTO_TEST_SUITE_END()
