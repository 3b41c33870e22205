#pragma once
// What every benchmark says of itself, beside its time:
//
//   threads    that Kokkos has
//   seconds    of one unit (an iteration of a solver, a call, a step)
//   bytes      one unit must move (bytes.hpp)
//   GB/s       the quotient of the two
//   of_triad   the same as a fraction of the triad's bandwidth, measured right after; in a cache it may exceed 1

#include "framework/device.hpp"

#include <benchmark/benchmark.h>

#include <string>

namespace clarke::benchmark {

/// Bytes per second of a(i) = b(i) + s c(i) over arrays far larger than any cache: now, the best of a few passes, by
/// the same clock.
double triad_bandwidth();

/// Registers a benchmark. Its clock is the processor time of the calling thread: on a machine of one's own that is the
/// wall clock, while a thread that waits does so actively (OMP_WAIT_POLICY=active), and on a shared one it leaves out
/// what others took. A device is timed by the wall clock.
template <class Function>
::benchmark::internal::Benchmark* add_benchmark(const std::string& name, Function function) {
  auto* entry = ::benchmark::RegisterBenchmark(name.c_str(), function);
  if (!kDeviceIsHost) entry->UseRealTime();
  return entry->Unit(::benchmark::kMicrosecond);
}

/// Sets the counters above; each iteration of the benchmark consists of `units`.
void record(::benchmark::State& state, double bytes, double units = 1);

}  // namespace clarke::benchmark
