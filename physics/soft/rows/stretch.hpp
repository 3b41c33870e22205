#pragma once
// Three rows: the principal stretches [docs/theory.md, eq. E12].
//
//   F = U diag(s) Vᵀ,  c = s,  B_k = u_k v_kᵀ,  σ = ∂Ψ/∂s,  K = [∂²Ψ/∂s²]₊, or its diagonal
//   viscosity: σ += (2 η/b) (s − s⁻), of the stretches only
//
// Few rows, and forces as exact as those of nine. But Newton's matrix has no stiffness against shear and rotation of
// the principal axes: stiff bodies need geometric stiffness, and beyond some stiffness do not converge. For isotropic
// materials; for comparison. Geometric stiffness: the modes flip and twist of ∂²Ψ/∂F² (eq. E2), which no row measures
// [eq. E20]. Source: Macklin 2020, 2.1.5 and appendix B.

#include "physics/soft/rows/soft_rows.hpp"

namespace clarke {

template <class M>
requires Material<M> && StretchEnergy<M>
struct StretchRows {
  static constexpr int kRows = 3;
  static constexpr bool kGeometric = true;

  KOKKOS_INLINE_FUNCTION static void evaluate(const M& material, const Mat3& f, const Viscosity& viscosity,
                                              bool linearise, const SoftRowOptions& options, SoftRows<kRows>& out) {
    const Svd d = svd(f);
    const Mat3 ut = transpose(d.u), vt = transpose(d.v);
    Vec3 g = material.stretch_gradient(d.s);
    if (viscosity.rate > 0) g += 2 * viscosity.rate * (d.s - svd(viscosity.old).s);
    for (int k = 0; k < kRows; ++k) {
      out.basis[k] = outer(ut[k], vt[k]);
      out.stress[k] = g[k];
    }
    if (!linearise) return;
    Mat3 K = material.stretch_hessian(d.s);
    if (viscosity.rate > 0) K = K + 2 * viscosity.rate * Mat3::identity();
    if (!options.full) K = Mat3::diagonal(K(0, 0), K(1, 1), K(2, 2));
    const SymmetricEigen e = symmetric_eigen(K);
    Mat3 inverse{};
    for (int k = 0; k < 3; ++k) {
      const Vec3 w{e.vectors(0, k), e.vectors(1, k), e.vectors(2, k)};
      inverse = inverse + 1 / options.projected(e.values[k], material.mu) * outer(w, w);
    }
    for (int k = 0; k < kRows; ++k)
      for (int l = 0; l < kRows; ++l) out.compliance[kRows * k + l] = inverse(k < l ? k : l, k < l ? l : k);
  }
  KOKKOS_INLINE_FUNCTION static Mat3 geometric(const M& material, const Mat3& f, const Vec3& b) {
    return spectrum_on(material.spectrum(f), 3, kEntries, b);
  }
  KOKKOS_INLINE_FUNCTION static void viscous_stress(const M& material, const Mat3& f, const double* rate, double* out) {
    const Vec3 p = positive_part(material.stretch_hessian(svd(f).s)) * Vec3{rate[0], rate[1], rate[2]};
    for (int k = 0; k < kRows; ++k) out[k] = p[k];
  }
};

}  // namespace clarke
