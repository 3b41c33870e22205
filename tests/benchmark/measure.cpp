// The triad that everything is measured against, and what a kernel costs at least.

#include "tests/benchmark/measure.hpp"

#include "framework/device.hpp"

#include <algorithm>
#include <limits>

namespace clarke::benchmark {

namespace {

constexpr int kTriadSize = 1 << 24;  // 400 MB in three arrays
constexpr int kTriadPasses = 10;
constexpr double kTriadBytes = 24;  // per element; what a cache fetches before it overwrites a line is not counted, here or elsewhere

void triad(const View<double>& a, const View<double>& b, const View<double>& c) {
  parallel_for(
      "triad", static_cast<int>(a.extent(0)), KOKKOS_LAMBDA(int i) { a(i) = b(i) + 3.0 * c(i); });
}

}  // namespace

double triad_bandwidth() {
  static const double best = [] {
    const View<double> a("a", kTriadSize), b("b", kTriadSize), c("c", kTriadSize);
    double seconds = std::numeric_limits<double>::infinity();
    for (int k = 0; k < kTriadPasses; ++k) {
      fence();
      Kokkos::Timer timer;
      triad(a, b, c);
      fence();
      seconds = std::min(seconds, timer.seconds());
    }
    return kTriadBytes * kTriadSize / seconds;
  }();
  return best;
}

void record(::benchmark::State& state, double bytes, double units) {
  using Counter = ::benchmark::Counter;
  state.counters["threads"] = Exec::concurrency();
  state.counters["seconds"] = Counter(units, Counter::kIsIterationInvariantRate | Counter::kInvert);
  state.counters["bytes"] = bytes;
  state.counters["GB/s"] = Counter(1e-9 * bytes * units, Counter::kIsIterationInvariantRate);
  state.counters["of_triad"] =
      Counter(bytes * units / triad_bandwidth(), Counter::kIsIterationInvariantRate);
}

namespace {

void time_triad(::benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  const View<double> a("a", n), b("b", n), c("c", n);
  for (auto _ : state) {
    triad(a, b, c);
    fence();
  }
  record(state, kTriadBytes * n);
}
// As many elements as the arch has rows, as a core's second-level cache holds, and as no cache holds.
BENCHMARK(time_triad)->Name("triad")->Arg(252)->Arg(1 << 14)->Arg(kTriadSize)->UseRealTime();

/// Empty kernels: on the calling thread, as parallel_for runs small ones, and on all threads.
void time_launch(::benchmark::State& state, bool parallel) {
  const int threads = Exec::concurrency();
  const View<int> out("out", threads);
  for (auto _ : state) {
    parallel_for(
        "launch", threads, KOKKOS_LAMBDA(int i) { out(i) = i; }, parallel ? kGrain : 0);
    fence();
  }
  record(state, 0);
}
BENCHMARK_CAPTURE(time_launch, serial, false)->Name("launch/serial")->UseRealTime();
BENCHMARK_CAPTURE(time_launch, parallel, true)->Name("launch/parallel")->UseRealTime();

}  // namespace

}  // namespace clarke::benchmark
