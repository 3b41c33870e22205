// The closed form of an arm's geometric stiffness is the positive part that eigenvalues give.

#include "framework/math/arm_stiffness.hpp"

#include "framework/math/symmetric_eigen.hpp"
#include "tests/property/random.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(arm_stiffness)

namespace {

// Some dozen operations on numbers of the size |r||f|.
constexpr double kRounding = 64 * std::numeric_limits<double>::epsilon();

Mat3 by_eigenvalues(const Vec3& r, const Vec3& f) {
  const double rf = dot(r, f);
  return positive_part(Mat3::diagonal(rf, rf, rf) - outer(r, f));
}

double difference(const Vec3& r, const Vec3& f) {
  const Mat3 d = clarke::arm_stiffness(r, f) - by_eigenvalues(r, f);
  return norm(d.r0) + norm(d.r1) + norm(d.r2);
}

}  // namespace

BOOST_AUTO_TEST_CASE(is_the_positive_part) {
  Random random(5);
  int pulling = 0;
  for (int k = 0; k < 500; ++k) {
    const Vec3 r = random.log_uniform(1e-4, 1e2) * random.unit_vector(),
               f = random.log_uniform(1e-6, 1e6) * random.unit_vector();
    pulling += dot(r, f) > 0;
    BOOST_TEST(difference(r, f) <= kRounding * norm(r) * norm(f));
  }
  BOOST_TEST((pulling > 100 && pulling < 400));
}

// Forces along the arm, across it, and nearly so: where one of the two eigenvectors has no direction.
BOOST_AUTO_TEST_CASE(parallel_and_perpendicular) {
  Random random(6);
  for (int k = 0; k < 50; ++k) {
    const Vec3 r = random.uniform(0.1, 2) * random.unit_vector(), off = cross(r, random.unit_vector());
    for (const double turn : {0.0, 1e-12, 1e-8, 1e-4})
      for (const Vec3& f : {r + turn * off, -1.0 * r + turn * off, off + turn * r, off - turn * r})
        BOOST_TEST(difference(r, f) <= kRounding * norm(r) * norm(f));
  }
  BOOST_TEST(norm(clarke::arm_stiffness({}, {1, 2, 3}).r0) == 0);
  BOOST_TEST(norm(clarke::arm_stiffness({1, 2, 3}, {}).r0) == 0);
}

BOOST_AUTO_TEST_CASE(a_nan_stays_one) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(std::isnan(trace(clarke::arm_stiffness({1, 0, 0}, {nan, 0, 0}))));
  BOOST_TEST(std::isnan(trace(clarke::arm_stiffness({nan, 0, 0}, {1, 0, 0}))));
}

BOOST_AUTO_TEST_SUITE_END()
