// Step lengths by the strong Wolfe conditions, on functions of one variable.

#include "ncp/strategies/wolfe_search.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

using namespace clarke;

BOOST_AUTO_TEST_SUITE(wolfe_search)

namespace {

template <class F>
void check(const F& f) {
  const LinePoint start = f(0);
  int trials = 0;
  const WolfeStep step = clarke::wolfe_search(start, 0, [&](double a) {
    ++trials;
    return f(a);
  });
  BOOST_TEST(step.both);
  const LinePoint at = f(step.length);
  BOOST_TEST(at.energy <= start.energy + kWolfeDecrease * step.length * start.slope);
  BOOST_TEST(std::fabs(at.slope) <= -kWolfeCurvature * start.slope);
  BOOST_TEST(trials <= 15);
}

}  // namespace

// Minima nearer and farther than the first length by six orders of magnitude.
BOOST_AUTO_TEST_CASE(quadratics) {
  for (const double minimum : {1e-6, 1e-3, 0.1, 0.6, 1.0, 3.0, 1e3})
    check([&](double a) { return LinePoint{0.5 * (a - minimum) * (a - minimum), a - minimum}; });
}

// Energies that are not quadratic: a quartic, one with nearly a kink, one with waves, one that is no number far away.
BOOST_AUTO_TEST_CASE(others) {
  check([](double a) { return LinePoint{std::pow(a - 2, 4), 4 * std::pow(a - 2, 3)}; });
  check([](double a) {
    const double r = std::hypot(a - 0.3, 1e-3);
    return LinePoint{r, (a - 0.3) / r};
  });
  check([](double a) { return LinePoint{a * a / 20 - std::sin(3 * a), a / 10 - 3 * std::cos(3 * a)}; });
  check([](double a) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    return a < 0.2 ? LinePoint{50 * (a - 0.1) * (a - 0.1), 100 * (a - 0.1)} : LinePoint{nan, nan};
  });
}

// What falls for ever has no point with the second condition: the best is taken, and said to be that.
BOOST_AUTO_TEST_CASE(falls_for_ever) {
  const WolfeStep step = clarke::wolfe_search({0, -1}, 0, [](double a) { return LinePoint{-a, -1}; });
  BOOST_TEST(!step.both);
  BOOST_TEST(step.length > 1e6);
}

// A direction that only rises has none.
BOOST_AUTO_TEST_CASE(rises) {
  const WolfeStep step = clarke::wolfe_search({0, -1}, 0, [](double a) { return LinePoint{1 + a, 1}; });
  BOOST_TEST(!step.both);
  BOOST_TEST(step.length == 0);
}

BOOST_AUTO_TEST_SUITE_END()
