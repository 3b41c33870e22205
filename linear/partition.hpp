#pragma once
// The unknowns of an operator in groups that the operator does not couple (islands, framework/islands.hpp), so that a
// Krylov method may solve every group with its own scalars and stop it on its own: one block-diagonal system, many
// solves at once.
//
// Sums over a group are made of chunks of at most kSumChunk unknowns in a fixed order: results repeat bit for bit on
// any number of threads.

#include "framework/device.hpp"

namespace clarke {

struct Partition {
  int groups = 0, chunks = 0;
  View<int> group;                  // per unknown
  View<int> unknown;                // unknowns, group after group, ascending within each
  View<int> chunk_begin;            // chunks + 1: ranges in `unknown`
  View<int> chunk_group;            // per chunk
  View<int> group_chunk;            // groups + 1: ranges of chunks
  std::vector<int> size;            // unknowns per group
  mutable long row_iterations = 0;  // unknowns × iterations of the last solve, counted by whoever solved
};

/// `group` of every unknown, in [0, groups). Host, once per layout.
Partition make_partition(const std::vector<int>& group, int groups);

/// partial sums, kept from call to call
struct GroupSumScratch {
  Buffer<double> partial{"group_partial"};
};

/// sums(K g + k) = Σ f(i)[k] over the unknowns i of every group g with closed(g) == 0; the sums of others stay. f may
/// write what unknown i owns, and returns Kokkos::Array<double, K>.
template <int K, class F>
void group_sums(const char* name, const Partition& p, const View<int>& closed, const F& f, GroupSumScratch& scratch,
                const View<double>& sums, int cost = 8) {
  const View<double> partial = scratch.partial.resize(p.chunks * K);
  const View<int> unknown = p.unknown, begin = p.chunk_begin, group = p.chunk_group, first = p.group_chunk;
  const View<int> skip = closed;
  const View<double> out = sums;
  parallel_for(
      name, p.chunks,
      KOKKOS_LAMBDA(int c) {
        if (skip(group(c))) return;
        double s[K] = {};
        for (int e = begin(c); e < begin(c + 1); ++e) {
          const Kokkos::Array<double, K> v = f(unknown(e));
          for (int k = 0; k < K; ++k) s[k] += v[k];
        }
        for (int k = 0; k < K; ++k) partial(c * K + k) = s[k];
      },
      cost * (p.chunks > 0 ? static_cast<int>(p.unknown.extent(0)) / p.chunks + 1 : 1));
  parallel_for(
      "group_sums", p.groups,
      KOKKOS_LAMBDA(int g) {
        if (skip(g)) return;
        for (int k = 0; k < K; ++k) {
          double s = 0;
          for (int c = first(g); c < first(g + 1); ++c) s += partial(c * K + k);
          out(g * K + k) = s;
        }
      },
      8);
}

}  // namespace clarke
