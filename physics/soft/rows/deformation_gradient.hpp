#pragma once
// Nine rows: all of F [docs/theory.md, eq. E10].
//
//   c = F,  B_ij = e_i e_jᵀ constant,  σ = P,  K = [∂²Ψ/∂F²]₊ + viscosity.hpp
//
// J does not change, so there is no geometric stiffness, and Newton's matrix is that of the elastic energy: it
// converges at every stiffness. For all materials.

#include "framework/math/small_solve.hpp"
#include "physics/soft/rows/soft_rows.hpp"

namespace clarke {

template <Material M>
struct DeformationGradientRows {
  static constexpr int kRows = 9;
  static constexpr bool kGeometric = false;  // J is constant

  KOKKOS_INLINE_FUNCTION static void evaluate(const M& material, const Mat3& f, const Viscosity& viscosity,
                                              bool linearise, const SoftRowOptions& options, SoftRows<kRows>& out) {
    Mat3 P = material.stress(f);
    if (viscosity.rate > 0) P = P + strain_rate_stress(viscosity, f);
    for (int k = 0; k < kRows; ++k) {
      out.basis[k] = Mat3{};
      out.basis[k](k / 3, k % 3) = 1;
      out.stress[k] = P(k / 3, k % 3);
    }
    if (!linearise) return;
    const double mu = material.mu;
    if (viscosity.rate > 0) {  // the sum has another spectrum: inverted as a matrix, positive definite like its parts
      assemble_spectrum(
          material.spectrum(f), [&options, mu](double e) { return options.projected(e, mu); }, out.compliance);
      add_strain_rate_stiffness(viscosity, f, false, 1, out.compliance);
      if (!invert_small(out.compliance, kRows))
        for (int e = 0; e < kRows * kRows; ++e) out.compliance[e] = NAN;  // reported as such
      for (int r = 0; r < kRows; ++r)                                     // exactly symmetric
        for (int c = 0; c < r; ++c) out.compliance[kRows * c + r] = out.compliance[kRows * r + c];
      return;
    }
    assemble_spectrum(
        material.spectrum(f), [&options, mu](double e) { return 1 / options.projected(e, mu); }, out.compliance);
  }
  KOKKOS_INLINE_FUNCTION static Mat3 geometric(const M&, const Mat3&, const Vec3&) { return {}; }
  /// [∂²Ψ]₊ ċ at an earlier F.
  KOKKOS_INLINE_FUNCTION static void viscous_stress(const M& material, const Mat3& f, const double* rate, double* out) {
    viscous_stress(material.spectrum(f), rate, out);
  }
  KOKKOS_INLINE_FUNCTION static void viscous_stress(const Spectrum& s, const double* rate, double* out) {
    for (int k = 0; k < kRows; ++k) out[k] = 0;
    for (int e = 0; e < kRows; ++e) {
      if (!(s.value(e) > 0)) continue;
      const Mat3 q = s.vector(e);
      double along = 0;
      for (int k = 0; k < kRows; ++k) along += q(k / 3, k % 3) * rate[k];
      for (int k = 0; k < kRows; ++k) out[k] += s.value(e) * along * q(k / 3, k % 3);
    }
  }
};

}  // namespace clarke
