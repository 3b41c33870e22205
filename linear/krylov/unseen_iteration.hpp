#pragma once
// The numbers of a Krylov iteration, where its kernels are: these make α and β and find the end, and a host that is no
// device looks once in 32 iterations, at the sums of all of them, unless a monitor or a test other than PETSc's default
// wants each. What runs on after the end may change nothing of x and r.

#include "linear/krylov/krylov_support.hpp"

#include <string>

namespace clarke {

/// Why the iteration stands still; `tested`: PETSc's test, which the host repeats.
enum class KrylovEnd {
  none,
  tested,
  round_off,
  indefinite_preconditioner,
  not_finite,
  null_space,
  indefinite,
  no_step
};

/// Most iterations between two looks.
inline constexpr int kMostUnseen = 32;

struct KrylovNumbers {
  double rz, curvature, beta, alpha;  // curvature: z·Az or p·Ap
  double stagnation, round_off;       // thresholds
  double low, high;                   // of the tested norm (KrylovSystem::foreseeable)
  double culprit;                     // what is not finite
  int norm;                           // the sum that the test is of: 0 z·z, 1 r·r, 2 r·z; -1: none
  KrylovEnd end;
  int unseen;  // iterations since the host looked, with their sums
  ResidualSums sums[kMostUnseen];
};

KOKKOS_INLINE_FUNCTION bool is_number(double value) { return value - value == 0; }

/// The end of an iteration with this r·z, as far as it alone tells.
KOKKOS_INLINE_FUNCTION KrylovEnd end_by_round_off(double rz, double round_off) {
  if (rz > round_off) return KrylovEnd::none;
  return rz < -round_off ? KrylovEnd::indefinite_preconditioner : KrylovEnd::round_off;
}

/// The curvature is known; an end where it is no number, or nothing beside r·z.
KOKKOS_INLINE_FUNCTION void take_curvature(KrylovNumbers& s, double curvature) {
  const double least = s.stagnation * s.rz;
  s.curvature = curvature;
  if (!is_number(curvature)) {
    s.end = KrylovEnd::not_finite;
    s.culprit = curvature;
  } else if (curvature <= least) {
    s.end = curvature < -kClearlyNegative * least ? KrylovEnd::indefinite : KrylovEnd::null_space;
  }
}

/// The sums of the new r and z are known.
KOKKOS_INLINE_FUNCTION void take_residual(KrylovNumbers& s, const Kokkos::Array<double, 3>& sum) {
  if (s.end != KrylovEnd::none) return;
  const double rz = sum[2], squared = s.norm == 0 ? sum[0] : s.norm == 1 ? sum[1] : rz;
  s.sums[s.unseen++] = {sum[0], sum[1], rz};
  s.rz = rz;
  const double norm = squared > 0 ? sqrt(squared) : 0;
  const bool tested = !is_number(rz) || (s.norm >= 0 && (norm <= s.low || norm >= s.high));
  s.end = tested ? KrylovEnd::tested : end_by_round_off(rz, s.round_off);
}

/// The same of conjugate gradients, whose β is r·z over the r·z before.
KOKKOS_INLINE_FUNCTION void take_gradient(KrylovNumbers& s, const Kokkos::Array<double, 3>& sum) {
  s.beta = sum[2] / s.rz;
  take_residual(s, sum);
}

/// finish({Σ v_i w_i}) on the device.
template <class G>
void dot_into(const View<double>& v, const View<double>& w, SumScratch<1>& scratch, const G& finish) {
  const View<double> a = v, b = w;
  deterministic_sum_into<1>(
      "krylov_dot", static_cast<int>(a.extent(0)),
      KOKKOS_LAMBDA(int i) { return Kokkos::Array<double, 1>{{a(i) * b(i)}}; }, scratch, finish);
}

/// finish({z·z, r·r, r·z}) on the device.
template <class G>
void residual_sums_into(const View<double>& r, const View<double>& z, SumScratch<3>& scratch, const G& finish) {
  const View<double> a = r, b = z;
  deterministic_sum_into<3>(
      "krylov_residual_sums", static_cast<int>(a.extent(0)),
      KOKKOS_LAMBDA(int i) {
        return Kokkos::Array<double, 3>{{b(i) * b(i), a(i) * a(i), a(i) * b(i)}};
      },
      scratch, finish);
}

class UnseenIteration {
 public:
  /// `method`: its name in messages; `curvature`: in letters.
  UnseenIteration(const std::string& method, const std::string& curvature)
      : method_(method), curvature_(curvature), numbers_(method + "_scalars") {}

  /// After test(0), of which `sums` are. Ends the solve where there is nothing to iterate on.
  PetscErrorCode begin(KrylovSystem& system, const ResidualSums& sums, double stagnation, double round_off);
  /// At the end of iteration `it`, when it is time: records and tests the iterations that the host has not seen, and
  /// ends the solve where the kernels did. `it` becomes the last that counts.
  PetscErrorCode look(KrylovSystem& system, int& it);
  const View<KrylovNumbers>& numbers() const { return numbers_.view(); }

 private:
  PetscErrorCode see(KrylovSystem& system);
  PetscErrorCode stop(KrylovSystem& system, KSPConvergedReason reason, const std::string& why);

  std::string method_, curvature_;
  Buffer<KrylovNumbers> numbers_;
  HostView<KrylovNumbers> seen_;  // what the host knows of them
  int unseen_ = 1, seen_count_ = 0;
};

}  // namespace clarke
