#pragma once
// St. Venant-Kirchhoff: Hooke's law in the Green strain [docs/theory.md, eq. E8].
//
//   G = (FᵀF − 1)/2,   Ψ = μ G:G + λ/2 tr²G,   P = F (2 μ G + λ tr G 1)
//   in stretches   g_i = (s_i² − 1)/2, t = Σ g_i,   Ψ_i = s_i (2 μ g_i + λ t),   c = λ t − μ
//                  Ψ_ii = 3 μ s_i² + c + λ s_i²,   Ψ_ij = λ s_i s_j
//                  flip_k = μ (s_i² + s_i s_j + s_j²) + c,   twist_k = μ (s_i² − s_i s_j + s_j²) + c
//
// Defined everywhere, but weak in compression: below s ≈ 0.58 a bar softens, and a flat element pushes no more. For
// comparison. Source: Bonet, Wood 2008, eq. 6.17.

#include "physics/soft/material.hpp"

namespace clarke {

struct StVenantKirchhoff {
  static constexpr const char* kName = "st_venant_kirchhoff";
  static constexpr const char* kSummary = "Hooke's law in the Green strain; weak in compression";
  static constexpr bool kInvertible = true;
  double mu, lambda;  // [Pa]

  static StVenantKirchhoff from(const Lame& l) { return {l.mu, l.lambda}; }

  KOKKOS_INLINE_FUNCTION static double strain_trace(const Vec3& s) { return 0.5 * (norm2(s) - 3); }
  KOKKOS_INLINE_FUNCTION double stretch_energy(const Vec3& s) const {
    const Vec3 g{0.5 * (s.x * s.x - 1), 0.5 * (s.y * s.y - 1), 0.5 * (s.z * s.z - 1)};
    const double t = g.x + g.y + g.z;
    return mu * norm2(g) + 0.5 * lambda * t * t;
  }
  KOKKOS_INLINE_FUNCTION Vec3 stretch_gradient(const Vec3& s) const {
    const double c = lambda * strain_trace(s) - mu;
    return {s.x * (mu * s.x * s.x + c), s.y * (mu * s.y * s.y + c), s.z * (mu * s.z * s.z + c)};
  }
  KOKKOS_INLINE_FUNCTION Mat3 stretch_hessian(const Vec3& s) const {
    const double c = lambda * strain_trace(s) - mu;
    Mat3 h = lambda * outer(s, s);
    for (int i = 0; i < 3; ++i) h(i, i) += 3 * mu * s[i] * s[i] + c;
    return h;
  }
  KOKKOS_INLINE_FUNCTION Vec3 pairs(const Vec3& s, double sign) const {
    const double c = lambda * strain_trace(s) - mu;
    const Vec3 q{s.x * s.x, s.y * s.y, s.z * s.z}, p = stretch_cofactors(s);
    return {mu * (q.y + q.z + sign * p.x) + c, mu * (q.x + q.z + sign * p.y) + c, mu * (q.x + q.y + sign * p.z) + c};
  }
  KOKKOS_INLINE_FUNCTION Vec3 flip(const Vec3& s) const { return pairs(s, 1); }
  KOKKOS_INLINE_FUNCTION Vec3 twist(const Vec3& s) const { return pairs(s, -1); }

  template <class T>
  KOKKOS_INLINE_FUNCTION static Mat3T<T> strain(const Mat3T<T>& f) {
    return T(0.5) * (transpose(f) * f - Mat3T<T>::identity());
  }
  KOKKOS_INLINE_FUNCTION double energy(const Mat3& f) const {
    const Mat3 g = strain(f);
    return mu * (norm2(g.r0) + norm2(g.r1) + norm2(g.r2)) + 0.5 * lambda * trace(g) * trace(g);
  }
  template <class T>
  KOKKOS_INLINE_FUNCTION Mat3T<T> stress(const Mat3T<T>& f) const {
    const Mat3T<T> g = strain(f);
    return f * (T(2 * mu) * g + T(lambda) * trace(g) * Mat3T<T>::identity());
  }
  KOKKOS_INLINE_FUNCTION Spectrum spectrum(const Mat3& f) const { return isotropic_spectrum(*this, f); }
};

}  // namespace clarke
