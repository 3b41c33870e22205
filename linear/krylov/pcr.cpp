#include "linear/krylov/pcr.hpp"

#include "linear/krylov/krylov_method.hpp"

#include <cmath>

namespace clarke {

/// z·y more negative than this multiple of the stagnation threshold is no round-off.
static constexpr double kClearlyNegative = 1e4;

/// What the kernels work on. With a diagonal P, w is its diagonal and s = w q is never stored; otherwise w is s.
struct PcrVectors {
  View<double> x, r, z, y, p, q, w;
};

/// p = z + β p, q = y + β q, and q·(w q) for a diagonal P.
static double pcr_directions_fused(const PcrVectors& v, bool first, double beta,
                                   SumScratch<1>& scratch) {
  double sum[1];
  deterministic_sum<1>(
      "pcr_directions", static_cast<int>(v.x.extent(0)),
      KOKKOS_LAMBDA(int i) {
        const double p = first ? v.z(i) : v.z(i) + beta * v.p(i);
        const double q = first ? v.y(i) : v.y(i) + beta * v.q(i);
        v.p(i) = p;
        v.q(i) = q;
        return Kokkos::Array<double, 1>{{q * (v.w(i) * q)}};
      },
      scratch, sum);
  return sum[0];
}

/// p = z + β p, q = y + β q
static void pcr_directions(const PcrVectors& v, bool first, double beta) {
  parallel_for(
      "pcr_directions", static_cast<int>(v.x.extent(0)), KOKKOS_LAMBDA(int i) {
        v.p(i) = first ? v.z(i) : v.z(i) + beta * v.p(i);
        v.q(i) = first ? v.y(i) : v.y(i) + beta * v.q(i);
      });
}

/// x += α p, r −= α q, z −= α s, and the sums of the new r and z.
static ResidualSums pcr_update(const PcrVectors& v, bool diagonal, double alpha,
                               SumScratch<3>& scratch) {
  double sum[3];
  deterministic_sum<3>(
      "pcr_update", static_cast<int>(v.x.extent(0)),
      KOKKOS_LAMBDA(int i) {
        const double q = v.q(i), s = diagonal ? v.w(i) * q : v.w(i);
        const double r = v.r(i) - alpha * q, z = v.z(i) - alpha * s;
        v.x(i) += alpha * v.p(i);
        v.r(i) = r;
        v.z(i) = z;
        return Kokkos::Array<double, 3>{{z * z, r * r, r * z}};
      },
      scratch, sum);
  return {sum[0], sum[1], sum[2]};
}

namespace {

class Pcr final : public KrylovMethod {
 public:
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
          PetscCall(
              system.stop(KSP_CONVERGED_HAPPY_BREAKDOWN, "pcr: the residual is in the null space"));
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
  PcrOptions options_;
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
