// Jacobi and Gauss-Seidel relaxation on tri(−1, 2, −1), whose convergence rates are known in closed form.

#include "linear/krylov/gauss_seidel.hpp"
#include "linear/krylov/jacobi.hpp"
#include "tests/sparse_operator.hpp"

#include <boost/test/unit_test.hpp>

#include <numbers>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(relaxation)

constexpr int kSize = 20;
const double kAngle = std::numbers::pi / (kSize + 1);

double final_rate(const Result& result) { return result.history.back() / result.history.at(result.history.size() - 2); }

// λ(P A) = 1 − cos(k π/(n+1)): the slowest error component shrinks by 1 − ω (1 − cos(π/(n+1))).
BOOST_AUTO_TEST_CASE(jacobi_converges_at_its_rate) {
  const Rows rows = laplacian(kSize);
  SparseOperator op(rows);
  const OwnedMat shell = shell_of(op), aij = assembled(rows);
  const auto solution = scatter(kSize);
  const double lambda_max = 1 + std::cos(kAngle), lambda_min = 1 - std::cos(kAngle);
  const Settings settings{.ksp = "jacobi", .max_it = 4000, .rtol = 1e-9};
  for (Mat mat : {(Mat)shell, (Mat)aij}) {
    const Result result = solve(mat, rows.times(solution), settings);
    BOOST_TEST(result.reason == KSP_CONVERGED_RTOL);
    BOOST_TEST(distance(result.x, solution) < 1e-6);
    // The power iteration gives λ_max within a few per cent, from below.
    BOOST_TEST(final_rate(result) <= 1 - lambda_min / lambda_max + 1e-9);
    BOOST_TEST(final_rate(result) >= 1 - lambda_min / (0.9 * lambda_max));
  }
  petsc(PetscOptionsSetValue(nullptr, "-jacobi_omega", "0.4"));
  const Result fixed = solve(shell, rows.times(solution), settings);
  petsc(PetscOptionsClearValue(nullptr, "-jacobi_omega"));
  BOOST_TEST(std::abs(final_rate(fixed) - (1 - 0.4 * lambda_min)) < 1e-6);
}

BOOST_AUTO_TEST_CASE(jacobi_needs_its_damping) {
  const Rows rows = tower(5, 4, 10);  // four redundant contacts per interface: λ_max(P A) > 2
  SparseOperator op(rows);
  const OwnedMat shell = shell_of(op);
  const auto b = rows.times(scatter(rows.size()));
  petsc(PetscOptionsSetValue(nullptr, "-jacobi_omega", "1"));
  const Result undamped = solve(shell, b, {.ksp = "jacobi", .max_it = 200});
  petsc(PetscOptionsClearValue(nullptr, "-jacobi_omega"));
  BOOST_TEST(undamped.history.back() > 1e3 * undamped.history.front());
  const Result damped = solve(shell, b, {.ksp = "jacobi", .max_it = 20000, .rtol = 1e-8});
  BOOST_TEST(damped.reason == KSP_CONVERGED_RTOL);
}

BOOST_AUTO_TEST_CASE(power_iteration_runs_once_per_linearisation) {
  const Rows rows = laplacian(kSize);
  SparseOperator op(rows);
  const OwnedMat shell = shell_of(op);
  const OwnedKsp ksp = solver(shell, {.ksp = "jacobi", .max_it = 5, .skip = true});
  const auto b = scatter(kSize);
  const auto products = [&] {
    op.products = 0;
    run(ksp, b);
    return op.products;
  };
  BOOST_TEST(products() == 30 + 5);
  BOOST_TEST(products() == 5);
  petsc(MatAssemblyBegin(shell, MAT_FINAL_ASSEMBLY));
  petsc(MatAssemblyEnd(shell, MAT_FINAL_ASSEMBLY));
  BOOST_TEST(products() == 30 + 5);
}

BOOST_AUTO_TEST_CASE(indefinite_matrix_is_reported) {
  SparseOperator op(diagonal_matrix(std::vector<double>(20, -1.0)));
  const OwnedMat shell = shell_of(op);
  BOOST_TEST(solve(shell, scatter(20), {.ksp = "jacobi", .pc = "none"}).reason == KSP_DIVERGED_INDEFINITE_MAT);
}

// Block Jacobi as the preconditioner makes the block relaxation: exact when one block is everything.
BOOST_AUTO_TEST_CASE(jacobi_takes_other_preconditioners) {
  const Rows rows = laplacian(8);
  SparseOperator op(rows, 8);
  const OwnedMat shell = shell_of(op);
  const auto solution = scatter(8);
  const Result result = solve(shell, rows.times(solution), {.ksp = "jacobi", .pc = "block_jacobi"});
  BOOST_TEST(result.iterations <= 2);
  BOOST_TEST(distance(result.x, solution) < 1e-10);
}

// Consistently ordered: the spectral radius is that of Jacobi squared.
BOOST_AUTO_TEST_CASE(gauss_seidel_converges_at_its_rate) {
  const Rows rows = laplacian(kSize);
  SparseOperator op(rows);
  const OwnedMat shell = shell_of(op);
  const auto solution = scatter(kSize);
  const Result result = solve(shell, rows.times(solution), {.ksp = "gauss_seidel", .max_it = 4000, .rtol = 1e-10});
  BOOST_TEST(result.reason == KSP_CONVERGED_RTOL);
  BOOST_TEST(distance(result.x, solution) < 1e-7);
  BOOST_TEST(std::abs(final_rate(result) - std::cos(kAngle) * std::cos(kAngle)) < 1e-6);
}

BOOST_AUTO_TEST_CASE(gauss_seidel_matches_petsc) {
  const Rows rows = laplacian(50);  // no two rows of one pattern, which PETSc would take together as a block
  SparseOperator op(rows);
  const OwnedMat shell = shell_of(op), aij = assembled(rows);
  const auto b = scatter(rows.size());
  const Result ours =
      solve(shell, b, {.ksp = "gauss_seidel", .norm = KSP_NORM_UNPRECONDITIONED, .max_it = 6, .skip = true});
  // One local forward sweep of PCSOR per Richardson step.
  petsc(PetscOptionsSetValue(nullptr, "-pc_sor_forward", nullptr));
  const Result reference =
      solve(aij, b, {.ksp = "richardson", .pc = "sor", .norm = KSP_NORM_UNPRECONDITIONED, .max_it = 6, .skip = true});
  petsc(PetscOptionsClearValue(nullptr, "-pc_sor_forward"));
  BOOST_TEST(ours.reason == KSP_CONVERGED_ITS);
  BOOST_TEST(distance(ours.x, reference.x) < 1e-12 * norm_of(reference.x));
}

BOOST_AUTO_TEST_CASE(gauss_seidel_without_norm_makes_no_products) {
  const Rows rows = laplacian(kSize);
  SparseOperator op(rows);
  const OwnedMat shell = shell_of(op);
  const auto guess = scatter(kSize, 2);
  Settings settings{.ksp = "gauss_seidel", .max_it = 9, .skip = true};
  const Result with = solve(shell, scatter(kSize), settings);
  settings.norm = KSP_NORM_NONE;
  const OwnedKsp ksp = solver(shell, settings);
  op.products = 0;
  const Result without = run(ksp, scatter(kSize));
  BOOST_TEST(op.products == 0);
  BOOST_TEST(without.iterations == 9);
  BOOST_TEST(distance(with.x, without.x) == 0.0);
  // A guess is kept, zero is not assumed.
  const Result guessed = run(ksp, scatter(kSize), guess);
  BOOST_TEST(distance(guessed.x, without.x) > 1e-6);
}

BOOST_AUTO_TEST_CASE(gauss_seidel_refuses_what_it_cannot_sweep) {
  const Rows rows = laplacian(kSize);
  SparseOperator op(rows);
  op.sweeps_available = false;
  const OwnedMat shell = shell_of(op), aij = assembled(rows);
  for (Mat mat : {(Mat)shell, (Mat)aij}) {
    const OwnedKsp ksp = solver(mat, {.ksp = "gauss_seidel"});
    BOOST_TEST(quietly([&] { return KSPSetUp(ksp); }) == PETSC_ERR_SUP);
  }
}

BOOST_AUTO_TEST_SUITE_END()
