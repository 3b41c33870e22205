// hypotenuse() against std::hypot, at every size a double has.

#include "framework/math/hypotenuse.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

using namespace clarke;

BOOST_AUTO_TEST_SUITE(hypotenuse)

BOOST_AUTO_TEST_CASE(as_hypot_to_two_roundings) {
  constexpr double kUlps = 2 * std::numeric_limits<double>::epsilon();  // both are within one unit in the last place
  for (int i = -320; i <= 307; ++i)
    for (const double a : {1.0, 1.7, -6.3})
      for (const double ratio : {0.0, 1e-200, 1e-9, 0.3, 1.0, -0.9}) {
        const double x = a * std::pow(10.0, i), y = ratio * x, expected = std::hypot(x, y);
        BOOST_TEST_CONTEXT(x << " " << y)
        BOOST_TEST(std::fabs(clarke::hypotenuse(x, y) - expected) <=
                   std::fmax(kUlps * expected, std::numeric_limits<double>::denorm_min()));
      }
}

BOOST_AUTO_TEST_CASE(what_is_no_number) {
  constexpr double kInf = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(clarke::hypotenuse(kInf, 1.0) == kInf);
  BOOST_TEST(clarke::hypotenuse(-3.0, -kInf) == kInf);
  BOOST_TEST(std::isnan(clarke::hypotenuse(kNan, 1.0)));
  BOOST_TEST(clarke::hypotenuse(0.0, 0.0) == 0);
}

BOOST_AUTO_TEST_SUITE_END()
