#include "linear/krylov/pcg.hpp"

#include "linear/krylov/island_iteration.hpp"
#include "linear/krylov/krylov_method.hpp"
#include "linear/krylov/unseen_iteration.hpp"

#include <cmath>

namespace clarke {

struct PcgVectors {
  View<double> x, r, z, p, q;
};

/// p·q is known: α, or an end.
KOKKOS_INLINE_FUNCTION static void pcg_take_alpha(KrylovNumbers& s, double pq) {
  if (s.end != KrylovEnd::none) return;
  take_curvature(s, pq);
  s.alpha = s.rz / pq;
}

/// p = z + β p
static void pcg_direction(const PcgVectors& v, bool first, const View<KrylovNumbers>& numbers) {
  parallel_for(
      "pcg_direction", static_cast<int>(v.x.extent(0)),
      KOKKOS_LAMBDA(int i) { v.p(i) = first ? v.z(i) : v.z(i) + numbers(0).beta * v.p(i); });
}

/// p·q, and α.
static void pcg_step_length(const PcgVectors& v, const View<KrylovNumbers>& numbers, SumScratch<1>& scratch) {
  const View<KrylovNumbers> s = numbers;
  dot_into(
      v.p, v.q, scratch, KOKKOS_LAMBDA(const Kokkos::Array<double, 1>& sum) { pcg_take_alpha(s(0), sum[0]); });
}

/// x += α p, r −= α q, z = d r, and the sums of the new r and z; nothing after the end.
static void pcg_update_fused(const PcgVectors& v, const View<double>& d, const View<KrylovNumbers>& numbers,
                             SumScratch<3>& scratch) {
  deterministic_sum_into<3>(
      "pcg_update", static_cast<int>(v.x.extent(0)),
      KOKKOS_LAMBDA(int i) {
        if (numbers(0).end != KrylovEnd::none) return Kokkos::Array<double, 3>{{0, 0, 0}};
        const double alpha = numbers(0).alpha, r = v.r(i) - alpha * v.q(i), z = d(i) * r;
        v.x(i) += alpha * v.p(i);
        v.r(i) = r;
        v.z(i) = z;
        return Kokkos::Array<double, 3>{{z * z, r * r, r * z}};
      },
      scratch, KOKKOS_LAMBDA(const Kokkos::Array<double, 3>& sum) { take_gradient(numbers(0), sum); });
}

/// x += α p, r −= α q; nothing after the end.
static void pcg_update(const PcgVectors& v, const View<KrylovNumbers>& numbers) {
  parallel_for(
      "pcg_update", static_cast<int>(v.x.extent(0)), KOKKOS_LAMBDA(int i) {
        if (numbers(0).end != KrylovEnd::none) return;
        v.x(i) += numbers(0).alpha * v.p(i);
        v.r(i) -= numbers(0).alpha * v.q(i);
      });
}

/// The sums of r and z.
static void pcg_residual(const PcgVectors& v, const View<KrylovNumbers>& numbers, SumScratch<3>& scratch) {
  const View<KrylovNumbers> s = numbers;
  residual_sums_into(
      v.r, v.z, scratch, KOKKOS_LAMBDA(const Kokkos::Array<double, 3>& sum) { take_gradient(s(0), sum); });
}

/// The direction for islands: β belongs to the group of an unknown.
static void island_direction(const PcgVectors& v, bool first, const View<double>& beta, IslandIteration& islands) {
  const View<int> group = islands.partition().group, closed = islands.closed();
  parallel_for(
      "pcg_island_direction", static_cast<int>(v.x.extent(0)), KOKKOS_LAMBDA(int i) {
        if (closed(group(i))) return;
        v.p(i) = first ? v.z(i) : v.z(i) + beta(group(i)) * v.p(i);
      });
}

/// pcg_update for islands. Without a diagonal P the sums are not of use.
static void island_update(const PcgVectors& v, bool diagonal, const View<double>& d, const View<double>& alpha,
                          IslandIteration& islands) {
  const View<int> group = islands.partition().group;
  group_sums<3>(
      "pcg_island_update", islands.partition(), islands.closed(),
      KOKKOS_LAMBDA(int i) {
        const double a = alpha(group(i)), r = v.r(i) - a * v.q(i);
        v.x(i) += a * v.p(i);
        v.r(i) = r;
        if (!diagonal) return Kokkos::Array<double, 3>{{0.0, 0.0, 0.0}};
        const double z = d(i) * r;
        v.z(i) = z;
        return Kokkos::Array<double, 3>{{z * z, r * r, r * z}};
      },
      islands.scratch(), islands.residual_sums().device());
}

namespace {

class Pcg final : public KrylovMethod {
 public:
  KrylovNeeds needs() const override { return {.symmetric = true, .definite = true}; }
  bool by_island() const override { return true; }
  void describe(OptionVisitor& visitor) override { options_.describe(visitor); }

  PetscErrorCode solve(KrylovSystem& system) override {
    const int n = system.size();
    const PcgVectors v{system.x(), r_.resize(n), z_.resize(n), p_.resize(n), q_.resize(n)};
    ResidualSums sums;

    PetscFunctionBegin;
    PetscCall(system.start(v.r, v.z, &sums));
    if (system.partition()) {
      PetscCall(solve_islands(system, v));
      PetscFunctionReturn(0);
    }
    const double round_off = options_.breakdown * options_.breakdown * std::abs(sums.rz);
    PetscCall(system.test(0, sums));
    PetscCall(iteration_.begin(system, sums, options_.stagnation, round_off));
    const View<KrylovNumbers> numbers = iteration_.numbers();
    for (int it = 1; system.running(); ++it) {
      pcg_direction(v, it == 1, numbers);
      PetscCall(system.apply(v.p, v.q));
      pcg_step_length(v, numbers, scratch1_);
      if (system.diagonal()) {
        pcg_update_fused(v, system.inverse_diagonal(), numbers, scratch3_);
      } else {
        pcg_update(v, numbers);
        PetscCall(system.precondition(v.r, v.z));
        pcg_residual(v, numbers, scratch3_);
      }
      PetscCall(PetscLogFlops(15.0 * n));
      PetscCall(iteration_.look(system, it));
    }
    PetscFunctionReturn(0);
  }

 private:
  /// The same iteration with scalars and an end for every island.
  PetscErrorCode solve_islands(KrylovSystem& system, const PcgVectors& v) {
    PetscFunctionBegin;
    PetscCall(islands_.start(system, v.r, v.z, options_.breakdown));
    const int groups = islands_.partition().groups;
    for (PerGroup<double>* s : {&pq_, &beta_, &alpha_}) s->resize(groups);
    rz_before_.resize(groups);
    for (int it = 1; system.running(); ++it) {
      for (int g = 0; g < groups; ++g) {
        if (!islands_.open(g)) continue;
        beta_[g] = it == 1 ? 0 : islands_.rz(g) / rz_before_[g];
        rz_before_[g] = islands_.rz(g);
      }
      beta_.to_device();
      island_direction(v, it == 1, beta_.device(), islands_);
      PetscCall(system.apply_open(v.p, v.q, islands_.closed()));
      group_dots(v.p, v.q, islands_, pq_);
      for (int g = 0; g < groups && system.running(); ++g) {
        if (!islands_.open(g)) continue;
        PetscCall(system.check_finite(pq_[g]));
        const double least = options_.stagnation * islands_.rz(g);
        if (pq_[g] < -kClearlyNegative * least) {
          PetscCall(system.stop(KSP_DIVERGED_INDEFINITE_MAT, "pcg: p·Ap < 0 in an island"));
        } else if (pq_[g] <= least) {
          islands_.close(g);  // the direction is in the null space
        }
        alpha_[g] = islands_.rz(g) / pq_[g];
      }
      if (!system.running()) break;
      alpha_.to_device();
      islands_.update();
      island_update(v, system.diagonal(), system.inverse_diagonal(), alpha_.device(), islands_);
      if (!system.diagonal()) {
        PetscCall(system.precondition(v.r, v.z));
        islands_.sum_residuals(v.r, v.z);
      }
      PetscCall(PetscLogFlops(15.0 * system.size()));
      PetscCall(islands_.test(system, it));
    }
    PetscFunctionReturn(0);
  }

  PcgOptions options_;
  UnseenIteration iteration_{"pcg", "p·Ap"};
  IslandIteration islands_;
  PerGroup<double> pq_{"pcg_pq"}, beta_{"pcg_beta"}, alpha_{"pcg_alpha"};
  std::vector<double> rz_before_;
  Buffer<double> r_{"pcg_r"}, z_{"pcg_z"}, p_{"pcg_p"}, q_{"pcg_q"};
  SumScratch<1> scratch1_;
  SumScratch<3> scratch3_;
};

}  // namespace

PetscErrorCode create_pcg(KSP ksp) {
  PetscFunctionBegin;
  PetscCall(install_krylov_method(ksp, std::make_unique<Pcg>()));
  PetscFunctionReturn(0);
}

}  // namespace clarke
