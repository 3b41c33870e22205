#pragma once
// What every benchmark says of itself, beside its time:
//
//   threads    that Kokkos has
//   seconds    of one unit (an iteration of a solver, a call, a step), from the wall clock
//   bytes      one unit must move (bytes.hpp)
//   GB/s       the quotient of the two
//   of_triad   the same as a fraction of the triad's bandwidth, measured in this process. What lives in the cache may exceed 1.

#include <benchmark/benchmark.h>

namespace clarke::benchmark {

/// Bytes per second of a(i) = b(i) + s c(i) over arrays far larger than any cache: the best of several passes, measured once per
/// process.
double triad_bandwidth();

/// Sets the counters above; each iteration of the benchmark consists of `units`.
void record(::benchmark::State& state, double bytes, double units = 1);

}  // namespace clarke::benchmark
