// Every linear solver on the same systems, Clarke's beside PETSc's; and the same bits on any number of threads.

#include "tests/sparse_operator.hpp"

#include <boost/test/unit_test.hpp>

#include <cstring>
#if defined(_OPENMP)
#include <omp.h>
#endif

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(krylov)

struct Method {
  const char *ksp, *pc;
  bool needs_matrix;
};

BOOST_AUTO_TEST_CASE(all_find_the_same_solution) {
  const Method methods[] = {
      {"pcr", "jacobi", false},
      {"pcr", "block_jacobi", false},
      {"pcr", "none", false},
      {"pcr", "ilu", true},
      {"pcg", "jacobi", false},
      {"pcg", "block_jacobi", false},
      {"jacobi", "jacobi", false},
      {"jacobi", "block_jacobi", false},
      {"gauss_seidel", "jacobi", false},
      {"gauss_seidel", "none", false},
      {"cr", "jacobi", false},
      {"cg", "block_jacobi", false},
      {"minres", "jacobi", false},
      {"gmres", "jacobi", false},
      {"preonly", "cholesky", true},
  };
  for (const auto& rows : {laplacian(30), tower(12, 1, 10), tower(8, 3, 4, 0.1)}) {
    SparseOperator op(rows, 3);
    const OwnedMat shell = shell_of(op), aij = assembled(rows);
    petsc(MatSetOption(aij, MAT_SPD, PETSC_TRUE));
    const auto solution = scatter(rows.size());
    const auto b = rows.times(solution);
    for (const Method& method : methods) {
      BOOST_TEST_CONTEXT(method.ksp << " with " << method.pc) {
        Settings settings{.ksp = method.ksp, .pc = method.pc, .max_it = 20000, .rtol = 1e-11};
        if (settings.ksp == "preonly") settings.norm = KSP_NORM_NONE;
        const Result result = solve(method.needs_matrix ? aij : shell, b, settings);
        BOOST_TEST(result.reason > 0);
        BOOST_TEST(distance(result.x, solution) < 1e-6 * norm_of(solution));
      }
    }
  }
}

// Conjugate residuals and MINRES minimise the same norm over the same space.
BOOST_AUTO_TEST_CASE(pcr_has_the_iterates_of_minres) {
  const Rows rows = tower(60, 2, 100, 1e-2);
  SparseOperator op(rows);
  const OwnedMat shell = shell_of(op);
  const auto b = scatter(rows.size());
  for (int k : {1, 5, 10, 20}) {
    const Result pcr = solve(shell, b, {.max_it = k, .skip = true});
    const Result minres = solve(shell, b, {.ksp = "minres", .max_it = k, .skip = true});
    BOOST_TEST(distance(pcr.x, minres.x) < 1e-9 * norm_of(pcr.x));
  }
}

/// Runs f where Kokkos may use one thread only.
template <class F>
void on_one_thread(F f) {
#if defined(_OPENMP) && defined(KOKKOS_ENABLE_OPENMP)
  // Inside a parallel region Kokkos does not start threads of its own. It fills new views there without saying so.
#pragma omp parallel num_threads(2)
  {
#pragma omp master
    {
      [[maybe_unused]] const KernelScope scope;
      f();
    }
  }
#else
  f();
#endif
}

BOOST_AUTO_TEST_CASE(bits_do_not_depend_on_threads) {
  const int n = 40 * kSumChunk + 123;
  const Rows rows = laplacian(n);
  SparseOperator op(rows);
  const OwnedMat shell = shell_of(op);
  const auto b = scatter(n);
  for (const char* ksp : {"pcr", "pcg", "jacobi"}) {
    for (const char* pc : {"jacobi", "none"}) {
      const Settings settings{.ksp = ksp, .pc = pc, .max_it = 15, .skip = true};
      const Result many = solve(shell, b, settings);
      Result one;
      on_one_thread([&] { one = solve(shell, b, settings); });
      BOOST_TEST_CONTEXT(ksp << " with " << pc) {
        BOOST_TEST(many.history.size() == 16u);
        BOOST_TEST(many.history == one.history);
        BOOST_TEST((std::memcmp(many.x.data(), one.x.data(), n * sizeof(double)) == 0));
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(flops_and_registrations) {
  ensure_registered();
  SparseOperator op(laplacian(1000));
  const OwnedMat shell = shell_of(op);
  PetscLogDouble before = 0, after = 0;
  petsc(PetscGetFlops(&before));
  solve(shell, scatter(1000), {.max_it = 10, .skip = true});
  petsc(PetscGetFlops(&after));
  BOOST_TEST(after - before >= 10 * 22 * 1000);
}

BOOST_AUTO_TEST_SUITE_END()
