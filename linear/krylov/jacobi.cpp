#include "linear/krylov/jacobi.hpp"

#include "linear/krylov/krylov_method.hpp"

#include <cmath>
#include <cstdint>

namespace clarke {

/// v_i in [−1, 1), the same on every machine and backend (the integer mixing of splitmix64).
static void pseudo_random(const View<double>& v) {
  parallel_for(
      "jacobi_pseudo_random", static_cast<int>(v.extent(0)), KOKKOS_LAMBDA(int i) {
        std::uint64_t k = (static_cast<std::uint64_t>(i) + 1) * 0x9E3779B97F4A7C15ull;
        k = (k ^ (k >> 30)) * 0xBF58476D1CE4E5B9ull;
        k = (k ^ (k >> 27)) * 0x94D049BB133111EBull;
        k ^= k >> 31;
        v(i) = static_cast<double>(k >> 11) * 0x1p-52 - 1.0;
      });
}

/// u·v, u·w, w·w
static void power_sums(const View<double>& u, const View<double>& v, const View<double>& w, SumScratch<3>& scratch,
                       double (&sum)[3]) {
  deterministic_sum<3>(
      "jacobi_power_sums", static_cast<int>(v.extent(0)),
      KOKKOS_LAMBDA(int i) {
        return Kokkos::Array<double, 3>{{u(i) * v(i), u(i) * w(i), w(i) * w(i)}};
      },
      scratch, sum);
}

/// v = f w
static void scaled_copy(const View<double>& w, double f, const View<double>& v) {
  parallel_for(
      "jacobi_scaled_copy", static_cast<int>(v.extent(0)), KOKKOS_LAMBDA(int i) { v(i) = f * w(i); });
}

/// x += ω z
static void relax(const View<double>& z, double omega, const View<double>& x) {
  parallel_for(
      "jacobi_relax", static_cast<int>(x.extent(0)), KOKKOS_LAMBDA(int i) { x(i) += omega * z(i); });
}

namespace {

class Jacobi final : public KrylovMethod {
 public:
  KrylovNeeds needs() const override { return {.symmetric = true, .definite = true}; }
  void describe(OptionVisitor& visitor) override { options_.describe(visitor); }

  PetscErrorCode solve(KrylovSystem& system) override {
    const View<double> r = r_.resize(system.size()), z = z_.resize(system.size());
    ResidualSums sums;

    PetscFunctionBegin;
    double omega = options_.omega;
    if (omega == 0) {
      PetscCall(find_lambda_max(system));
      omega = lambda_max_ > 0 ? 1 / lambda_max_ : 1;  // A = 0: any
      if (!system.running()) PetscFunctionReturn(0);
    }
    PetscCall(system.start(r, z, &sums));
    PetscCall(system.test(0, sums));
    for (int it = 1; system.running(); ++it) {
      relax(z, omega, system.x());
      PetscCall(system.residual(r, z, &sums));
      PetscCall(PetscLogFlops(2.0 * system.size()));
      PetscCall(system.test(it, sums));
    }
    PetscFunctionReturn(0);
  }

 private:
  PetscErrorCode find_lambda_max(KrylovSystem& system) {
    const View<double> v = v_.resize(system.size()), u = r_.view(), w = z_.view();
    PetscFunctionBegin;
    if (stamp_ == system.stamp() && iterations_ == options_.power_iterations) PetscFunctionReturn(0);
    stamp_ = -1;
    lambda_max_ = 0;
    pseudo_random(v);
    for (int k = 0; k < options_.power_iterations; ++k) {
      double sum[3];
      PetscCall(system.apply(v, u));
      PetscCall(system.precondition(u, w));
      power_sums(u, v, w, scratch_, sum);
      PetscCall(PetscLogFlops(7.0 * system.size()));
      const double uv = sum[0], uw = sum[1], ww = sum[2];
      PetscCall(system.check_finite(ww));
      if (!system.running()) PetscFunctionReturn(0);
      if (ww == 0) break;
      if (uv <= 0) {
        PetscCall(system.stop(KSP_DIVERGED_INDEFINITE_MAT, "jacobi: v·Av <= 0 in the power iteration"));
        PetscFunctionReturn(0);
      }
      lambda_max_ = uw / uv;
      scaled_copy(w, 1 / std::sqrt(ww), v);
    }
    stamp_ = system.stamp();
    iterations_ = options_.power_iterations;
    PetscFunctionReturn(0);
  }

  JacobiOptions options_;
  double lambda_max_ = 0;  // of the linearisation `stamp_`, found with so many iterations
  long stamp_ = -1;
  int iterations_ = 0;
  Buffer<double> r_{"jacobi_r"}, z_{"jacobi_z"}, v_{"jacobi_v"};
  SumScratch<3> scratch_;
};

}  // namespace

PetscErrorCode create_jacobi(KSP ksp) {
  PetscFunctionBegin;
  PetscCall(install_krylov_method(ksp, std::make_unique<Jacobi>()));
  PetscFunctionReturn(0);
}

}  // namespace clarke
