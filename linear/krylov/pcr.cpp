#include "linear/krylov/pcr.hpp"

#include "linear/krylov/island_iteration.hpp"
#include "linear/krylov/krylov_method.hpp"
#include "linear/krylov/unseen_iteration.hpp"

#include <cmath>

namespace clarke {

/// What the kernels work on. With a diagonal P, w is its diagonal and s = w q is never stored; otherwise w is s.
struct PcrVectors {
  View<double> x, r, z, y, p, q, w;
};

/// z·y is known: β, or an end.
KOKKOS_INLINE_FUNCTION static void pcr_take_beta(KrylovNumbers& s, bool first, double zy) {
  if (s.end != KrylovEnd::none) return;
  const double before = s.curvature;
  take_curvature(s, zy);
  s.beta = first ? 0 : zy / before;
}

/// q·s is known: α, or an end.
KOKKOS_INLINE_FUNCTION static void pcr_take_alpha(KrylovNumbers& s, double qs) {
  if (s.end != KrylovEnd::none) return;
  if (!is_number(qs)) {
    s.end = KrylovEnd::not_finite;
    s.culprit = qs;
  } else if (qs <= 0) {
    s.end = qs < 0 ? KrylovEnd::indefinite_preconditioner : KrylovEnd::no_step;
  }
  s.alpha = s.curvature / qs;
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
static void pcr_curvature(const PcrVectors& v, bool first, const View<KrylovNumbers>& numbers, SumScratch<1>& scratch) {
  const View<KrylovNumbers> s = numbers;
  dot_into(
      v.z, v.y, scratch, KOKKOS_LAMBDA(const Kokkos::Array<double, 1>& sum) { pcr_take_beta(s(0), first, sum[0]); });
}

/// The directions, q·(w q) for a diagonal P, and α.
static void pcr_directions_fused(const PcrVectors& v, bool first, const View<KrylovNumbers>& numbers,
                                 SumScratch<1>& scratch) {
  deterministic_sum_into<1>(
      "pcr_directions", static_cast<int>(v.x.extent(0)),
      KOKKOS_LAMBDA(int i) {
        const double q = direct(v, i, first, numbers(0).beta);
        return Kokkos::Array<double, 1>{{q * (v.w(i) * q)}};
      },
      scratch, KOKKOS_LAMBDA(const Kokkos::Array<double, 1>& sum) { pcr_take_alpha(numbers(0), sum[0]); });
}

/// The directions alone.
static void pcr_directions(const PcrVectors& v, bool first, const View<KrylovNumbers>& numbers) {
  parallel_for(
      "pcr_directions", static_cast<int>(v.x.extent(0)),
      KOKKOS_LAMBDA(int i) { direct(v, i, first, numbers(0).beta); });
}

/// q·s for any other P, and α.
static void pcr_step_length(const PcrVectors& v, const View<KrylovNumbers>& numbers, SumScratch<1>& scratch) {
  const View<KrylovNumbers> s = numbers;
  dot_into(
      v.q, v.w, scratch, KOKKOS_LAMBDA(const Kokkos::Array<double, 1>& sum) { pcr_take_alpha(s(0), sum[0]); });
}

/// The update, and the sums of the new r and z; nothing after the end.
static void pcr_update(const PcrVectors& v, bool diagonal, const View<KrylovNumbers>& numbers, SumScratch<3>& scratch) {
  deterministic_sum_into<3>(
      "pcr_update", static_cast<int>(v.x.extent(0)),
      KOKKOS_LAMBDA(int i) {
        if (numbers(0).end != KrylovEnd::none) return Kokkos::Array<double, 3>{{0, 0, 0}};
        return advance(v, i, diagonal, numbers(0).alpha);
      },
      scratch, KOKKOS_LAMBDA(const Kokkos::Array<double, 3>& sum) { take_residual(numbers(0), sum); });
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
    const double round_off = options_.breakdown * options_.breakdown * std::abs(sums.rz);
    PetscCall(iteration_.begin(system, sums, options_.stagnation, round_off));
    const View<KrylovNumbers> numbers = iteration_.numbers();
    for (int it = 1; system.running(); ++it) {
      PetscCall(system.apply(v.z, v.y));
      pcr_curvature(v, it == 1, numbers, scratch1_);
      if (diagonal) {
        pcr_directions_fused(v, it == 1, numbers, scratch1_);
      } else {
        pcr_directions(v, it == 1, numbers);
        PetscCall(system.precondition(v.q, v.w));
        pcr_step_length(v, numbers, scratch1_);
      }
      pcr_update(v, diagonal, numbers, scratch3_);
      PetscCall(PetscLogFlops(22.0 * n));
      PetscCall(iteration_.look(system, it));
    }
    PetscFunctionReturn(0);
  }

 private:
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
  UnseenIteration iteration_{"pcr", "z·Az"};
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
