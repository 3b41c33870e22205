#include "linear/krylov/pcr.hpp"

#include "framework/error.hpp"
#include "framework/petsc_views.hpp"
#include "tests/sparse_operator.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(pcr)

// PETSc's cr is an independent implementation. Only its preconditioned norm can be compared: with the unpreconditioned
// one PETSc 3.18 adds α q to r where it should subtract (monitors_see_the_iterates checks ours).
BOOST_AUTO_TEST_CASE(history_is_that_of_petsc_cr) {
  for (const auto& rows : {laplacian(400), tower(60, 1, 1000), tower(40, 3, 100, 1e-3)}) {
    SparseOperator op(rows);
    const OwnedMat shell = shell_of(op), aij = assembled(rows);
    const auto b = scatter(rows.size());
    const Result reference = solve(aij, b, {.ksp = "cr", .max_it = 30, .skip = true});
    for (Mat mat : {(Mat)shell, (Mat)aij}) {
      const Result result = solve(mat, b, {.max_it = 30, .skip = true});
      BOOST_TEST(result.history.size() == 31u);
      BOOST_TEST(history_difference(result, reference, 31) < 1e-8);
      BOOST_TEST(distance(result.x, reference.x) < 1e-8 * norm_of(reference.x));
    }
  }
}

// A by View or by PETSc, P as a fused diagonal, on Views or by PETSc: the same arithmetic.
BOOST_AUTO_TEST_CASE(all_paths_agree) {
  const Rows rows = tower(50, 2, 100, 1e-2);
  SparseOperator op(rows);
  const OwnedMat shell = shell_of(op), aij = assembled(rows);
  const auto b = scatter(rows.size());
  Settings settings{.max_it = 25, .skip = true};
  const Result reference = solve(shell, b, settings);
  const auto check = [&](Mat mat, const char* pc) {
    settings.pc = pc;
    const Result result = solve(mat, b, settings);
    BOOST_TEST_CONTEXT(pc) { BOOST_TEST(history_difference(result, reference, 26) < 1e-10); }
  };
  check(aij, "jacobi");
  check(aij, "pbjacobi");        // blocks of one: the diagonal, through PCApply
  check(shell, "block_jacobi");  // blocks of one: the diagonal, on Views
}

BOOST_AUTO_TEST_CASE(natural_norm_never_grows_on_singular_systems) {
  for (int copies : {2, 4}) {
    const Rows rows = tower(30, copies, 1e4);
    SparseOperator op(rows);
    const OwnedMat shell = shell_of(op);
    const auto b = rows.times(scatter(rows.size()));
    const Result result = solve(shell, b, {.norm = KSP_NORM_NATURAL, .max_it = 200, .skip = true});
    for (std::size_t k = 1; k < result.history.size(); ++k)
      BOOST_TEST(result.history[k] <= result.history[k - 1] * (1 + 1e-12));
    BOOST_TEST(result.history.back() < 1e-8 * result.history.front());
  }
}

BOOST_AUTO_TEST_CASE(iterating_past_convergence_is_harmless) {
  const Rows rows = tower(10, 4, 100);
  SparseOperator op(rows);
  const OwnedMat shell = shell_of(op);
  const auto solution = scatter(rows.size());
  const auto b = rows.times(solution);
  const Result result = solve(shell, b, {.max_it = 1000, .skip = true});
  BOOST_TEST(result.reason == KSP_CONVERGED_HAPPY_BREAKDOWN);
  BOOST_TEST(result.iterations < 40);
  BOOST_TEST(distance(rows.times(result.x), b) < 1e-8 * norm_of(b));
  BOOST_TEST(norm_of(result.x) < 2 * norm_of(solution));
}

BOOST_AUTO_TEST_CASE(inconsistent_system_stops_early) {
  const Rows rows = tower(3, 3, 100);
  SparseOperator op(rows);
  const OwnedMat shell = shell_of(op);
  const Result result = solve(shell, scatter(rows.size()), {.max_it = 1000, .skip = true});
  BOOST_TEST(result.reason == KSP_CONVERGED_HAPPY_BREAKDOWN);
  BOOST_TEST(norm_of(result.x) < 1e5);
}

BOOST_AUTO_TEST_CASE(happy_breakdown) {
  // Three distinct eigenvalues, no preconditioner: three iterations.
  const Rows rows = diagonal_matrix({1, 2, 3, 1, 2, 3, 1, 2, 3, 3});
  SparseOperator op(rows);
  const OwnedMat shell = shell_of(op);
  const auto b = scatter(rows.size());
  const Result three = solve(shell, b, {.pc = "none", .max_it = 50, .skip = true});
  BOOST_TEST(three.reason == KSP_CONVERGED_HAPPY_BREAKDOWN);
  BOOST_TEST(three.iterations == 3);
  BOOST_TEST(distance(rows.times(three.x), b) < 1e-12);
  // With Jacobi it is the identity.
  const Result one = solve(shell, b, {.max_it = 50, .skip = true});
  BOOST_TEST(one.reason == KSP_CONVERGED_HAPPY_BREAKDOWN);
  BOOST_TEST(one.iterations == 1);
  // b = 0.
  const std::vector<double> zero(rows.size(), 0.0);
  BOOST_TEST(solve(shell, zero, {.max_it = 50, .skip = true}).reason == KSP_CONVERGED_HAPPY_BREAKDOWN);
  const Result nothing = solve(shell, zero, {});
  BOOST_TEST(nothing.reason == KSP_CONVERGED_ATOL);
  BOOST_TEST(nothing.iterations == 0);
  BOOST_TEST(norm_of(nothing.x) == 0.0);
}

BOOST_AUTO_TEST_CASE(indefinite_systems_are_reported) {
  std::vector<double> d(20, 1.0);
  d[7] = -1;
  SparseOperator op(diagonal_matrix(d));
  const OwnedMat shell = shell_of(op);
  std::vector<double> b(20, 0.1);
  b[7] = 1;
  BOOST_TEST(solve(shell, b, {.pc = "none"}).reason == KSP_DIVERGED_INDEFINITE_MAT);
  BOOST_TEST(solve(shell, b, {.pc = "jacobi"}).reason == KSP_DIVERGED_INDEFINITE_PC);
}

BOOST_AUTO_TEST_CASE(not_a_number_is_reported) {
  std::vector<double> d(20, 1.0);
  SparseOperator op(diagonal_matrix(d));
  const OwnedMat shell = shell_of(op);
  auto b = scatter(20);
  b[3] = std::numeric_limits<double>::quiet_NaN();
  BOOST_TEST(solve(shell, b, {.skip = true}).reason == KSP_DIVERGED_NANORINF);
}

BOOST_AUTO_TEST_CASE(budgets_and_their_cost) {
  const Rows rows = laplacian(300);
  SparseOperator op(rows);
  const OwnedMat shell = shell_of(op);
  const auto b = scatter(300);
  for (KSPNormType norm : {KSP_NORM_PRECONDITIONED, KSP_NORM_NONE}) {
    const OwnedKsp ksp = solver(shell, {.norm = norm, .max_it = 7, .skip = true});
    Result result = run(ksp, b);
    BOOST_TEST(result.reason == KSP_CONVERGED_ITS);
    BOOST_TEST(result.iterations == 7);
    const long allocations = buffer_allocations(), copies = petsc_vector_copies();
    op.products = 0;
    result = run(ksp, b);
    BOOST_TEST(op.products == 7);
    BOOST_TEST(buffer_allocations() == allocations);
    BOOST_TEST(petsc_vector_copies() - copies == (kDeviceIsHost ? 0 : 2));
  }
  const Result cut = solve(shell, b, {.max_it = 7});
  BOOST_TEST(cut.reason == KSP_DIVERGED_ITS);
  BOOST_TEST(cut.iterations == 7);
  BOOST_TEST(solve(shell, b, {.max_it = 0}).iterations == 0);
}

BOOST_AUTO_TEST_CASE(initial_guess) {
  const Rows rows = laplacian(100);
  SparseOperator op(rows);
  const OwnedMat shell = shell_of(op);
  const auto solution = scatter(100), guess = scatter(100, 2);
  const auto b = rows.times(solution);
  Settings settings{.max_it = 40, .skip = true, .guess = guess};
  const Result started = solve(shell, b, settings);
  // A (x − guess) = b − A guess has the same history.
  auto rhs = b;
  const auto image = rows.times(guess);
  for (int i = 0; i < 100; ++i) rhs[i] -= image[i];
  settings.guess.clear();
  const Result shifted = solve(shell, rhs, settings);
  BOOST_TEST(history_difference(started, shifted, 30) < 1e-9);
  // Starting at the solution there is nothing to do.
  const Result done = solve(shell, b, {.rtol = 1e-8, .guess = solution});
  BOOST_TEST(done.iterations == 0);
  BOOST_TEST(distance(done.x, solution) == 0.0);
}

BOOST_AUTO_TEST_CASE(relinearisation_is_seen) {
  std::vector<double> d(30, 1.0);
  SparseOperator op(diagonal_matrix(d)), other(diagonal_matrix(std::vector<double>(30, 4.0)));
  const OwnedMat first = shell_of(op), second = shell_of(other);
  const OwnedKsp ksp = solver(first, {});
  const auto b = scatter(30);
  BOOST_TEST(distance(run(ksp, b).x, b) < 1e-12);
  petsc(KSPSetOperators(ksp, second, second));
  auto quarter = b;
  for (double& v : quarter) v /= 4;
  const Result result = run(ksp, b);
  BOOST_TEST(result.iterations == 1);
  BOOST_TEST(distance(result.x, quarter) < 1e-12);
}

struct Monitored {
  const Rows* rows;
  std::vector<double> b, reported, recomputed;
};

PetscErrorCode monitor(KSP ksp, PetscInt, PetscReal value, void* context) {
  auto* seen = static_cast<Monitored*>(context);
  Vec x = nullptr;
  PetscFunctionBegin;
  PetscCall(KSPBuildSolution(ksp, nullptr, &x));
  const auto image = seen->rows->times(values_of(x));
  seen->reported.push_back(value);
  seen->recomputed.push_back(distance(image, seen->b));
  PetscFunctionReturn(0);
}

BOOST_AUTO_TEST_CASE(monitors_see_the_iterates) {
  const Rows rows = laplacian(50);
  SparseOperator op(rows);
  const OwnedMat shell = shell_of(op);
  Monitored seen{&rows, scatter(50), {}, {}};
  const OwnedKsp ksp = solver(shell, {.norm = KSP_NORM_UNPRECONDITIONED, .max_it = 12, .skip = true});
  petsc(KSPMonitorSet(ksp, monitor, &seen, nullptr));
  run(ksp, seen.b);
  BOOST_TEST(seen.reported.size() == 13u);
  for (std::size_t k = 0; k < seen.reported.size(); ++k)
    BOOST_TEST(std::abs(seen.reported[k] - seen.recomputed[k]) < 1e-10 * seen.reported[0]);
}

BOOST_AUTO_TEST_CASE(options_are_read) {
  const Rows rows = laplacian(200);
  SparseOperator op(rows);
  const OwnedMat shell = shell_of(op);
  const auto b = scatter(200);
  petsc(PetscOptionsSetValue(nullptr, "-pcr_breakdown", "0.1"));
  const Result early = solve(shell, b, {.norm = KSP_NORM_NATURAL, .max_it = 500, .skip = true});
  petsc(PetscOptionsSetValue(nullptr, "-pcr_breakdown", "-3"));
  PcrOptions options;
  BOOST_CHECK_THROW(read_options(options), InputError);
  petsc(PetscOptionsClearValue(nullptr, "-pcr_breakdown"));
  BOOST_TEST(early.reason == KSP_CONVERGED_HAPPY_BREAKDOWN);
  BOOST_TEST(early.history.back() <= 0.1 * early.history.front());
  BOOST_TEST(early.history.at(early.history.size() - 2) > 0.1 * early.history.front());
}

BOOST_AUTO_TEST_SUITE_END()
