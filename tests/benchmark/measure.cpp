// The triad that everything is measured against, and what a kernel costs at least.

#include "tests/benchmark/measure.hpp"

#include <algorithm>
#include <ctime>
#include <limits>
#include <memory>

namespace clarke::benchmark {

namespace {

constexpr int kTriadSize = 1 << 23;  // 200 MB in three arrays
constexpr int kTriadPasses = 4;
/// Per element; what a cache fetches before it overwrites a line is not counted, here or elsewhere.
constexpr double kTriadBytes = 24;

struct Triad {
  View<double> a, b, c;
  explicit Triad(int n) : a("a", n), b("b", n), c("c", n) {}
  void run() const {
    const View<double> to = a, x = b, y = c;
    parallel_for(
        "triad", static_cast<int>(a.extent(0)), KOKKOS_LAMBDA(int i) { to(i) = x(i) + 3.0 * y(i); });
    fence();
  }
};

/// The clock of add_benchmark() [s].
double now() {
  timespec t{};
  clock_gettime(kDeviceIsHost ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

std::unique_ptr<Triad>& large_triad() {
  static std::unique_ptr<Triad> one = [] {
    Kokkos::push_finalize_hook([] { large_triad().reset(); });
    return std::make_unique<Triad>(kTriadSize);
  }();
  return one;
}

}  // namespace

double triad_bandwidth() {
  double seconds = std::numeric_limits<double>::infinity();
  for (int k = 0; k < kTriadPasses; ++k) {
    const double start = now();
    large_triad()->run();
    seconds = std::min(seconds, now() - start);
  }
  return kTriadBytes * kTriadSize / seconds;
}

void record(::benchmark::State& state, double bytes, double units) {
  using Counter = ::benchmark::Counter;
  state.counters["threads"] = Exec::concurrency();
  state.counters["seconds"] = Counter(units, Counter::kIsIterationInvariantRate | Counter::kInvert);
  state.counters["bytes"] = bytes;
  state.counters["GB/s"] = Counter(1e-9 * bytes * units, Counter::kIsIterationInvariantRate);
  state.counters["of_triad"] = Counter(bytes * units / triad_bandwidth(), Counter::kIsIterationInvariantRate);
}

namespace {

void time_triad(::benchmark::State& state, int n) {
  const Triad triad(n);
  for (auto _ : state) triad.run();
  record(state, kTriadBytes * n);
}

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

// Elements: as many as the arch has rows, as a core's second-level cache holds, and as no cache holds.
const bool kRegistered = [] {
  for (int n : {252, 1 << 14, kTriadSize})
    add_benchmark("triad/" + std::to_string(n), [n](::benchmark::State& s) { time_triad(s, n); });
  for (bool parallel : {false, true})
    add_benchmark(parallel ? "launch/parallel" : "launch/serial",
                  [parallel](::benchmark::State& s) { time_launch(s, parallel); });
  return true;
}();

}  // namespace

}  // namespace clarke::benchmark
