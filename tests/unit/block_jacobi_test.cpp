#include "linear/preconditioners/block_jacobi.hpp"

#include "tests/sparse_operator.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(block_jacobi)

std::vector<double> apply(PC pc, const std::vector<double>& r) {
  const OwnedVec in = vector_of(r), out = vector_of(r);
  petsc(PCApply(pc, in, out));
  return values_of(out);
}

BOOST_AUTO_TEST_CASE(inverts_the_blocks) {
  const Rows rows = tower(12, 3, 100, 1e-2);
  SparseOperator op(rows, 3);
  const OwnedMat shell = shell_of(op);
  const OwnedKsp ksp = solver(shell, {.pc = "block_jacobi"});
  PC pc = nullptr;
  petsc(KSPGetPC(ksp, &pc));
  petsc(KSPSetUp(ksp));
  const auto r = scatter(rows.size());
  const auto z = apply(pc, r);
  // The same blocks, inverted by PETSc.
  const OwnedMat aij = assembled(rows);
  petsc(MatSetBlockSize(aij, 3));
  const OwnedKsp other = solver(aij, {.ksp = "preonly", .pc = "pbjacobi"});
  PC reference = nullptr;
  petsc(KSPGetPC(other, &reference));
  petsc(KSPSetUp(other));
  const auto expected = apply(reference, r);
  BOOST_TEST(distance(z, expected) < 1e-10 * norm_of(expected));
}

// pcr applies it to Views, PETSc's cr through Vecs.
BOOST_AUTO_TEST_CASE(serves_clarke_and_petsc) {
  const Rows rows = tower(30, 3, 1000, 1e-2);
  SparseOperator op(rows, 3);
  const OwnedMat shell = shell_of(op);
  const auto b = scatter(rows.size());
  const Result ours = solve(shell, b, {.pc = "block_jacobi", .max_it = 20, .skip = true});
  const Result petscs = solve(shell, b, {.ksp = "cr", .pc = "block_jacobi", .max_it = 20, .skip = true});
  BOOST_TEST(history_difference(ours, petscs, 21) < 1e-8);
}

// Strong coupling inside the blocks, tri(−1, 2, −1) ⊗ B: block Jacobi removes B, whatever its condition number.
BOOST_AUTO_TEST_CASE(helps) {
  const double B[3][3] = {{1, 0.99, 0.9}, {0.99, 1, 0.94}, {0.9, 0.94, 1}};
  const int blocks = 20;
  Rows rows;
  for (int i = 0; i < blocks; ++i)
    for (int r = 0; r < 3; ++r) {
      for (int j = std::max(0, i - 1); j <= std::min(blocks - 1, i + 1); ++j)
        for (int c = 0; c < 3; ++c) rows.add(3 * j + c, (i == j ? 2 : -1) * B[r][c]);
      rows.end_row();
    }
  SparseOperator op(rows, 3);
  const OwnedMat shell = shell_of(op);
  const auto b = scatter(rows.size());
  const Result block = solve(shell, b, {.pc = "block_jacobi", .norm = KSP_NORM_UNPRECONDITIONED});
  const Result point = solve(shell, b, {.pc = "jacobi", .norm = KSP_NORM_UNPRECONDITIONED});
  BOOST_TEST(block.reason > 0);
  BOOST_TEST(block.iterations <= blocks + 1);
  BOOST_TEST(2 * block.iterations < point.iterations);
}

BOOST_AUTO_TEST_CASE(factorises_once_per_linearisation) {
  const Rows rows = laplacian(12);
  SparseOperator op(rows, 3);
  const OwnedMat shell = shell_of(op);
  const OwnedKsp ksp = solver(shell, {.pc = "block_jacobi"});
  run(ksp, scatter(12));
  run(ksp, scatter(12, 2));
  BOOST_TEST(op.factorisations == 1);
  petsc(MatAssemblyBegin(shell, MAT_FINAL_ASSEMBLY));
  petsc(MatAssemblyEnd(shell, MAT_FINAL_ASSEMBLY));
  run(ksp, scatter(12));
  BOOST_TEST(op.factorisations == 2);
}

BOOST_AUTO_TEST_CASE(refuses_assembled_matrices) {
  const OwnedMat aij = assembled(laplacian(12));
  const OwnedKsp ksp = solver(aij, {.pc = "block_jacobi"});
  BOOST_TEST(quietly([&] { return KSPSetUp(ksp); }) == PETSC_ERR_SUP);
}

BOOST_AUTO_TEST_SUITE_END()
