#pragma once
// Work of different sizes on the threads of the host, whatever runs the kernels: what is done where depends on when
// threads become free, so each piece may only write what is its own.

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <atomic>

namespace clarke {

inline int host_threads() { return Kokkos::DefaultHostExecutionSpace().concurrency(); }

/// Calls f(k, t) for k in [0, n), the first ones first, on up to `threads` threads; no two calls at a time have the
/// same t in [0, threads).
template <class F>
void share(int n, int threads, const F& f) {
  const int most = std::min({n, threads, host_threads()});
  if (most <= 1) {
    for (int k = 0; k < n; ++k) f(k, 0);
    return;
  }
  std::atomic<int> next{0};
  Kokkos::parallel_for("share", Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>(0, most), [&](int t) {
    for (int k = next++; k < n; k = next++) f(k, t);
  });
}

}  // namespace clarke
