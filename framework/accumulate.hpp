#pragma once
// Figures of many items as one plain struct that stays on the device: sums, maxima with the place where they are,
// counts.
//
//   accumulate("judge_rows", n, f, partial, out)      f(i, A& a) adds item i;  A::merge(const A&) adds what follows
//
// Chunks of kSumChunk items in index order, then the chunks in order, as deterministic_sum does it: the same bit for
// bit for any number of threads. `out` is in device memory and is added to, so that several lists of items may share
// one; whoever wants the figures copies the struct.

#include "framework/device.hpp"

#include <cmath>

namespace clarke {

/// The largest of some values, at least 0, and the first index that has it; −1: none is above 0. NaN is larger than any
/// number.
struct Worst {
  double value = 0;
  int index = -1;

  KOKKOS_INLINE_FUNCTION void add(double v, int i) {
    const bool nan = v != v, known = value != value;
    if (nan ? !known : v > value) value = v, index = i;
  }
  KOKKOS_INLINE_FUNCTION void merge(const Worst& later) { add(later.value, later.index); }
};

template <class A, class F>
void accumulate(const char* name, int n, const F& f, Buffer<A>& partial_storage, A* out, int cost = 1) {
  if (n <= 0) return;
  const int chunks = (n + kSumChunk - 1) / kSumChunk;
  const View<A> partial = partial_storage.resize(chunks);
  parallel_for(
      name, chunks,
      KOKKOS_LAMBDA(int c) {
        A sum{};
        const int end = n < (c + 1) * kSumChunk ? n : (c + 1) * kSumChunk;
        for (int i = c * kSumChunk; i < end; ++i) f(i, sum);
        partial(c) = sum;
      },
      (n / chunks + 1) * cost);
  parallel_for(
      name, 1, KOKKOS_LAMBDA(int) {
        A sum = *out;
        for (int c = 0; c < chunks; ++c) sum.merge(partial(c));
        *out = sum;
      });
}

}  // namespace clarke
