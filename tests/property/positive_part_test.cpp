// The positive semi-definite part of a symmetric matrix is what its eigenvalues by Eigen give.

#include "framework/math/positive_part.hpp"

#include "tests/property/random.hpp"

#include <Eigen/Dense>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <limits>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(positive_part)

namespace {

constexpr int kMost = 18;
// Some thousand operations on numbers of the size |S|, here and in Eigen.
constexpr double kRounding = 256 * std::numeric_limits<double>::epsilon();

Eigen::MatrixXd part_of(Eigen::MatrixXd s) {
  positive_part_of<kMost>(s.data(), static_cast<int>(s.rows()));
  return s;
}

/// In units of the largest entry: squares of entries may have no double.
void check(const Eigen::MatrixXd& s) {
  const double size = s.cwiseAbs().maxCoeff();
  const Eigen::MatrixXd p = part_of(s);
  if (size == 0) {
    BOOST_TEST(p.isZero(0));
    return;
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> by(s / size);
  const Eigen::MatrixXd expected =
      by.eigenvectors() * by.eigenvalues().cwiseMax(0).asDiagonal() * by.eigenvectors().transpose();
  BOOST_TEST((p / size - expected).norm() <= kRounding * s.rows());
}

Eigen::VectorXd random_vector(Random& random, int n, double zeros) {
  Eigen::VectorXd x(n);
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
        Eigen::MatrixXd s = Eigen::MatrixXd::Zero(n, n);
        const double size = random.log_uniform(1e-9, 1e9);
        for (int k = 0; k < rank; ++k) {
          const Eigen::VectorXd x = random_vector(random, n, k % 2 == 0 ? 0 : 0.5);
          s += size * random.log_uniform(1 / apart, 1) * (k % 3 == 0 ? -1 : 1) * x * x.transpose();
        }
        check(s);
      }
}

// Impulses of contacts that hardly press are as small as an exponential makes them, alone and beside others.
BOOST_AUTO_TEST_CASE(of_numbers_without_squares) {
  for (const double size : {1e-300, 1e-160, 1e-150, 1.0, 1e150, 1e160, 1e300})
    for (const double beside : {0.0, 1e-160, 1.0}) {
      const Eigen::MatrixXd r = Eigen::MatrixXd::Random(12, 12);
      Eigen::MatrixXd s = size * (r + r.transpose());
      s.row(0).tail(11) *= beside;
      s.col(0).tail(11) *= beside;
      check(s);
    }
}

BOOST_AUTO_TEST_CASE(of_a_diagonal_matrix_is_what_is_positive) {
  const Eigen::VectorXd values = (Eigen::VectorXd(6) << 3, -2, 0, 3, -1e-20, 1e20).finished();
  const Eigen::MatrixXd s = values.asDiagonal(), expected = values.cwiseMax(0).asDiagonal();
  BOOST_TEST((part_of(s) - expected).isZero(0));
}

BOOST_AUTO_TEST_CASE(takes_the_symmetric_part) {
  const Eigen::MatrixXd s{{1, 4}, {0, 1}}, t{{1, 2}, {2, 1}};
  BOOST_TEST((part_of(s) - part_of(t)).isZero(0));
  BOOST_TEST(part_of(t)(0, 1) == 1.5, boost::test_tools::tolerance(kRounding));  // eigenvalues 3 and −1
}

BOOST_AUTO_TEST_CASE(a_nan_stays_one) {
  Eigen::MatrixXd s = Eigen::MatrixXd::Identity(12, 12);
  s(3, 7) = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(part_of(s).hasNaN());
}

BOOST_AUTO_TEST_SUITE_END()
