#include "linear/krylov/pcg.hpp"

#include "tests/sparse_operator.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(pcg)

BOOST_AUTO_TEST_CASE(history_is_that_of_petsc_cg) {
  for (const auto& rows : {laplacian(400), tower(60, 1, 1000), tower(40, 3, 100, 1e-3)}) {
    SparseOperator op(rows);
    const OwnedMat shell = shell_of(op), aij = assembled(rows);
    const auto b = scatter(rows.size());
    for (KSPNormType norm : {KSP_NORM_PRECONDITIONED, KSP_NORM_UNPRECONDITIONED, KSP_NORM_NATURAL}) {
      const Settings ours{.ksp = "pcg", .norm = norm, .max_it = 30, .skip = true};
      Settings petscs = ours;
      petscs.ksp = "cg";
      const Result reference = solve(aij, b, petscs);
      for (Mat mat : {(Mat)shell, (Mat)aij}) {
        const Result result = solve(mat, b, ours);
        BOOST_TEST(result.history.size() == 31u);
        BOOST_TEST(history_difference(result, reference, 31) < 1e-8);
        BOOST_TEST(distance(result.x, reference.x) < 1e-8 * norm_of(reference.x));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(all_paths_agree) {
  const Rows rows = tower(50, 2, 100, 1e-2);
  SparseOperator op(rows);
  const OwnedMat shell = shell_of(op), aij = assembled(rows);
  const auto b = scatter(rows.size());
  Settings settings{.ksp = "pcg", .max_it = 25, .skip = true};
  const Result reference = solve(shell, b, settings);
  for (const auto& [mat, pc] :
       {std::pair<Mat, const char*>{aij, "jacobi"}, {aij, "pbjacobi"}, {shell, "block_jacobi"}}) {
    settings.pc = pc;
    const Result result = solve(mat, b, settings);
    BOOST_TEST_CONTEXT(pc) { BOOST_TEST(history_difference(result, reference, 26) < 1e-9); }
  }
}

// What pcr_test shows of pcr does not hold here.
BOOST_AUTO_TEST_CASE(natural_norm_grows_for_a_while) {
  const Rows rows = tower(30, 4, 1e4);
  SparseOperator op(rows);
  const OwnedMat shell = shell_of(op);
  const auto b = rows.times(scatter(rows.size()));
  const Result result = solve(shell, b, {.ksp = "pcg", .norm = KSP_NORM_NATURAL, .max_it = 30, .skip = true});
  double largest_growth = 0;
  for (std::size_t k = 1; k < result.history.size(); ++k)
    largest_growth = std::max(largest_growth, result.history[k] / result.history[k - 1]);
  BOOST_TEST(largest_growth > 1.1);
}

BOOST_AUTO_TEST_CASE(consistent_singular_system_is_solved) {
  const Rows rows = tower(10, 4, 100);
  SparseOperator op(rows);
  const OwnedMat shell = shell_of(op);
  const auto b = rows.times(scatter(rows.size()));
  const Result result = solve(shell, b, {.ksp = "pcg", .max_it = 1000, .skip = true});
  BOOST_TEST(result.reason == KSP_CONVERGED_HAPPY_BREAKDOWN);
  BOOST_TEST(distance(rows.times(result.x), b) < 1e-8 * norm_of(b));
}

BOOST_AUTO_TEST_CASE(breakdowns) {
  const Rows rows = diagonal_matrix({1, 2, 3, 1, 2, 3, 1, 2, 3, 3});
  SparseOperator op(rows);
  const OwnedMat shell = shell_of(op);
  const auto b = scatter(rows.size());
  const Result three = solve(shell, b, {.ksp = "pcg", .pc = "none", .max_it = 50, .skip = true});
  BOOST_TEST(three.reason == KSP_CONVERGED_HAPPY_BREAKDOWN);
  BOOST_TEST(three.iterations == 3);
  BOOST_TEST(distance(rows.times(three.x), b) < 1e-12);
  const std::vector<double> zero(rows.size(), 0.0);
  BOOST_TEST(solve(shell, zero, {.ksp = "pcg", .skip = true}).reason == KSP_CONVERGED_HAPPY_BREAKDOWN);

  std::vector<double> d(20, 1.0), load(20, 0.1);
  d[7] = -1;
  load[7] = 1;
  SparseOperator indefinite(diagonal_matrix(d));
  const OwnedMat bad = shell_of(indefinite);
  BOOST_TEST(solve(bad, load, {.ksp = "pcg", .pc = "none"}).reason == KSP_DIVERGED_INDEFINITE_MAT);
  BOOST_TEST(solve(bad, load, {.ksp = "pcg"}).reason == KSP_DIVERGED_INDEFINITE_PC);
}

BOOST_AUTO_TEST_CASE(budgets_and_their_cost) {
  const Rows rows = laplacian(300);
  SparseOperator op(rows);
  const OwnedMat shell = shell_of(op);
  const auto b = scatter(300);
  const OwnedKsp ksp = solver(shell, {.ksp = "pcg", .max_it = 7, .skip = true});
  run(ksp, b);
  const long allocations = buffer_allocations();
  op.products = 0;
  const Result result = run(ksp, b);
  BOOST_TEST(result.reason == KSP_CONVERGED_ITS);
  BOOST_TEST(result.iterations == 7);
  BOOST_TEST(op.products == 7);
  BOOST_TEST(buffer_allocations() == allocations);
  BOOST_TEST(solve(shell, b, {.ksp = "pcg", .max_it = 7}).reason == KSP_DIVERGED_ITS);
}

BOOST_AUTO_TEST_CASE(initial_guess) {
  const Rows rows = laplacian(100);
  SparseOperator op(rows);
  const OwnedMat shell = shell_of(op);
  const auto solution = scatter(100);
  const Result result = solve(shell, rows.times(solution), {.ksp = "pcg", .rtol = 1e-12, .guess = scatter(100, 2)});
  BOOST_TEST(result.reason == KSP_CONVERGED_RTOL);
  BOOST_TEST(distance(result.x, solution) < 1e-7);
}

BOOST_AUTO_TEST_SUITE_END()
