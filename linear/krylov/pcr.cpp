#include "linear/krylov/pcr.hpp"

#include "linear/krylov/island_iteration.hpp"
#include "linear/krylov/krylov_method.hpp"

#include <cmath>

namespace clarke {

/// What the kernels work on. With a diagonal P, w is its diagonal and s = w q is never stored; otherwise w is s.
struct PcrVectors {
  View<double> x, r, z, y, p, q, w;
};

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

/// The directions, and q·(w q) for a diagonal P.
static double pcr_directions_fused(const PcrVectors& v, bool first, double beta, SumScratch<1>& scratch) {
  double sum[1];
  deterministic_sum<1>(
      "pcr_directions", static_cast<int>(v.x.extent(0)),
      KOKKOS_LAMBDA(int i) {
        const double q = direct(v, i, first, beta);
        return Kokkos::Array<double, 1>{{q * (v.w(i) * q)}};
      },
      scratch, sum);
  return sum[0];
}

/// The directions alone.
static void pcr_directions(const PcrVectors& v, bool first, double beta) {
  parallel_for(
      "pcr_directions", static_cast<int>(v.x.extent(0)), KOKKOS_LAMBDA(int i) { direct(v, i, first, beta); });
}

/// The update, and the sums of the new r and z.
static ResidualSums pcr_update(const PcrVectors& v, bool diagonal, double alpha, SumScratch<3>& scratch) {
  double sum[3];
  deterministic_sum<3>(
      "pcr_update", static_cast<int>(v.x.extent(0)), KOKKOS_LAMBDA(int i) { return advance(v, i, diagonal, alpha); },
      scratch, sum);
  return {sum[0], sum[1], sum[2]};
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
    const double round_off = options_.breakdown * options_.breakdown * std::abs(sums.rz);
    PetscCall(system.test(0, sums));
    double zy = 0;
    for (int it = 1; system.running(); ++it) {
      if (sums.rz <= round_off) {
        if (sums.rz < -round_off) {
          PetscCall(system.stop(KSP_DIVERGED_INDEFINITE_PC, "pcr: r·z < 0"));
        } else {
          PetscCall(system.stop(KSP_CONVERGED_HAPPY_BREAKDOWN, "pcr: the residual is round-off"));
        }
        break;
      }
      PetscCall(system.apply(v.z, v.y));
      const double zy_before = zy;
      zy = dot(v.z, v.y, scratch1_);
      PetscCall(system.check_finite(zy));
      if (!system.running()) break;
      if (zy <= options_.stagnation * sums.rz) {
        if (zy < -kClearlyNegative * options_.stagnation * sums.rz) {
          PetscCall(system.stop(KSP_DIVERGED_INDEFINITE_MAT, "pcr: z·Az < 0"));
        } else {
          PetscCall(system.stop(KSP_CONVERGED_HAPPY_BREAKDOWN, "pcr: the residual is in the null space"));
        }
        break;
      }

      const double beta = it == 1 ? 0 : zy / zy_before;
      double qs = 0;
      if (diagonal) {
        qs = pcr_directions_fused(v, it == 1, beta, scratch1_);
      } else {
        pcr_directions(v, it == 1, beta);
        PetscCall(system.precondition(v.q, v.w));
        qs = dot(v.q, v.w, scratch1_);
      }
      PetscCall(system.check_finite(qs));
      if (!system.running()) break;
      if (qs <= 0) {
        if (qs < 0) {
          PetscCall(system.stop(KSP_DIVERGED_INDEFINITE_PC, "pcr: q·Pq < 0"));
        } else {
          PetscCall(system.stop(KSP_CONVERGED_HAPPY_BREAKDOWN, "pcr: A p = 0"));
        }
        break;
      }

      sums = pcr_update(v, diagonal, zy / qs, scratch3_);
      PetscCall(PetscLogFlops(22.0 * n));
      PetscCall(system.test(it, sums));
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
