// The 3×3 singular value decomposition and the polar decomposition, at corners where others fail: repeated, zero and
// negative singular values, collapse to a plane, a line and a point, entries of any size.

#include "framework/math/svd.hpp"
#include "tests/property/random.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>
#include <vector>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(svd3)

namespace {

template <class T>
T largest(const Mat3T<T>& m) {
  T out(0);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out = std::fabs(m(i, j)) <= out ? out : std::fabs(m(i, j));  // NaN wins
  return out;
}

// Some thirty rotations of columns, each rounding an entry a few times.
template <class T>
constexpr T kRounding = T(64) * std::numeric_limits<T>::epsilon();

template <class T>
void check(const Mat3T<T>& f, const char* what) {
  const SvdT<T> d = svd(f);
  const Mat3T<T> one = Mat3T<T>::identity();
  BOOST_TEST_INFO(what << ": s = " << d.s.x << ", " << d.s.y << ", " << d.s.z);
  BOOST_TEST(largest(transpose(d.u) * d.u - one) <= kRounding<T>);
  BOOST_TEST_INFO(what);
  BOOST_TEST(largest(transpose(d.v) * d.v - one) <= kRounding<T>);
  BOOST_TEST_INFO(what);
  BOOST_TEST(std::fabs(determinant(d.u) - T(1)) <= kRounding<T>);
  BOOST_TEST_INFO(what);
  BOOST_TEST(std::fabs(determinant(d.v) - T(1)) <= kRounding<T>);
  BOOST_TEST_INFO(what);
  BOOST_TEST((d.s.x >= d.s.y && d.s.y >= std::fabs(d.s.z)));
  BOOST_TEST_INFO(what);
  BOOST_TEST(largest(compose(d.u, d.s, d.v) - f) <= kRounding<T> * largest(f));
}

Mat3 random_matrix(Random& random, double size) {
  return {random.vector(size), random.vector(size), random.vector(size)};
}

/// U diag(s) Vᵀ of random rotations.
Mat3 with_stretches(Random& random, const Vec3& s) {
  return compose(rotation_matrix(random.rotation()), s, rotation_matrix(random.rotation()));
}

/// Stretches at and around every kind of coincidence.
std::vector<Vec3> corner_stretches() {
  std::vector<Vec3> out;
  for (double d : {0.0, 1e-300, 1e-160, 1e-17, 1e-15, 1e-12, 1e-8, 1e-4})
    for (double sign : {1.0, -1.0}) {
      out.push_back({1, 1, sign * (1 - d)});  // repeated, with det > 0 and < 0
      out.push_back({1 + d, 1, sign * 1.0});
      out.push_back({2, 1, sign * d});  // to a plane
      out.push_back({2, 2, sign * d});
      out.push_back({2, d, sign * d});  // to a line
      out.push_back({2, 2 * d, sign * d});
      out.push_back({d, d, sign * d});  // to a point
      out.push_back({2, 1, sign * (1 - d)});
      out.push_back({1e8, 1, sign * 1e-8});  // a needle
    }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(any_matrix) {
  Random random(1);
  for (int k = 0; k < 2000; ++k) check(random_matrix(random, 1), "random");
  for (double size : {1e-200, 1e-30, 1e30, 1e150}) check(random_matrix(random, size), "scaled");
}

BOOST_AUTO_TEST_CASE(corner_cases) {
  Random random(2);
  for (const Vec3& s : corner_stretches()) {
    check(Mat3::diagonal(s.x, s.y, s.z), "diagonal");
    check(Mat3::diagonal(s.z, s.x, s.y), "diagonal, out of order");
    check(Mat3{{0, s.x, 0}, {0, 0, s.y}, {s.z, 0, 0}}, "permuted");
    for (int k = 0; k < 20; ++k) check(with_stretches(random, s), "turned");
  }
  for (int k = 0; k < 200; ++k) {
    const Vec3 a = random.vector(1), b = random.vector(1);
    check(outer(a, b), "rank one");
    check(Mat3{a, a, a}, "equal rows");
    check(outer(a, b) + outer(b, a), "rank two");
  }
  check(Mat3{}, "zero");
  check(Mat3{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, "ones");
}

BOOST_AUTO_TEST_CASE(stretches_are_found) {
  Random random(3);
  for (const Vec3& s : corner_stretches()) {
    const double size = std::fabs(s.x);
    for (int k = 0; k < 20; ++k) {
      const Vec3 found = svd(with_stretches(random, s)).s;
      // Rounding of the entries of F moves singular values by as much, relative to the largest. A smallest one below
      // that has no sign to be found.
      for (int i = 0; i < 3; ++i)
        BOOST_TEST((std::fabs(found[i] - s[i]) <= kRounding<double> * size ||
                    std::fabs(std::fabs(found[i]) - std::fabs(s[i])) <= kRounding<double> * size));
      if (std::fabs(s.z) > 1e-12 * size) BOOST_TEST((found.z > 0) == (s.z > 0));
    }
  }
}

/// With rounding of the entries itself: a graded matrix, whose small singular values FᵀF would lose.
BOOST_AUTO_TEST_CASE(small_stretches_keep_their_digits) {
  Random random(4);
  for (int k = 0; k < 100; ++k) {
    const Mat3 q = rotation_matrix(random.rotation());
    const Vec3 s{1, 1e-6, 1e-12};
    const Vec3 found = svd(q * Mat3::diagonal(s.x, s.y, s.z)).s;  // columns at right angles, lengths exact to rounding
    for (int i = 0; i < 3; ++i) BOOST_TEST(std::fabs(found[i] - s[i]) <= kRounding<double> * s[i]);
  }
}

BOOST_AUTO_TEST_CASE(polar_rotation_is_the_nearest) {
  Random random(5);
  for (int k = 0; k < 500; ++k) {
    const Mat3 f = random_matrix(random, 1);
    const Mat3 r = polar_rotation(svd(f));
    const auto distance = [&f](const Mat3& q) {
      const Mat3 d = f - q;
      return norm2(d.r0) + norm2(d.r1) + norm2(d.r2);
    };
    const Mat3 s = transpose(r) * f;
    BOOST_TEST(largest(s - transpose(s)) <= kRounding<double>);
    for (int trial = 0; trial < 10; ++trial)
      BOOST_TEST(distance(r) <= distance(rotation_matrix(random.rotation())) + kRounding<double>);
  }
}

BOOST_AUTO_TEST_CASE(single_precision) {
  Random random(6);
  const auto single = [](const Mat3& f) {
    Mat3T<float> out;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) out(i, j) = static_cast<float>(f(i, j));
    return out;
  };
  for (int k = 0; k < 500; ++k) check(single(random_matrix(random, 1)), "random");
  for (const Vec3& s : corner_stretches()) check(single(with_stretches(random, s)), "turned");
}

BOOST_AUTO_TEST_CASE(not_finite_is_reported) {
  Mat3 f = Mat3::identity();
  for (double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    f(1, 2) = bad;
    BOOST_TEST(std::isnan(svd(f).s.x));
  }
}

BOOST_AUTO_TEST_SUITE_END()
