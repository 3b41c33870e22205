#pragma once
// Six rows of the corotational material: the strain of the polar decomposition [docs/theory.md, eq. E11].
//
//   F = R S,  c = (S₁₁ − 1, S₂₂ − 1, S₃₃ − 1, √2 S₂₃, √2 S₁₃, √2 S₁₂),  B_k = R N_k with N_k the matrix of c_k
//   σ = D c − p cof S : N_k,  K = D:  2 μ + λ on the diagonal of the first three, λ beside it, 2 μ for the shears
//   viscosity: σ += (2 η/b) (c − c⁻), the potential (η/b) |c − c⁻|² of these strains
//
// The compliance is constant and exact; what is left out of Newton's matrix is the turning of R: the modes twist of
// ∂²Ψ/∂F² (eq. E2) are the geometric stiffness [eq. E20].
// Source: Macklin 2020, 2.1.4.

#include "physics/materials/corotational.hpp"
#include "physics/soft/activation.hpp"
#include "physics/soft/rows/soft_rows.hpp"

namespace clarke {

struct StrainRows {
  static constexpr int kRows = 6;
  static constexpr bool kGeometric = true;

  KOKKOS_INLINE_FUNCTION static Mat3 unit(int k) {
    constexpr double kRootHalf = 0.70710678118654752;
    Mat3 out{};
    if (k < 3) {
      out(k, k) = 1;
    } else {
      const int i = k == 3 ? 1 : 0, j = k == 5 ? 1 : 2;
      out(i, j) = out(j, i) = kRootHalf;
    }
    return out;
  }
  KOKKOS_INLINE_FUNCTION static void strains(const Svd& d, double* c) {
    const Mat3 e = compose(d.v, d.s, d.v) - Mat3::identity();
    constexpr double kRoot = 1.4142135623730951;
    for (int k = 0; k < 3; ++k) c[k] = e(k, k);
    c[3] = kRoot * e(1, 2), c[4] = kRoot * e(0, 2), c[5] = kRoot * e(0, 1);
  }
  KOKKOS_INLINE_FUNCTION static void hooke(const Corotational& m, const double* c, double* out) {
    const double p = m.lambda * (c[0] + c[1] + c[2]);
    for (int k = 0; k < kRows; ++k) out[k] = 2 * m.mu * c[k] + (k < 3 ? p : 0.0);
  }
  KOKKOS_INLINE_FUNCTION static void evaluate(const Activated<Corotational>& material, const Mat3& f,
                                              const Viscosity& viscosity, bool linearise, const SoftRowOptions&,
                                              SoftRows<kRows>& out) {
    const Svd d = svd(f);
    const Mat3 R = polar_rotation(d);
    double c[kRows];
    strains(d, c);
    hooke(material, c, out.stress);
    if (material.pressure != 0) {
      const Mat3 a = cofactors(compose(d.v, d.s, d.v));
      constexpr double kRoot = 1.4142135623730951;
      const double along[kRows] = {a(0, 0), a(1, 1), a(2, 2), kRoot * a(1, 2), kRoot * a(0, 2), kRoot * a(0, 1)};
      for (int k = 0; k < kRows; ++k) out.stress[k] -= material.pressure * along[k];
    }
    if (viscosity.rate > 0) {
      double before[kRows];
      strains(svd(viscosity.old), before);
      for (int k = 0; k < kRows; ++k) out.stress[k] += 2 * viscosity.rate * (c[k] - before[k]);
    }
    for (int k = 0; k < kRows; ++k) out.basis[k] = R * unit(k);
    if (!linearise) return;
    const double mu = material.mu + viscosity.rate;
    const double shear = 1 / (2 * mu);
    const double coupling = -shear * material.lambda / (2 * mu + 3 * material.lambda);
    for (int k = 0; k < kRows; ++k)
      for (int l = 0; l < kRows; ++l)
        out.compliance[kRows * k + l] = (k == l ? shear : 0.0) + (k < 3 && l < 3 ? coupling : 0.0);
  }
  KOKKOS_INLINE_FUNCTION static Mat3 geometric(const Activated<Corotational>& material, const Mat3& f, const Vec3& b) {
    return spectrum_on(material.spectrum(f), 6, kEntries, b);
  }
  KOKKOS_INLINE_FUNCTION static void viscous_stress(const Corotational& material, const Mat3&, const double* rate,
                                                    double* out) {
    hooke(material, rate, out);
  }
};

}  // namespace clarke
