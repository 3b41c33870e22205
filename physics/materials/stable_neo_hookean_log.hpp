#pragma once
// Stable Neo-Hookean as published, with the logarithm that makes a collapsed element unfold [docs/theory.md, eq. E6].
//
//   Ψ = μ/2 (I − 3) − μ/2 log((I + 1)/4) + λ/2 ((J − a)² − (1 − a)²),   I = |F|²,  J = det F,  a = 1 + 3 μ/(4 λ)
//   P = g F + p cof F,   g = μ (1 − 1/(I + 1)),   p = λ (J − a)
//   in stretches   Ψ_i = g s_i + p c_i,   c_i = s_j s_k
//                  Ψ_ij = g δ_ij + 2 μ s_i s_j/(I + 1)² + λ c_i c_j + p s_k (i ≠ j)
//                  flip_k = g − p s_k,    twist_k = g + p s_k
//
// μ = 4/3 μ_L and λ = λ_L + 5/6 μ_L, with Lamé's constants on the right, give Hooke's law for small strains. g vanishes
// at F = 0, so that the collapsed state, a local minimum of `stable_neo_hookean`, is none here. Source: Smith, de Goes,
// Kim 2018, eqs. 13 and 14.

#include "physics/soft/material.hpp"

namespace clarke {

struct StableNeoHookeanLog {
  static constexpr const char* kName = "stable_neo_hookean_log";
  static constexpr const char* kSummary = "rubber that also unfolds from a point";
  static constexpr bool kInvertible = true;
  double mu, lambda;  // [Pa] of the energy, not Lamé's

  static StableNeoHookeanLog from(const Lame& l) { return {4 * l.mu / 3, l.lambda + 5 * l.mu / 6}; }

  template <class T>
  KOKKOS_INLINE_FUNCTION T stiffening(T I) const {
    return T(mu) * (I / (I + T(1)));
  }
  template <class T>
  KOKKOS_INLINE_FUNCTION T pressure(T J) const {
    return T(lambda) * (J - T(1)) - T(0.75 * mu);
  }
  KOKKOS_INLINE_FUNCTION double energy_of(double I, double J) const {
    return 0.5 * mu * (I - 3) - 0.5 * mu * std::log((I + 1) / 4) + (J - 1) * (0.5 * lambda * (J - 1) - 0.75 * mu);
  }
  KOKKOS_INLINE_FUNCTION double stretch_energy(const Vec3& s) const { return energy_of(norm2(s), s.x * s.y * s.z); }
  KOKKOS_INLINE_FUNCTION Vec3 stretch_gradient(const Vec3& s) const {
    return stiffening(norm2(s)) * s + pressure(s.x * s.y * s.z) * stretch_cofactors(s);
  }
  KOKKOS_INLINE_FUNCTION Mat3 stretch_hessian(const Vec3& s) const {
    const Vec3 c = stretch_cofactors(s);
    const double I = norm2(s), p = pressure(s.x * s.y * s.z);
    Mat3 h = lambda * outer(c, c) + stiffening(I) * Mat3::identity() + 2 * mu / ((I + 1) * (I + 1)) * outer(s, s);
    h(0, 1) += p * s.z, h(1, 0) += p * s.z;
    h(0, 2) += p * s.y, h(2, 0) += p * s.y;
    h(1, 2) += p * s.x, h(2, 1) += p * s.x;
    return h;
  }
  KOKKOS_INLINE_FUNCTION Vec3 flip(const Vec3& s) const {
    const double g = stiffening(norm2(s));
    return Vec3{g, g, g} - pressure(s.x * s.y * s.z) * s;
  }
  KOKKOS_INLINE_FUNCTION Vec3 twist(const Vec3& s) const {
    const double g = stiffening(norm2(s));
    return Vec3{g, g, g} + pressure(s.x * s.y * s.z) * s;
  }
  KOKKOS_INLINE_FUNCTION double energy(const Mat3& f) const {
    return energy_of(norm2(f.r0) + norm2(f.r1) + norm2(f.r2), determinant(f));
  }
  template <class T>
  KOKKOS_INLINE_FUNCTION Mat3T<T> stress(const Mat3T<T>& f) const {
    return stiffening(norm2(f.r0) + norm2(f.r1) + norm2(f.r2)) * f + pressure(determinant(f)) * cofactors(f);
  }
  KOKKOS_INLINE_FUNCTION Spectrum spectrum(const Mat3& f) const { return isotropic_spectrum(*this, f); }
};

}  // namespace clarke
