#include "linear/factorisations/multifrontal_lu.hpp"
#include "tests/coupled_blocks.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <limits>

using namespace clarke;
using namespace clarke::test;
namespace data = boost::unit_test::data;

BOOST_AUTO_TEST_SUITE(multifrontal)

/// Rounding of a solution by elimination with moderate growth, over |A| |x| + |b|: a few hundred additions each.
constexpr double kBackwardError = 1e-13;

Rows transposed(const Rows& a) {
  std::vector<std::vector<std::pair<int, double>>> rows(a.size());
  for (int i = 0; i < a.size(); ++i)
    for (int k = a.start[i]; k < a.start[i + 1]; ++k) rows[a.column[k]].emplace_back(i, a.value[k]);
  Rows t;
  for (const auto& row : rows) {
    for (const auto& [j, v] : row) t.add(j, v);
    t.end_row();
  }
  return t;
}

/// Largest |A x − b| over |A| |x| + |b|, by rows.
double backward_error(const Rows& a, const std::vector<double>& x, const std::vector<double>& b) {
  Rows size = a;
  for (double& v : size.value) v = std::fabs(v);
  std::vector<double> xs = x;
  for (double& v : xs) v = std::fabs(v);
  const auto ax = a.times(x), scale = size.times(xs);
  double largest = 0;
  for (int i = 0; i < a.size(); ++i)
    largest = std::max(largest, std::fabs(ax[i] - b[i]) / (scale[i] + std::fabs(b[i])));
  return largest;
}

const Blocks kBlocks[] = {{1, {1}, 0},           {1, {6}, 0},        {7, {6}, 0},
                          {40, {6}, 4},          {90, {3}, 3},       {60, {1}, 2},
                          {50, {6, 3, 1, 6}, 5}, {60, {6}, 6, 0.6},  {60, {6, 3}, 4, 0.3, true},
                          {30, {6}, 30},         {5, {17, 2, 31}, 2}};

BOOST_DATA_TEST_CASE(solves, data::make(kBlocks), blocks) {
  for (unsigned seed : {1u, 2u}) {
    const Rows a = coupled_blocks(blocks, seed), at = transposed(a);
    for (const auto& order : {natural(a.size()), shuffled(a.size(), seed)}) {
      MultifrontalLu lu(pattern_of(a), order.data());
      BOOST_TEST_REQUIRE(lu.factorise(a.value.data(), 1e-100).row == -1);
      const auto b = scatter(a.size());
      std::vector<double> x(b.size());
      lu.solve(b.data(), x.data());
      BOOST_TEST(backward_error(a, x, b) < kBackwardError);
      x = b;
      lu.solve_transposed(x.data(), x.data());
      BOOST_TEST(backward_error(at, x, b) < kBackwardError);
    }
  }
}

// Registers of any width, panels and tiles make the same factors as one entry after another, to the last bit.
BOOST_AUTO_TEST_CASE(products_are_taken_in_order) {
  for (int n : {1, 2, 3, 5, 6, 7, 11, 12, 13, 24, 37}) {
    for (int p : {n, (2 * n + 2) / 3}) {
      const int ld = FrontTree::panel_stride(n), q = n - p, ldx = FrontTree::stride(q);
      const Rows rows = coupled_blocks({1, {n}, 1}, n);
      std::vector<double> a = rows.value;  // n × n
      std::vector<double> P(p * ld + 4, 0.0), X(p * ldx + 4, 0.0), S(q * ldx + 4, 0.0), inverse(p);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          (i < p ? P[i * ld + j] : j < p ? X[j * ldx + i - p] : S[(i - p) * ldx + j - p]) = a[i * n + j];
      std::vector<int> swap(p);
      BOOST_TEST_REQUIRE(eliminate_pivots(P.data(), ld, p, p, n, swap.data(), inverse.data(), 0).row == -1);
      divide_by_upper(X.data(), ldx, q, P.data(), ld, p, inverse.data());
      subtract_update(S.data(), ldx, X.data(), ldx, P.data() + p, ld, q, q, p);
      for (int k = 0; k < p; ++k)
        for (int i = k + 1; i < n; ++i) {
          a[i * n + k] *= 1 / a[k * n + k];
          for (int j = k + 1; j < n; ++j) a[i * n + j] -= a[i * n + k] * a[k * n + j];
        }
      int different = 0;
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          different += (i < p ? P[i * ld + j] : j < p ? X[j * ldx + i - p] : S[(i - p) * ldx + j - p]) != a[i * n + j];
      BOOST_TEST(different == 0, "n = " << n << ", p = " << p << ": " << different << " entries differ");
    }
  }
}

// What is zero takes no part, and may next time.
BOOST_AUTO_TEST_CASE(zeros_come_and_go) {
  const Rows full = coupled_blocks({60, {6}, 6}, 3);
  Rows sparse = full;
  for (int i = 0; i < full.size(); ++i)
    for (int k = full.start[i]; k < full.start[i + 1]; ++k)
      if (const int a = i / 6, b = full.column[k] / 6; a != b && (a + b) % 3 > 0) sparse.value[k] = 0;
  const auto order = shuffled(full.size(), 5);
  MultifrontalLu lu(pattern_of(full), order.data()), fresh(pattern_of(full), order.data());
  const auto b = scatter(full.size());
  std::vector<double> x(b.size()), y(b.size());
  BOOST_TEST_REQUIRE(lu.factorise(full.value.data(), 0).row == -1);
  const double all = lu.flops();
  BOOST_TEST_REQUIRE(lu.factorise(sparse.value.data(), 0).row == -1);
  BOOST_TEST(lu.flops() < 0.7 * all);
  lu.solve(b.data(), x.data());
  BOOST_TEST(backward_error(sparse, x, b) < kBackwardError);
  BOOST_TEST_REQUIRE(lu.factorise(full.value.data(), 0).row == -1);
  BOOST_TEST_REQUIRE(fresh.factorise(full.value.data(), 0).row == -1);
  lu.solve(b.data(), x.data());
  fresh.solve(b.data(), y.data());
  BOOST_TEST(x == y, boost::test_tools::per_element());
}

// A pivot of 1e-20 beside one of 1 in the same front.
BOOST_AUTO_TEST_CASE(rows_of_a_front_are_swapped) {
  Rows a = coupled_blocks({12, {6}, 3}, 4);
  for (int i = 0; i < a.size(); ++i)
    for (int k = a.start[i]; k < a.start[i + 1]; ++k)
      if (i % 6 == 0 && a.column[k] == i) a.value[k] = 1e-20;
  const auto order = natural(a.size());
  MultifrontalLu lu(pattern_of(a), order.data());
  BOOST_TEST_REQUIRE(lu.factorise(a.value.data(), 0).row == -1);
  const auto b = scatter(a.size());
  std::vector<double> x(b.size());
  lu.solve(b.data(), x.data());
  BOOST_TEST(backward_error(a, x, b) < kBackwardError);
  lu.solve_transposed(b.data(), x.data());
  BOOST_TEST(backward_error(transposed(a), x, b) < kBackwardError);
}

BOOST_AUTO_TEST_CASE(pivots_that_are_none_are_named) {
  const Rows good = coupled_blocks({12, {6}, 3}, 4);
  const auto order = shuffled(good.size(), 1);
  MultifrontalLu lu(pattern_of(good), order.data());
  for (const double wrong : {0.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Rows bad = good;
    for (int k = bad.start[20]; k < bad.start[21]; ++k) bad.value[k] = bad.column[k] == 20 ? wrong : 0;
    BOOST_TEST(lu.factorise(bad.value.data(), 1e-100).row == 20);
  }
  BOOST_TEST(lu.factorise(good.value.data(), 1e-100).row == -1);
}

PetscErrorCode use(KSP ksp, const char* package, const char* ordering) {
  PC pc = nullptr;
  PetscFunctionBegin;
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCFactorSetMatSolverType(pc, package));
  if (ordering) PetscCall(PCFactorSetMatOrderingType(pc, ordering));
  PetscFunctionReturn(0);
}

BOOST_AUTO_TEST_CASE(is_a_package_of_petsc) {
  const Rows a = coupled_blocks({40, {6, 3}, 4, 0.2}, 6);
  const OwnedMat mat = assembled(a);
  const auto b = scatter(a.size());
  for (const char* ordering : {MATORDERINGNATURAL, MATORDERINGND, MATORDERINGRCM, MATORDERINGQMD, MATORDERINGAMD}) {
    const OwnedKsp ksp = solver(mat, {.ksp = "preonly", .pc = "lu"});
    petsc(use(ksp, "multifrontal", ordering));
    const OwnedVec in = vector_of(b), out = vector_of(b);
    petsc(KSPSolve(ksp, in, out));
    BOOST_TEST(backward_error(a, values_of(out), b) < kBackwardError, ordering);
    petsc(KSPSolveTranspose(ksp, in, out));
    BOOST_TEST(backward_error(transposed(a), values_of(out), b) < kBackwardError, ordering);
  }
}

BOOST_AUTO_TEST_CASE(a_singular_matrix_fails_the_solve) {
  Rows a = coupled_blocks({8, {6}, 2}, 7);
  for (int k = a.start[9]; k < a.start[10]; ++k) a.value[k] = 0;
  const OwnedMat mat = assembled(a);
  const OwnedKsp ksp = solver(mat, {.ksp = "preonly", .pc = "lu"});
  petsc(use(ksp, "multifrontal", nullptr));
  const OwnedVec in = vector_of(scatter(a.size())), out = vector_of(scatter(a.size()));
  petsc(KSPSolve(ksp, in, out));
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  petsc(KSPGetConvergedReason(ksp, &reason));
  BOOST_TEST(static_cast<int>(reason) == static_cast<int>(KSP_DIVERGED_PC_FAILED));
}

BOOST_AUTO_TEST_CASE(shifts_are_refused) {
  const OwnedMat mat = assembled(coupled_blocks({8, {6}, 2}, 7));
  const OwnedKsp ksp = solver(mat, {.ksp = "preonly", .pc = "lu"});
  petsc(use(ksp, "multifrontal", nullptr));
  PC pc = nullptr;
  petsc(KSPGetPC(ksp, &pc));
  petsc(PCFactorSetShiftType(pc, MAT_SHIFT_NONZERO));
  BOOST_TEST(quietly([&] { return KSPSetUp(ksp); }) == PETSC_ERR_SUP);
}

BOOST_AUTO_TEST_SUITE_END()
