#pragma once
// Sums for kernels: the numbers of deterministic_sum (framework/device.hpp), to the same bits, where no host waits for
// them.

#include "framework/device.hpp"

namespace clarke {

/// finish(s) on the device, once, with s[k] = Σ_i f(i)[k] for i in [0, n) as a Kokkos::Array<double, K>: chunk sums in
/// index order, then the chunks in order. Nothing crosses to the host.
template <int K, class F, class G>
void deterministic_sum_into(const char* name, int n, const F& f, SumScratch<K>& scratch, const G& finish) {
  using Sums = Kokkos::Array<double, K>;
  const int chunks = (n + kSumChunk - 1) / kSumChunk;
  const View<double> partial = scratch.partial.resize((chunks + 1) * K);
  parallel_for(
      name, chunks,
      KOKKOS_LAMBDA(int c) {
        Sums sum{};
        const int end = n < (c + 1) * kSumChunk ? n : (c + 1) * kSumChunk;
        for (int i = c * kSumChunk; i < end; ++i) {
          const Sums more = f(i);
          for (int k = 0; k < K; ++k) sum[k] += more[k];
        }
        for (int k = 0; k < K; ++k) partial(c * K + k) = sum[k];
      },
      (n / (chunks > 0 ? chunks : 1) + 1) * K);
  parallel_for(
      name, 1, KOKKOS_LAMBDA(int) {
        Sums sum{};
        for (int c = 0; c < chunks; ++c)
          for (int k = 0; k < K; ++k) sum[k] += partial(c * K + k);
        finish(sum);
      });
}

}  // namespace clarke
