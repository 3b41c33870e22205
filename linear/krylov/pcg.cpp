#include "linear/krylov/pcg.hpp"

#include "linear/krylov/krylov_method.hpp"

#include <cmath>

namespace clarke {

/// p·q more negative than this multiple of the stagnation threshold is no round-off.
static constexpr double kClearlyNegative = 1e4;

struct PcgVectors {
  View<double> x, r, z, p, q;
};

/// x += α p, r −= α q, z = d r, and the sums of the new r and z.
static ResidualSums pcg_update_fused(const PcgVectors& v, const View<double>& d, double alpha,
                                     SumScratch<3>& scratch) {
  double sum[3];
  deterministic_sum<3>(
      "pcg_update", static_cast<int>(v.x.extent(0)),
      KOKKOS_LAMBDA(int i) {
        const double r = v.r(i) - alpha * v.q(i), z = d(i) * r;
        v.x(i) += alpha * v.p(i);
        v.r(i) = r;
        v.z(i) = z;
        return Kokkos::Array<double, 3>{{z * z, r * r, r * z}};
      },
      scratch, sum);
  return {sum[0], sum[1], sum[2]};
}

/// x += α p, r −= α q
static void pcg_update(const PcgVectors& v, double alpha) {
  parallel_for(
      "pcg_update", static_cast<int>(v.x.extent(0)), KOKKOS_LAMBDA(int i) {
        v.x(i) += alpha * v.p(i);
        v.r(i) -= alpha * v.q(i);
      });
}

/// p = z + β p
static void pcg_direction(const PcgVectors& v, bool first, double beta) {
  parallel_for(
      "pcg_direction", static_cast<int>(v.x.extent(0)),
      KOKKOS_LAMBDA(int i) { v.p(i) = first ? v.z(i) : v.z(i) + beta * v.p(i); });
}

namespace {

class Pcg final : public KrylovMethod {
 public:
  void describe(OptionVisitor& visitor) override { options_.describe(visitor); }

  PetscErrorCode solve(KrylovSystem& system) override {
    const int n = system.size();
    const PcgVectors v{system.x(), r_.resize(n), z_.resize(n), p_.resize(n), q_.resize(n)};
    ResidualSums sums;

    PetscFunctionBegin;
    PetscCall(system.start(v.r, v.z, &sums));
    const double round_off = options_.breakdown * options_.breakdown * std::abs(sums.rz);
    PetscCall(system.test(0, sums));
    double rz_before = 0;
    for (int it = 1; system.running(); ++it) {
      if (sums.rz <= round_off) {
        if (sums.rz < -round_off) {
          PetscCall(system.stop(KSP_DIVERGED_INDEFINITE_PC, "pcg: r·z < 0"));
        } else {
          PetscCall(system.stop(KSP_CONVERGED_HAPPY_BREAKDOWN, "pcg: the residual is round-off"));
        }
        break;
      }
      pcg_direction(v, it == 1, it == 1 ? 0 : sums.rz / rz_before);
      PetscCall(system.apply(v.p, v.q));
      const double pq = dot(v.p, v.q, scratch1_);
      PetscCall(system.check_finite(pq));
      if (!system.running()) break;
      if (pq <= options_.stagnation * sums.rz) {
        if (pq < -kClearlyNegative * options_.stagnation * sums.rz) {
          PetscCall(system.stop(KSP_DIVERGED_INDEFINITE_MAT, "pcg: p·Ap < 0"));
        } else {
          PetscCall(system.stop(KSP_CONVERGED_HAPPY_BREAKDOWN,
                                "pcg: the direction is in the null space"));
        }
        break;
      }

      const double alpha = sums.rz / pq;
      rz_before = sums.rz;
      if (system.diagonal()) {
        sums = pcg_update_fused(v, system.inverse_diagonal(), alpha, scratch3_);
      } else {
        pcg_update(v, alpha);
        PetscCall(system.precondition(v.r, v.z));
        sums = residual_sums(v.r, v.z, scratch3_);
      }
      PetscCall(PetscLogFlops(15.0 * n));
      PetscCall(system.test(it, sums));
    }
    PetscFunctionReturn(0);
  }

 private:
  PcgOptions options_;
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
