#pragma once
// ∂²Ψ/∂F² of an isotropic energy by its eigenvalues, which are known in closed form: nothing but a 3×3 eigenproblem is
// left.
//
//   F = U diag(s) Vᵀ,  Ψ_i = ∂Ψ/∂s_i                                                                         [eq. E2]
//   stretch   three eigenvectors  U diag(w) Vᵀ,             (e, w) eigenpairs of ∂²Ψ/∂s_i∂s_j
//   flip      three               U (E_ij + E_ji) Vᵀ/√2,    (Ψ_i − Ψ_j)/(s_i − s_j)
//   twist     three               U (E_ij − E_ji) Vᵀ/√2,    (Ψ_i + Ψ_j)/(s_i + s_j)
//
// A material gives the two quotients as formulas without a quotient, so repeated stretches are no special case. The
// projection to positive definite, and the inverse of that, take a function of the eigenvalues:
//
//   [H]₊  = Σ max(e, e_min) q qᵀ,        E = [H]₊⁻¹ = Σ q qᵀ / max(e, e_min)
//
// F as a vector of nine is row by row: entry 3 i + j is F_ij. Source: Smith, de Goes, Kim 2019; Stomakhin et al. 2012.

#include "framework/math/svd.hpp"
#include "framework/math/symmetric_eigen.hpp"

namespace clarke {

/// Number of entries of F.
inline constexpr int kEntries = 9;

struct Spectrum {
  Mat3 u, v;
  SymmetricEigen stretch;
  Vec3 flip, twist;  // k: of the pair of the other two directions

  /// Eigenvalue k of nine [Pa].
  KOKKOS_INLINE_FUNCTION double value(int k) const {
    return k < 3 ? stretch.values[k] : (k < 6 ? flip[k - 3] : twist[k - 6]);
  }
  /// Its eigenvector as a matrix of Frobenius norm 1.
  KOKKOS_INLINE_FUNCTION Mat3 vector(int k) const {
    if (k < 3) return compose(u, column(stretch.vectors, k), v);
    constexpr double kRootHalf = 0.70710678118654752;
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const Mat3 one = outer(kRootHalf * column(u, i), column(v, j));
    const Mat3 other = outer(kRootHalf * column(u, j), column(v, i));
    return k < 6 ? one + other : one - other;
  }

 private:
  KOKKOS_INLINE_FUNCTION static Vec3 column(const Mat3& m, int k) { return {m.r0[k], m.r1[k], m.r2[k]}; }
};

/// Σ over eigenpairs first … last − 1 of e (q b)(q b)ᵀ: what they resist when F changes by δ bᵀ.
KOKKOS_INLINE_FUNCTION Mat3 spectrum_on(const Spectrum& spectrum, int first, int last, const Vec3& b) {
  Mat3 out{};
  for (int k = first; k < last; ++k) {
    const Vec3 d = spectrum.vector(k) * b;
    out = out + spectrum.value(k) * outer(d, d);
  }
  return out;
}

/// H = Σ_k f(e_k) q_k q_kᵀ, row-major 9 × 9; exactly symmetric.
template <class Function>
KOKKOS_INLINE_FUNCTION void assemble_spectrum(const Spectrum& spectrum, const Function& f, double* H) {
  for (int e = 0; e < kEntries * kEntries; ++e) H[e] = 0;
  for (int k = 0; k < kEntries; ++k) {
    const double value = f(spectrum.value(k));
    const Mat3 m = spectrum.vector(k);
    const double q[kEntries] = {m.r0.x, m.r0.y, m.r0.z, m.r1.x, m.r1.y, m.r1.z, m.r2.x, m.r2.y, m.r2.z};
    for (int r = 0; r < kEntries; ++r) {
      const double left = value * q[r];
      for (int c = r; c < kEntries; ++c) H[kEntries * r + c] += left * q[c];
    }
  }
  for (int r = 0; r < kEntries; ++r)
    for (int c = 0; c < r; ++c) H[kEntries * r + c] = H[kEntries * c + r];
}

}  // namespace clarke
