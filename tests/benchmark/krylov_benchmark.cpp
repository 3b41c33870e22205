// One iteration of pcr and pcg, and of PETSc's cr, on the same Schur operator: matrix-free and as AIJ, with and without
// PETSc's grouping of rows. Solves of as many iterations as the interactive budget has, with PETSc's Jacobi
// preconditioner and the preconditioned norm, from zero; the start-up is spread over them.

#include "tests/benchmark/measure.hpp"
#include "tests/benchmark/schur_problem.hpp"

namespace clarke::benchmark {

namespace {

struct Kept {
  std::string key;
  std::unique_ptr<SchurProblem> problem;
};

Kept& kept() {
  static Kept one = [] {
    Kokkos::push_finalize_hook([] { kept().problem.reset(); });
    return Kept{};
  }();
  return one;
}

}  // namespace

SchurProblem& schur_problem_of(const TimedScene& scene, int size) {
  const std::string key = scene.name + "/" + std::to_string(size);
  Kept& one = kept();
  if (one.key != key) {
    one.problem.reset();
    one.problem = std::make_unique<SchurProblem>(model_of(scene, size));
    one.key = key;
  }
  return *one.problem;
}

namespace {

void time_product(::benchmark::State& state, const TimedScene& scene, int size) {
  const SchurProblem& problem = schur_problem_of(scene, size);
  const int n = problem.form.size();
  const View<double> x("x", n), y("y", n);
  Kokkos::deep_copy(x, 1.0);
  for (auto _ : state) {
    problem.form.apply(x, y);
    fence();
  }
  state.counters["rows"] = n;
  record(state, product_bytes(problem.reduced.pattern()));
}

void time_aij_product(::benchmark::State& state, const TimedScene& scene, int size, bool grouped) {
  SchurProblem& problem = schur_problem_of(scene, size);
  const int n = problem.form.size();
  const Mat mat = problem.aij(grouped);
  const AijSize aij = problem.aij_size(grouped);
  const test::OwnedVec x = test::vector_of(test::scatter(n)), y = test::vector_of(test::scatter(n));
  for (auto _ : state) test::petsc(MatMult(mat, x, y));
  state.counters["rows"] = n;
  state.counters["entries"] = aij.entries;
  record(state, aij_product_bytes(aij));
}

enum class Matrix { none, aij, aij_ungrouped };

struct Method {
  const char *name, *ksp;
  double vector_bytes;
  Matrix matrix;
};
constexpr Method kMethods[] = {
    {"pcr", "pcr", kPcrBytes, Matrix::none},       {"pcg", "pcg", kPcgBytes, Matrix::none},
    {"petsc_cr", "cr", kCrBytes, Matrix::none},    {"pcr_aij", "pcr", kPcrBytes, Matrix::aij},
    {"petsc_cr_aij", "cr", kCrBytes, Matrix::aij}, {"petsc_cr_aij_ungrouped", "cr", kCrBytes, Matrix::aij_ungrouped}};

void time_iteration(::benchmark::State& state, const TimedScene& scene, int size, const Method& method) {
  SchurProblem& problem = schur_problem_of(scene, size);
  const int n = problem.form.size();
  const bool grouped = method.matrix == Matrix::aij;
  const Mat mat = method.matrix == Matrix::none ? *problem.shell : problem.aij(grouped);
  time_solves(state, mat, n, method.ksp);
  const double product = method.matrix == Matrix::none ? product_bytes(problem.reduced.pattern())
                                                       : aij_product_bytes(problem.aij_size(grouped));
  record(state, method.vector_bytes * n + product, kSolveIterations);
}

const bool kRegistered = for_timed_scenes([](const TimedScene& scene, int size, const std::string& name) {
  const auto add = [&](const std::string& what, auto function) {
    add_benchmark("krylov/" + name + "/" + what, function);
  };
  add("product", [=](::benchmark::State& state) { time_product(state, scene, size); });
  for (bool grouped : {true, false})
    add(grouped ? "product_aij" : "product_aij_ungrouped",
        [=](::benchmark::State& state) { time_aij_product(state, scene, size, grouped); });
  for (const Method& method : kMethods)
    add(method.name, [=](::benchmark::State& state) { time_iteration(state, scene, size, method); });
});

}  // namespace

}  // namespace clarke::benchmark
