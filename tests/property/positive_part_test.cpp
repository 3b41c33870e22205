// The positive semi-definite part P of a symmetric matrix S: P and P − S have no negative eigenvalue and do not meet.

#include "framework/math/positive_part.hpp"

#include "tests/property/random.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(positive_part)

namespace {

constexpr int kMost = 18;
// Some thousand operations on numbers of the size |S|.
constexpr double kRounding = 256 * std::numeric_limits<double>::epsilon();

struct Symmetric {
  int n;
  std::vector<double> a = std::vector<double>(n * n);

  double& at(int i, int j) { return a[i * n + j]; }
  double at(int i, int j) const { return a[i * n + j]; }
  void add(double s, const std::vector<double>& x) {
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) at(i, j) += s * x[i] * x[j];
  }
  double norm() const {
    double sum = 0;
    for (const double e : a) sum += e * e;
    return std::sqrt(sum);
  }
};

/// Whether S + shift 1 has a factor of Cholesky.
bool positive(Symmetric s, double shift) {
  for (int i = 0; i < s.n; ++i) s.at(i, i) += shift;
  for (int k = 0; k < s.n; ++k) {
    if (!(s.at(k, k) > 0)) return false;
    for (int i = k + 1; i < s.n; ++i)
      for (int j = k + 1; j < s.n; ++j) s.at(i, j) -= s.at(i, k) * s.at(k, j) / s.at(k, k);
  }
  return true;
}

Symmetric part_of(Symmetric s) {
  positive_part_of<kMost>(s.a.data(), s.n);
  return s;
}

/// These three are what the nearest positive semi-definite matrix is, and no other.
void check(const Symmetric& s) {
  const Symmetric p = part_of(s);
  Symmetric q = p;
  for (int e = 0; e < s.n * s.n; ++e) q.a[e] -= s.a[e];
  const double size = s.norm(), rounding = kRounding * size;
  BOOST_TEST((size == 0 || positive(p, rounding)));
  BOOST_TEST((size == 0 || positive(q, rounding)));
  double meet = 0;
  for (int i = 0; i < s.n; ++i)
    for (int j = 0; j < s.n; ++j) {
      double sum = 0;
      for (int k = 0; k < s.n; ++k) sum += p.at(i, k) * q.at(k, j);
      meet = std::max(meet, std::fabs(sum));
      BOOST_TEST(std::fabs(p.at(i, j) - p.at(j, i)) <= rounding);
    }
  BOOST_TEST(meet <= rounding * size);
}

std::vector<double> random_vector(Random& random, int n, double zeros) {
  std::vector<double> x(n);
  for (double& e : x) e = random.uniform(0, 1) < zeros ? 0 : random.uniform(-1, 1);
  return x;
}

}  // namespace

// Of all sizes and ranks, of eigenvalues alike and 10¹² apart, with columns that are zero.
BOOST_AUTO_TEST_CASE(is_the_nearest_one) {
  Random random(8);
  for (int n = 1; n <= kMost; ++n)
    for (int rank = 0; rank <= n; ++rank)
      for (const double apart : {1.0, 1e3, 1e12}) {
        Symmetric s{n};
        const double size = random.log_uniform(1e-9, 1e9);
        for (int k = 0; k < rank; ++k)
          s.add(size * random.log_uniform(1 / apart, 1) * (k % 3 == 0 ? -1 : 1),
                random_vector(random, n, k % 2 == 0 ? 0 : 0.5));
        check(s);
      }
}

BOOST_AUTO_TEST_CASE(of_a_diagonal_matrix_is_what_is_positive) {
  Symmetric s{6};
  const double values[] = {3, -2, 0, 3, -1e-20, 1e20};
  for (int k = 0; k < 6; ++k) s.at(k, k) = values[k];
  const Symmetric p = part_of(s);
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 6; ++j) BOOST_TEST(p.at(i, j) == (i == j ? std::max(values[i], 0.0) : 0));
}

BOOST_AUTO_TEST_CASE(takes_the_symmetric_part) {
  Symmetric s{2}, t{2};
  s.a = {1, 4, 0, 1};
  t.a = {1, 2, 2, 1};
  BOOST_TEST(part_of(s).a == part_of(t).a, boost::test_tools::per_element());
  BOOST_TEST(part_of(t).at(0, 1) == 1.5, boost::test_tools::tolerance(kRounding));  // eigenvalues 3 and −1
}

BOOST_AUTO_TEST_CASE(a_nan_stays_one) {
  Symmetric s{12};
  for (int k = 0; k < 12; ++k) s.at(k, k) = k - 5.5;
  s.at(3, 7) = std::numeric_limits<double>::quiet_NaN();
  const Symmetric p = part_of(s);
  BOOST_TEST(std::any_of(p.a.begin(), p.a.end(), [](double e) { return std::isnan(e); }));
}

BOOST_AUTO_TEST_SUITE_END()
