#include "linear/krylov/pcr.hpp"

#include "framework/device_sum.hpp"
#include "linear/krylov/island_iteration.hpp"
#include "linear/krylov/krylov_method.hpp"

#include <cmath>

namespace clarke {

/// Why the iteration stands still; `tested`: PETSc's test, which the host repeats.
enum class PcrEnd { none, tested, round_off, indefinite_preconditioner, not_finite, null_space, indefinite, no_step };

/// Most iterations between two looks of a host that is no device: what runs on after the end changes nothing.
static constexpr int kMostUnseen = 32;

/// The numbers of the iteration, where its kernels are, so that none crosses to a host for them.
struct PcrScalars {
  double rz, zy, beta, alpha;
  double stagnation, round_off;  // thresholds
  double low, high;              // of the tested norm (KrylovSystem::foreseeable)
  double culprit;                // what is not finite
  int norm;                      // the sum that the test is of: 0 z·z, 1 r·r, 2 r·z; -1: none
  PcrEnd end;
  int unseen;  // iterations since the host looked, with their sums
  ResidualSums sums[kMostUnseen];
};

/// What the kernels work on. With a diagonal P, w is its diagonal and s = w q is never stored; otherwise w is s.
struct PcrVectors {
  View<double> x, r, z, y, p, q, w;
};

KOKKOS_INLINE_FUNCTION static bool is_number(double value) { return value - value == 0; }

/// The end of an iteration with this r·z, as far as it alone tells.
KOKKOS_INLINE_FUNCTION static PcrEnd end_by_round_off(double rz, double round_off) {
  if (rz > round_off) return PcrEnd::none;
  return rz < -round_off ? PcrEnd::indefinite_preconditioner : PcrEnd::round_off;
}

/// z·y is known: β, or an end.
KOKKOS_INLINE_FUNCTION static void take_curvature(PcrScalars& s, bool first, double zy) {
  if (s.end != PcrEnd::none) return;
  const double before = s.zy, least = s.stagnation * s.rz;
  s.zy = zy;
  if (!is_number(zy)) {
    s.end = PcrEnd::not_finite;
    s.culprit = zy;
  } else if (zy <= least) {
    s.end = zy < -kClearlyNegative * least ? PcrEnd::indefinite : PcrEnd::null_space;
  }
  s.beta = first ? 0 : zy / before;
}

/// q·s is known: α, or an end.
KOKKOS_INLINE_FUNCTION static void take_step_length(PcrScalars& s, double qs) {
  if (s.end != PcrEnd::none) return;
  if (!is_number(qs)) {
    s.end = PcrEnd::not_finite;
    s.culprit = qs;
  } else if (qs <= 0) {
    s.end = qs < 0 ? PcrEnd::indefinite_preconditioner : PcrEnd::no_step;
  }
  s.alpha = s.zy / qs;
}

/// The sums of the new r and z are known.
KOKKOS_INLINE_FUNCTION static void take_residual(PcrScalars& s, double zz, double rr, double rz) {
  if (s.end != PcrEnd::none) return;
  s.sums[s.unseen++] = {zz, rr, rz};
  s.rz = rz;
  const double squared = s.norm == 0 ? zz : s.norm == 1 ? rr : rz;
  const double norm = squared > 0 ? sqrt(squared) : 0;
  const bool tested = !is_number(rz) || (s.norm >= 0 && (norm <= s.low || norm >= s.high));
  s.end = tested ? PcrEnd::tested : end_by_round_off(rz, s.round_off);
}

/// One unknown of the directions: p = z + β p, q = y + β q. Gives q.
KOKKOS_INLINE_FUNCTION static double direct(const PcrVectors& v, int i, bool first, double beta) {
  const double p = first ? v.z(i) : v.z(i) + beta * v.p(i);
  const double q = first ? v.y(i) : v.y(i) + beta * v.q(i);
  v.p(i) = p;
  v.q(i) = q;
  return q;
}

/// One unknown of the update: x += α p, r −= α q, z −= α s. Gives z², r², r z.
KOKKOS_INLINE_FUNCTION static Kokkos::Array<double, 3> advance(const PcrVectors& v, int i, bool diagonal,
                                                               double alpha) {
  const double q = v.q(i), s = diagonal ? v.w(i) * q : v.w(i);
  const double r = v.r(i) - alpha * q, z = v.z(i) - alpha * s;
  v.x(i) += alpha * v.p(i);
  v.r(i) = r;
  v.z(i) = z;
  return {{z * z, r * r, r * z}};
}

/// z·y, and β.
static void pcr_curvature(const PcrVectors& v, bool first, const View<PcrScalars>& scalars, SumScratch<1>& scratch) {
  deterministic_sum_into<1>(
      "krylov_dot", static_cast<int>(v.x.extent(0)),
      KOKKOS_LAMBDA(int i) { return Kokkos::Array<double, 1>{{v.z(i) * v.y(i)}}; }, scratch,
      KOKKOS_LAMBDA(const Kokkos::Array<double, 1>& sum) { take_curvature(scalars(0), first, sum[0]); });
}

/// The directions, q·(w q) for a diagonal P, and α.
static void pcr_directions_fused(const PcrVectors& v, bool first, const View<PcrScalars>& scalars,
                                 SumScratch<1>& scratch) {
  deterministic_sum_into<1>(
      "pcr_directions", static_cast<int>(v.x.extent(0)),
      KOKKOS_LAMBDA(int i) {
        const double q = direct(v, i, first, scalars(0).beta);
        return Kokkos::Array<double, 1>{{q * (v.w(i) * q)}};
      },
      scratch, KOKKOS_LAMBDA(const Kokkos::Array<double, 1>& sum) { take_step_length(scalars(0), sum[0]); });
}

/// The directions alone.
static void pcr_directions(const PcrVectors& v, bool first, const View<PcrScalars>& scalars) {
  parallel_for(
      "pcr_directions", static_cast<int>(v.x.extent(0)),
      KOKKOS_LAMBDA(int i) { direct(v, i, first, scalars(0).beta); });
}

/// q·s for any other P, and α.
static void pcr_step_length(const PcrVectors& v, const View<PcrScalars>& scalars, SumScratch<1>& scratch) {
  deterministic_sum_into<1>(
      "krylov_dot", static_cast<int>(v.x.extent(0)),
      KOKKOS_LAMBDA(int i) { return Kokkos::Array<double, 1>{{v.q(i) * v.w(i)}}; }, scratch,
      KOKKOS_LAMBDA(const Kokkos::Array<double, 1>& sum) { take_step_length(scalars(0), sum[0]); });
}

/// The update, and the sums of the new r and z; nothing after the end.
static void pcr_update(const PcrVectors& v, bool diagonal, const View<PcrScalars>& scalars, SumScratch<3>& scratch) {
  deterministic_sum_into<3>(
      "pcr_update", static_cast<int>(v.x.extent(0)),
      KOKKOS_LAMBDA(int i) {
        if (scalars(0).end != PcrEnd::none) return Kokkos::Array<double, 3>{{0, 0, 0}};
        return advance(v, i, diagonal, scalars(0).alpha);
      },
      scratch,
      KOKKOS_LAMBDA(const Kokkos::Array<double, 3>& sum) { take_residual(scalars(0), sum[0], sum[1], sum[2]); });
}

/// The numbers before the first iteration, of which `sums` are known to the host.
static void pcr_begin(const View<PcrScalars>& scalars, const ResidualSums& sums, const PcrOptions& options, int norm,
                      double low, double high) {
  const double rz = sums.rz, stagnation = options.stagnation;
  const double round_off = options.breakdown * options.breakdown * std::abs(rz);
  parallel_for(
      "pcr_begin", 1, KOKKOS_LAMBDA(int) {
        PcrScalars& s = scalars(0);
        s.rz = rz;
        s.zy = s.beta = s.alpha = s.culprit = 0;
        s.stagnation = stagnation;
        s.round_off = round_off;
        s.low = low;
        s.high = high;
        s.norm = norm;
        s.end = end_by_round_off(rz, round_off);
        s.unseen = 0;
      });
}

/// The host has seen what there is.
static void pcr_go_on(const View<PcrScalars>& scalars) {
  parallel_for(
      "pcr_go_on", 1, KOKKOS_LAMBDA(int) {
        scalars(0).unseen = 0;
        if (scalars(0).end == PcrEnd::tested) scalars(0).end = PcrEnd::none;
      });
}

/// The directions for islands: β belongs to the group of an unknown. The sums are q·(w q), of use when P is diagonal.
static void island_directions(const PcrVectors& v, bool diagonal, bool first, const View<double>& beta,
                              IslandIteration& islands, PerGroup<double>& qs) {
  const View<int> group = islands.partition().group;
  group_sums<1>(
      "island_directions", islands.partition(), islands.closed(),
      KOKKOS_LAMBDA(int i) {
        const double q = direct(v, i, first, first ? 0 : beta(group(i)));
        return Kokkos::Array<double, 1>{{diagonal ? q * (v.w(i) * q) : 0.0}};
      },
      islands.scratch(), qs.device());
  if (diagonal) qs.to_host();
}

/// pcr_update for islands: α belongs to the group of an unknown.
static void island_update(const PcrVectors& v, bool diagonal, const View<double>& alpha, IslandIteration& islands) {
  const View<int> group = islands.partition().group;
  group_sums<3>(
      "island_update", islands.partition(), islands.closed(),
      KOKKOS_LAMBDA(int i) { return advance(v, i, diagonal, alpha(group(i))); }, islands.scratch(),
      islands.residual_sums().device());
}

namespace {

class Pcr final : public KrylovMethod {
 public:
  KrylovNeeds needs() const override { return {.symmetric = true, .definite = true}; }
  bool by_island() const override { return true; }
  void describe(OptionVisitor& visitor) override { options_.describe(visitor); }

  PetscErrorCode solve(KrylovSystem& system) override {
    const int n = system.size();
    const bool diagonal = system.diagonal();
    const PcrVectors v{system.x(),
                       r_.resize(n),
                       z_.resize(n),
                       y_.resize(n),
                       p_.resize(n),
                       q_.resize(n),
                       diagonal ? system.inverse_diagonal() : s_.resize(n)};
    ResidualSums sums;

    PetscFunctionBegin;
    PetscCall(system.start(v.r, v.z, &sums));
    if (system.partition()) {
      PetscCall(solve_islands(system, v));
      PetscFunctionReturn(0);
    }
    PetscCall(system.test(0, sums));
    double low, high;
    const bool foreseeable = system.foreseeable(low, high);
    const View<PcrScalars> scalars = scalars_.resize(1);
    pcr_begin(scalars, sums, options_, foreseeable ? system.tested_sum() : -1, low, high);
    const int unseen = kDeviceIsHost || !foreseeable ? 1 : kMostUnseen;
    int seen = 0;
    if (system.running() && sums.rz <= 0) PetscCall(look(system, seen));  // no product with A
    for (int it = 1; system.running(); ++it) {
      PetscCall(system.apply(v.z, v.y));
      pcr_curvature(v, it == 1, scalars, scratch1_);
      if (diagonal) {
        pcr_directions_fused(v, it == 1, scalars, scratch1_);
      } else {
        pcr_directions(v, it == 1, scalars);
        PetscCall(system.precondition(v.q, v.w));
        pcr_step_length(v, scalars, scratch1_);
      }
      pcr_update(v, diagonal, scalars, scratch3_);
      PetscCall(PetscLogFlops(22.0 * n));
      if (it - seen < unseen && it < system.max_iterations()) continue;
      PetscCall(look(system, seen));
      it = seen;
    }
    PetscFunctionReturn(0);
  }

 private:
  /// Records and tests the iterations after the first `seen`, which it counts; ends the solve where its kernels did.
  PetscErrorCode look(KrylovSystem& system, int& seen) {
    PetscFunctionBegin;
    if constexpr (!kDeviceIsHost) {
      if (seen_.extent(0) == 0) seen_ = Kokkos::create_mirror_view(scalars_.view());
      Kokkos::deep_copy(seen_, scalars_.view());
    } else {
      seen_ = scalars_.view();
    }
    const PcrScalars& s = seen_(0);
    const PcrEnd end = s.end;
    for (int k = 0; k < s.unseen && system.running(); ++k) PetscCall(system.test(++seen, s.sums[k]));
    if (!system.running()) PetscFunctionReturn(0);
    switch (end) {
      case PcrEnd::none:
      case PcrEnd::tested:
        break;
      case PcrEnd::round_off:
        PetscCall(system.stop(KSP_CONVERGED_HAPPY_BREAKDOWN, "pcr: the residual is round-off"));
        break;
      case PcrEnd::indefinite_preconditioner:
        PetscCall(system.stop(KSP_DIVERGED_INDEFINITE_PC, "pcr: r·z < 0 or q·Pq < 0"));
        break;
      case PcrEnd::not_finite:
        PetscCall(system.check_finite(s.culprit));
        break;
      case PcrEnd::null_space:
        PetscCall(system.stop(KSP_CONVERGED_HAPPY_BREAKDOWN, "pcr: the residual is in the null space"));
        break;
      case PcrEnd::indefinite:
        PetscCall(system.stop(KSP_DIVERGED_INDEFINITE_MAT, "pcr: z·Az < 0"));
        break;
      case PcrEnd::no_step:
        PetscCall(system.stop(KSP_CONVERGED_HAPPY_BREAKDOWN, "pcr: A p = 0"));
        break;
    }
    if (system.running()) pcr_go_on(scalars_.view());
    PetscFunctionReturn(0);
  }

  /// The same iteration with scalars and an end for every island.
  PetscErrorCode solve_islands(KrylovSystem& system, const PcrVectors& v) {
    const bool diagonal = system.diagonal();
    PetscFunctionBegin;
    PetscCall(islands_.start(system, v.r, v.z, options_.breakdown));
    const int groups = islands_.partition().groups;
    for (PerGroup<double>* s : {&zy_, &qs_, &beta_, &alpha_}) s->resize(groups);
    zy_before_.resize(groups);
    for (int it = 1; system.running(); ++it) {
      PetscCall(system.apply_open(v.z, v.y, islands_.closed()));
      for (int g = 0; g < groups; ++g) zy_before_[g] = zy_[g];
      group_dots(v.z, v.y, islands_, zy_);
      for (int g = 0; g < groups && system.running(); ++g) {
        if (!islands_.open(g)) continue;
        PetscCall(system.check_finite(zy_[g]));
        const double least = options_.stagnation * islands_.rz(g);
        if (zy_[g] < -kClearlyNegative * least) {
          PetscCall(system.stop(KSP_DIVERGED_INDEFINITE_MAT, "pcr: z·Az < 0 in an island"));
        } else if (zy_[g] <= least) {
          islands_.close(g);  // the rest is in the null space
        }
        beta_[g] = it == 1 ? 0 : zy_[g] / zy_before_[g];
      }
      if (!system.running()) break;
      beta_.to_device();
      islands_.update();
      island_directions(v, diagonal, it == 1, beta_.device(), islands_, qs_);
      if (!diagonal) {
        PetscCall(system.precondition(v.q, v.w));
        group_dots(v.q, v.w, islands_, qs_);
      }
      for (int g = 0; g < groups && system.running(); ++g) {
        if (!islands_.open(g)) continue;
        PetscCall(system.check_finite(qs_[g]));
        if (qs_[g] < 0) PetscCall(system.stop(KSP_DIVERGED_INDEFINITE_PC, "pcr: q·Pq < 0 in an island"));
        if (qs_[g] <= 0) islands_.close(g);  // A p = 0
        alpha_[g] = zy_[g] / qs_[g];
      }
      if (!system.running()) break;
      alpha_.to_device();
      islands_.update();
      island_update(v, diagonal, alpha_.device(), islands_);
      PetscCall(PetscLogFlops(22.0 * system.size()));
      PetscCall(islands_.test(system, it));
    }
    PetscFunctionReturn(0);
  }

  PcrOptions options_;
  Buffer<PcrScalars> scalars_{"pcr_scalars"};
  HostView<PcrScalars> seen_;  // what the host knows of them
  IslandIteration islands_;
  PerGroup<double> zy_{"pcr_zy"}, qs_{"pcr_qs"}, beta_{"pcr_beta"}, alpha_{"pcr_alpha"};
  std::vector<double> zy_before_;
  Buffer<double> r_{"pcr_r"}, z_{"pcr_z"}, y_{"pcr_y"}, p_{"pcr_p"}, q_{"pcr_q"}, s_{"pcr_s"};
  SumScratch<1> scratch1_;
  SumScratch<3> scratch3_;
};

}  // namespace

PetscErrorCode create_pcr(KSP ksp) {
  PetscFunctionBegin;
  PetscCall(install_krylov_method(ksp, std::make_unique<Pcr>()));
  PetscFunctionReturn(0);
}

}  // namespace clarke
