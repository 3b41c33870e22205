#include "linear/krylov/mpcg.hpp"

#include "framework/math/mat3.hpp"
#include "framework/velocity_filter.hpp"
#include "tests/sparse_operator.hpp"

#include <Eigen/Dense>
#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(mpcg)

namespace {

/// Of the KSP below, which ends at 1e-14 of the first residual, on numbers of order one and condition numbers of 1e3.
constexpr double kSame = 1e-9;

/// Some blocks of three unknowns: all of one given, one on a plane, one on a line; the rest is free.
struct Prescription {
  std::vector<Mat3> keep;
  std::vector<Vec3> given;
  std::vector<std::pair<int, Vec3>> rows;  // block, direction
  explicit Prescription(int blocks) : keep(blocks, Mat3::identity()), given(blocks) {
    const Vec3 n = normalized(Vec3{1, 2, -0.5}), a = normalized(cross(n, Vec3{0, 0, 1}));
    const auto prescribe = [&](int b, std::vector<std::pair<Vec3, double>> components) {
      for (const auto& [d, value] : components) {
        keep[b] = keep[b] - outer(d, d);
        given[b] += value * d;
        rows.emplace_back(b, d);
      }
    };
    prescribe(1, {{{1, 0, 0}, 0.1}, {{0, 1, 0}, 0}, {{0, 0, 1}, -0.2}});
    prescribe(4, {{n, 0.3}});
    prescribe(blocks - 1, {{n, 0}, {a, -0.7}});
  }
};

/// The same by Lagrange multipliers, dense; multipliers are appended.
Eigen::VectorXd by_multipliers(const Rows& a, const std::vector<double>& b, const Prescription& p) {
  const int n = a.size(), m = static_cast<int>(p.rows.size());
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + m, n + m);
  Eigen::VectorXd right = Eigen::VectorXd::Zero(n + m);
  for (int i = 0; i < n; ++i) {
    right(i) = b[i];
    for (int k = a.start[i]; k < a.start[i + 1]; ++k) K(i, a.column[k]) = a.value[k];
  }
  for (int r = 0; r < m; ++r) {
    const auto& [block, d] = p.rows[r];
    for (int k = 0; k < 3; ++k) K(n + r, 3 * block + k) = K(3 * block + k, n + r) = d[k];
    right(n + r) = dot(d, p.given[block]);
  }
  return K.fullPivLu().solve(right);
}

}  // namespace

BOOST_AUTO_TEST_CASE(as_by_multipliers) {
  const Rows a = tower(60, 1, 50, 1e-2);
  const OwnedMat mat = assembled(a);
  const std::vector<double> b = scatter(a.size(), 3);
  const Prescription p(a.size() / 3);
  VelocityFilter filter{to_device("keep", p.keep), to_device("given", p.given)};
  PetscContainer container = nullptr;
  petsc(PetscContainerCreate(PETSC_COMM_SELF, &container));
  petsc(PetscContainerSetPointer(container, &filter));
  petsc(PetscObjectCompose((PetscObject)(Mat)mat, kVelocityFilter, (PetscObject)container));
  petsc(PetscContainerDestroy(&container));
  const Eigen::VectorXd reference = by_multipliers(a, b, p);
  int with_jacobi = 0, without = 0;
  for (const char* pc : {"jacobi", "none", "pbjacobi"})
    for (const auto& guess : {std::vector<double>{}, scatter(a.size(), 7)}) {  // Ascher and Boxerman's start, from any
      const Result found = solve(mat, b, {.ksp = "mpcg", .pc = pc, .max_it = 500, .rtol = 1e-14, .guess = guess});
      BOOST_TEST_CONTEXT(pc) {
        BOOST_TEST(found.reason > 0);
        double off = 0, violation = 0, force = 0;
        for (int i = 0; i < a.size(); ++i) off = std::max(off, std::fabs(found.x[i] - reference(i)));
        const std::vector<double> ax = a.times(found.x);
        for (std::size_t r = 0; r < p.rows.size(); ++r) {
          const auto& [block, d] = p.rows[r];
          double along = 0, impulse = 0;
          for (int k = 0; k < 3; ++k) {
            along += d[k] * found.x[3 * block + k];
            impulse += d[k] * (b[3 * block + k] - ax[3 * block + k]);
          }
          violation = std::max(violation, std::fabs(along - dot(d, p.given[block])));
          force = std::max(force, std::fabs(impulse - reference(a.size() + static_cast<int>(r))));
        }
        BOOST_TEST(off <= kSame);
        BOOST_TEST(force <= kSame);
        BOOST_TEST(violation <= 1e-14);  // projected once, and never left: rounding of numbers below one
      }
      if (guess.empty() && std::string(pc) == "jacobi") with_jacobi = found.iterations;
      if (guess.empty() && std::string(pc) == "none") without = found.iterations;
    }
  BOOST_TEST(with_jacobi < without);
}

BOOST_AUTO_TEST_CASE(without_a_filter_these_are_conjugate_gradients) {
  const Rows a = tower(60, 1, 1000, 1e-3);
  const OwnedMat mat = assembled(a);
  const std::vector<double> b = scatter(a.size());
  const Result cg = solve(mat, b, {.ksp = "cg", .max_it = 30, .skip = true});
  const Result found = solve(mat, b, {.ksp = "mpcg", .max_it = 30, .skip = true});
  BOOST_TEST(distance(found.x, cg.x) < 1e-8 * norm_of(cg.x));  // as of pcg: rounding, amplified
}

BOOST_AUTO_TEST_CASE(what_it_cannot_solve_is_said) {
  const OwnedMat indefinite = assembled(diagonal_matrix({1, -1, 2}));
  BOOST_TEST(solve(indefinite, {0, 1, 0}, {.ksp = "mpcg", .pc = "none", .max_it = 30}).reason ==
             KSP_DIVERGED_INDEFINITE_MAT);
}

BOOST_AUTO_TEST_SUITE_END()
