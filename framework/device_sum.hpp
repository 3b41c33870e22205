#pragma once
// Sums for kernels: the numbers of deterministic_sum (framework/device.hpp), to the same bits, where no host waits for
// them.

#include "framework/device.hpp"

namespace clarke {

/// finish(s) on the device, once, with s[k] = Σ_i f(i)[k] for i in [0, n) as a Kokkos::Array<double, K>: chunk sums in
/// index order, then the chunks in order. Nothing crosses to the host.
template <int K, class F, class G>
void deterministic_sum_into(const char* name, int n, const F& f, SumScratch<K>& scratch, const G& finish) {
  const int chunks = sum_chunks(n);
  const View<double> partial = chunk_sums<K>(name, n, f, scratch);
  parallel_for(
      name, 1, KOKKOS_LAMBDA(int) {
        Kokkos::Array<double, K> sum{};
        for (int c = 0; c < chunks; ++c)
          for (int k = 0; k < K; ++k) sum[k] += partial(c * K + k);
        finish(sum);
      });
}

}  // namespace clarke
