// One iteration of the Krylov methods against the memory bandwidth measured in the same run.
//
// Counters: rows; bytes_per_second of what an iteration has to move; of_triad, the same as a fraction of the triad's. Small
// systems live in the cache and may exceed 1; there the time per iteration is what counts.

#include "framework/jacobian.hpp"
#include "tests/benchmark/linear_problem.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <limits>

namespace clarke::benchmark {

using test::petsc;

namespace {

/// Bytes per row and iteration of the vector kernels, as their headers state them; cr: eight PETSc vector operations.
constexpr double kPcrBytes = 144, kPcgBytes = 104, kCrBytes = 160;
constexpr int kIterations = 50;  // per solve: start-up is spread over them

void triad(const View<double>& a, const View<double>& b, const View<double>& c) {
  parallel_for(
      "triad", static_cast<int>(a.extent(0)), KOKKOS_LAMBDA(int i) { a(i) = b(i) + 3.0 * c(i); });
}

constexpr int kTriadSize = 1 << 24;

}  // namespace

double triad_bandwidth() {
  static const double best = [] {
    const View<double> a("a", kTriadSize), b("b", kTriadSize), c("c", kTriadSize);
    double seconds = std::numeric_limits<double>::infinity();
    for (int k = 0; k < 6; ++k) {
      fence();
      Kokkos::Timer timer;
      triad(a, b, c);
      fence();
      seconds = std::min(seconds, timer.seconds());
    }
    return 24.0 * kTriadSize / seconds;
  }();
  return best;
}

namespace {

void report(::benchmark::State& state, int rows, double bytes, double repeats) {
  using Counter = ::benchmark::Counter;
  state.counters["rows"] = rows;
  state.counters["bytes/s"] =
      Counter(bytes * repeats, Counter::kIsIterationInvariantRate, Counter::kIs1000);
  state.counters["of_triad"] =
      Counter(bytes * repeats / triad_bandwidth(), Counter::kIsIterationInvariantRate);
  state.counters["s/iteration"] =
      Counter(repeats, Counter::kIsIterationInvariantRate | Counter::kInvert);
}

void time_triad(::benchmark::State& state) {
  const View<double> a("a", kTriadSize), b("b", kTriadSize), c("c", kTriadSize);
  for (auto _ : state) {
    triad(a, b, c);
    fence();
  }
  report(state, kTriadSize, 24.0 * kTriadSize, 1);
}
BENCHMARK(time_triad)->Name("triad")->UseRealTime();

void time_product(::benchmark::State& state, const LinearProblemFactory& factory) {
  const LinearProblem problem = factory(static_cast<int>(state.range(0)));
  const int n = problem.op->size();
  const View<double> x("x", n), y("y", n);
  Kokkos::deep_copy(x, 1.0);
  for (auto _ : state) {
    problem.op->apply(x, y);
    fence();
  }
  report(state, n, problem.bytes_per_product, 1);
}

void time_iterations(::benchmark::State& state, const LinearProblemFactory& factory,
                     const char* method, double vector_bytes, bool assembled) {
  const LinearProblem problem = factory(static_cast<int>(state.range(0)));
  if (assembled && !problem.assembled) {
    state.SkipWithError("no assembled matrix");
    return;
  }
  const int n = problem.op->size();
  test::OwnedMat shell = test::shell_of(*problem.op);
  const Mat mat = assembled ? problem.assembled : shell;
  // cr has no stop of its own: the tolerance is never met within the budget on these systems.
  const test::OwnedKsp ksp =
      test::solver(mat, {.ksp = method, .max_it = kIterations, .skip = true});
  const test::OwnedVec b = test::vector_of(test::scatter(n)), x = test::vector_of(test::scatter(n));
  petsc(KSPSolve(ksp, b, x));
  for (auto _ : state) petsc(KSPSolve(ksp, b, x));
  PetscInt iterations = 0;
  petsc(KSPGetIterationNumber(ksp, &iterations));
  if (iterations != kIterations) state.SkipWithError("stopped early");
  const double product = assembled ? problem.assembled_bytes : problem.bytes_per_product;
  report(state, n, vector_bytes * n + product, kIterations);
}

}  // namespace

bool add_krylov_benchmarks(const std::string& name, LinearProblemFactory factory,
                           const std::vector<int>& sizes) {
  const auto add = [&](const std::string& what, auto function) {
    auto* entry = ::benchmark::RegisterBenchmark((name + "/" + what).c_str(), function);
    entry->UseRealTime()->Unit(::benchmark::kMicrosecond);
    for (int rows : sizes) entry->Arg(rows);
  };
  const auto iterations = [factory](const char* method, double bytes, bool assembled) {
    return [=](::benchmark::State& state) {
      time_iterations(state, factory, method, bytes, assembled);
    };
  };
  add("product", [factory](::benchmark::State& state) { time_product(state, factory); });
  add("pcr", iterations("pcr", kPcrBytes, false));
  add("pcg", iterations("pcg", kPcgBytes, false));
  add("petsc_cr", iterations("cr", kCrBytes, false));
  add("pcr_assembled", iterations("pcr", kPcrBytes, true));
  add("petsc_cr_assembled", iterations("cr", kCrBytes, true));
  return true;
}

namespace {

/// J H⁻¹ Jᵀ + C of a chain of bodies with four contacts (12 rows) per interface, the first on the ground.
class ChainSchur final : public LinearOperator {
 public:
  explicit ChainSchur(int interfaces) {
    PatternBuilder builder;
    for (int k = 0; k < interfaces; ++k)
      for (int c = 0; c < 4; ++c) {
        if (k == 0) {
          builder.add_item(3, std::vector<int>{0, 1});
        } else {
          builder.add_item(3, std::vector<int>{2 * k, 2 * k + 1, 2 * k - 2, 2 * k - 1});
        }
      }
    blocks_ = 2 * interfaces;
    pattern_ = storage_.build(builder, blocks_);
    values_ = View<Vec3>("J", pattern_.values);
    inverse_ = View<Mat3>("H^-1", blocks_);
    velocity_ = View<Vec3>("u", blocks_);
    const auto values = Kokkos::create_mirror_view(values_);
    const auto inverse = Kokkos::create_mirror_view(inverse_);
    const auto entry = test::scatter(3 * pattern_.values);
    for (int v = 0; v < pattern_.values; ++v)
      values(v) = {entry[3 * v], entry[3 * v + 1], entry[3 * v + 2]};
    for (int b = 0; b < blocks_; ++b) {
      const double w = 1.0 / (1 + b % 7);
      inverse(b) = Mat3::diagonal(w, 2 * w, 3 * w);
    }
    Kokkos::deep_copy(values_, values);
    Kokkos::deep_copy(inverse_, inverse);
  }
  int size() const override { return pattern_.rows; }
  void apply(const View<double>& x, const View<double>& y) const override {
    gather(x);
    scatter(x, y);
  }
  void apply_transpose(const View<double>& x, const View<double>& y) const override { apply(x, y); }
  void diagonal(const View<double>& d) const override {
    const Pattern p = pattern_;
    const auto values = values_;
    const auto inverse = inverse_;
    parallel_for(
        "chain_diagonal", p.items, KOKKOS_LAMBDA(int i) {
          const int s0 = p.item_slot(i), k = p.item_slot(i + 1) - s0, row = p.item_row(i);
          for (int r = 0; r < 3; ++r) {
            double sum = kCompliance;
            for (int j = 0; j < k; ++j) {
              const Vec3 v = values(p.item_value(i) + r * k + j);
              sum += dot(v, inverse(p.slot_block(s0 + j)) * v);
            }
            d(row + r) = sum;
          }
        });
  }
  bool symmetric() const override { return true; }
  bool positive_definite() const override { return true; }
  void apply_block_inverse(const View<double>&, const View<double>&) const override {}
  void prepare_block_inverse() override {}

  double bytes() const {
    return 2 * (24.0 * pattern_.values + 4.0 * pattern_.slots) + (72 + 3 * 24.0) * blocks_ +
           3 * 8.0 * pattern_.rows;
  }

  void gather(const View<double>& x) const {
    const Pattern p = pattern_;
    const auto values = values_;
    const auto inverse = inverse_;
    const auto velocity = velocity_;
    parallel_for(
        "chain_gather", blocks_,
        KOKKOS_LAMBDA(int b) { velocity(b) = inverse(b) * block_gather(p, values, x, b); }, 32);
  }
  void scatter(const View<double>& x, const View<double>& y) const {
    const Pattern p = pattern_;
    const auto values = values_;
    const auto velocity = velocity_;
    parallel_for(
        "chain_scatter", p.items,
        KOKKOS_LAMBDA(int i) {
          const int row = p.item_row(i);
          for (int r = 0; r < 3; ++r)
            y(row + r) = row_product(p, values, velocity, i, r) + kCompliance * x(row + r);
        },
        16);
  }

  static constexpr double kCompliance = 1e-3;

 private:
  int blocks_ = 0;
  PatternStorage storage_;
  Pattern pattern_;
  View<Vec3> values_, velocity_;
  View<Mat3> inverse_;
};

/// The matrix of an operator that couples rows at most `reach` apart, from products with combs of unit vectors.
test::OwnedMat assemble_banded(const LinearOperator& op, int reach) {
  const int n = op.size(), stride = 2 * reach + 1;
  std::vector<std::vector<double>> column(stride);
  const View<double> x("x", n), y("y", n);
  const auto in = Kokkos::create_mirror_view(x), out = Kokkos::create_mirror_view(y);
  for (int s = 0; s < stride; ++s) {
    for (int i = 0; i < n; ++i) in(i) = i % stride == s ? 1 : 0;
    Kokkos::deep_copy(x, in);
    op.apply(x, y);
    Kokkos::deep_copy(out, y);
    column[s].assign(out.data(), out.data() + n);
  }
  test::Rows rows;
  for (int i = 0; i < n; ++i) {
    for (int j = std::max(0, i - reach); j <= std::min(n - 1, i + reach); ++j)
      if (column[j % stride][i] != 0) rows.add(j, column[j % stride][i]);
    rows.end_row();
  }
  return test::assembled(rows);
}

LinearProblem chain(int rows) {
  auto op = std::make_unique<ChainSchur>(rows / 12);
  LinearProblem problem{nullptr, op->bytes(), assemble_banded(*op, 23), 0};
  MatInfo info{};
  petsc(MatGetInfo(problem.assembled, MAT_LOCAL, &info));
  problem.assembled_bytes = 12 * info.nz_used + 20.0 * op->size();
  problem.op = std::move(op);
  return problem;
}

const bool kRegistered = add_krylov_benchmarks("chain", chain, {252, 2520, 25200, 252000});

}  // namespace

}  // namespace clarke::benchmark
