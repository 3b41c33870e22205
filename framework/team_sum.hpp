#pragma once
// The sums of deterministic_sum (framework/device.hpp) by teams of threads, for devices: to the same bits as on a host.
//
//   s_k = Σ_c ( Σ_{i in chunk c} f(i)[k] ),  both in the order of their indices, K numbers at a time
//
// One thread per chunk, as on a host, leaves a device idle: 195,090 unknowns are 382 chunks, and an H100 holds 270,336
// threads. Here a team takes a chunk: its threads evaluate f, neighbours at neighbouring indices, into shared memory,
// and K of them add what lies there, in order. Then one team adds the chunks in the same way. That is 512 dependent
// additions of numbers at hand, some 5 µs, and no other order.
//
// f is called once for every i. Compiled for hosts as well (teams of one thread), so that tests compare the bits.

#include <Kokkos_Core.hpp>

namespace clarke {

/// Numbers that a team adds at a time.
inline constexpr int kSumChunk = 512;

template <class Exec, int K>
struct TeamSum {
  using Policy = Kokkos::TeamPolicy<Exec>;
  using Team = typename Policy::member_type;
  using Numbers = Kokkos::Array<double, K>;

  static constexpr bool kHost = Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename Exec::memory_space>::accessible;
  static constexpr int kThreads = kHost ? 1 : 128;
  static constexpr int kStride = kSumChunk + 1;  // K threads read at one time: from as many banks
  static constexpr int kDoubles = K * kStride + K;

  static Policy policy(int teams) {
    return Policy(teams, kThreads).set_scratch_size(0, Kokkos::PerTeam(kDoubles * static_cast<int>(sizeof(double))));
  }

  /// Shared memory of a team: what is added, and behind it the K results.
  double* tile;

  KOKKOS_INLINE_FUNCTION explicit TeamSum(const Team& team)
      : tile(static_cast<double*>(team.team_shmem().get_shmem(kDoubles * sizeof(double)))) {}

  KOKKOS_INLINE_FUNCTION double& result(int k) const { return tile[K * kStride + k]; }

  /// Before the first add(): the results are 0.
  KOKKOS_INLINE_FUNCTION void clear(const Team& team) const {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, K), [&](int k) { result(k) = 0; });
    team.team_barrier();
  }

  /// result(k) += Σ_j value(j)[k] for j in [0, count), count ≤ kSumChunk, added up on its own first when `apart`.
  template <class F>
  KOKKOS_INLINE_FUNCTION void add(const Team& team, int count, bool apart, const F& value) const {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, count), [&](int j) {
      const Numbers v = value(j);
      for (int k = 0; k < K; ++k) tile[k * kStride + j] = v[k];
    });
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, K), [&](int k) {
      double s = apart ? 0 : result(k);
      for (int j = 0; j < count; ++j) s += tile[k * kStride + j];
      result(k) = apart ? result(k) + s : s;
    });
    team.team_barrier();
  }

  /// For one thread of the team, after the last add().
  KOKKOS_INLINE_FUNCTION Numbers results() const {
    Numbers out{};
    for (int k = 0; k < K; ++k) out[k] = result(k);
    return out;
  }
};

/// Number of chunks of n elements.
KOKKOS_INLINE_FUNCTION int sum_chunks(int n) { return (n + kSumChunk - 1) / kSumChunk; }

/// Chunks that one team takes one after the other: a launch costs as much as a chunk.
inline constexpr int kOneTeamChunks = 2;

/// finish(s) once, by one thread, with s as above. `partial` holds K numbers per chunk; it is not used up to
/// kOneTeamChunks of them.
template <class Exec, int K, class Partial, class F, class G>
void team_sum(const char* name, int n, const F& f, const Partial& partial, const G& finish) {
  using Sum = TeamSum<Exec, K>;
  using Team = typename Sum::Team;
  const int chunks = sum_chunks(n);
  if (chunks <= kOneTeamChunks) {
    Kokkos::parallel_for(
        name, Sum::policy(1), KOKKOS_LAMBDA(const Team& team) {
          const Sum sum(team);
          sum.clear(team);
          for (int first = 0; first < n; first += kSumChunk)
            sum.add(team, n - first < kSumChunk ? n - first : kSumChunk, true, [&](int j) { return f(first + j); });
          Kokkos::single(Kokkos::PerTeam(team), [&]() { finish(sum.results()); });
        });
    return;
  }
  Kokkos::parallel_for(
      name, Sum::policy(chunks), KOKKOS_LAMBDA(const Team& team) {
        const Sum sum(team);
        sum.clear(team);
        const int chunk = team.league_rank(), first = chunk * kSumChunk;
        sum.add(team, n - first < kSumChunk ? n - first : kSumChunk, true, [&](int j) { return f(first + j); });
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, K), [&](int k) { partial(chunk * K + k) = sum.result(k); });
      });
  Kokkos::parallel_for(
      name, Sum::policy(1), KOKKOS_LAMBDA(const Team& team) {
        const Sum sum(team);
        sum.clear(team);
        for (int first = 0; first < chunks; first += kSumChunk)
          sum.add(team, chunks - first < kSumChunk ? chunks - first : kSumChunk, false, [&](int j) {
            typename Sum::Numbers v;
            for (int k = 0; k < K; ++k) v[k] = partial((first + j) * K + k);
            return v;
          });
        Kokkos::single(Kokkos::PerTeam(team), [&]() { finish(sum.results()); });
      });
}

}  // namespace clarke
