#pragma once
// Stable sort of integer keys with their values on the device, the same bit for bit whatever the backend.
//
// Least significant digit first: each pass counts the digits of every chunk of keys, turns the counts into positions by
// one prefix sum (all chunks of digit 0, then of digit 1, …), and moves each chunk's keys in their order. One work item
// per chunk, so no atomics; and since every pass is stable, the result does not depend on the sizes of chunk and digit,
// which differ between host and device only to give a GPU enough work items. O(passes × (n + chunks × 2^bits)).
//
// (Kokkos::sort in 3.4 places equal keys by atomics: not stable, not the same from run to run.)

#include "framework/device.hpp"

#include <cstdint>

namespace clarke {

/// Buffers of a sort, kept by the caller so that repeated sorts do not allocate.
struct RadixScratch {
  Buffer<std::uint64_t> key{"radix_key"};
  Buffer<int> value{"radix_value"};
  Buffer<int> count{"radix_count"};
};

inline constexpr int kRadixBits = kDeviceIsHost ? 8 : 4;
inline constexpr int kRadixChunk = kDeviceIsHost ? 4096 : 256;

/// Sorts the first `n` elements of `key` ascending by their lowest `bits` bits, `value` with them. Both are exchanged
/// with the scratch buffers where that saves a copy: use the views that the buffers hold afterwards.
inline void radix_sort(int n, int bits, Buffer<std::uint64_t>& keys, Buffer<int>& values, RadixScratch& scratch) {
  const int chunks = (n + kRadixChunk - 1) / kRadixChunk;
  constexpr int kDigits = 1 << kRadixBits;
  scratch.key.resize(n);
  scratch.value.resize(n);
  const View<int> count = scratch.count.resize(kDigits * chunks);
  for (int shift = 0; shift < bits; shift += kRadixBits) {
    const View<std::uint64_t> key = keys, key_out = scratch.key;
    const View<int> value = values, value_out = scratch.value;
    parallel_for(
        "radix_count", chunks,
        KOKKOS_LAMBDA(int c) {
          for (int d = 0; d < kDigits; ++d) count(d * chunks + c) = 0;
          const int end = n < (c + 1) * kRadixChunk ? n : (c + 1) * kRadixChunk;
          for (int i = c * kRadixChunk; i < end; ++i)
            ++count(static_cast<int>((key(i) >> shift) & (kDigits - 1)) * chunks + c);
        },
        kRadixChunk);
    prefix_positions(
        "radix_first", kDigits * chunks, count, KOKKOS_LAMBDA(int i) { return count(i); });
    parallel_for(
        "radix_move", chunks,
        KOKKOS_LAMBDA(int c) {
          const int end = n < (c + 1) * kRadixChunk ? n : (c + 1) * kRadixChunk;
          for (int i = c * kRadixChunk; i < end; ++i) {
            const int to = count(static_cast<int>((key(i) >> shift) & (kDigits - 1)) * chunks + c)++;
            key_out(to) = key(i);
            value_out(to) = value(i);
          }
        },
        kRadixChunk);
    std::swap(keys, scratch.key);
    std::swap(values, scratch.value);
  }
}

/// Number of elements of an ascending list that are below `value`.
template <class T>
KOKKOS_INLINE_FUNCTION int count_below(const View<T>& list, T value) {
  int begin = 0, end = static_cast<int>(list.extent(0));
  while (begin < end) {
    const int middle = begin + (end - begin) / 2;
    if (list(middle) < value) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

/// Where the runs of equal keys begin in a sorted list: begin(k) elements are below k, for k in [0, kinds].
inline void run_begins(const View<std::uint64_t>& sorted, int kinds, const View<int>& begin) {
  const View<std::uint64_t> key = sorted;
  const View<int> first = begin;
  parallel_for(
      "run_begins", kinds + 1, KOKKOS_LAMBDA(int k) { first(k) = count_below(key, static_cast<std::uint64_t>(k)); },
      16);
}

/// Bits of the largest number below `count`.
inline int bits_below(int count) {
  int bits = 1;
  while ((1 << bits) < count) ++bits;
  return bits;
}

}  // namespace clarke
