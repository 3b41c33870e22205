#pragma once
// Stable Neo-Hookean: a rubber that is defined, and finite, at every F, flat and inverted ones included
// [docs/theory.md, eq. E6].
//
//   Ψ = μ/2 (|F|² − 3) − μ (J − 1) + κ/2 (J − 1)²,   J = det F
//     = C₁ (|F|² − 3) + D₁ (J − a)² + constant,   C₁ = μ/2, D₁ = κ/2, a = 1 + μ/κ      (as Macklin 2020 writes it)
//   P = μ F + p cof F,   p = κ (J − 1) − μ
//   in stretches   Ψ_i = μ s_i + p c_i,   Ψ_ii = μ + κ c_i²,   Ψ_ij = κ c_i c_j + p s_k,   c_i = s_j s_k
//                  flip_k = μ − p s_k,    twist_k = μ + p s_k
//
// κ = λ + μ makes the small-strain limit that of λ and μ exactly, with zero stress at rest. This is the energy of
// Smith, de Goes and Kim 2018 without its logarithmic term (`stable_neo_hookean_log`). Recovers from inversion and from
// flatness, but not from a point: F = 0 is a local minimum, as P ≈ μ F for stretches below μ/(κ + μ).
// Macklin 2020, appendix B, prints (J − 1) in ∂Ψ/∂s where (J − a) is meant.

#include "physics/soft/material.hpp"

namespace clarke {

struct StableNeoHookean {
  static constexpr const char* kName = "stable_neo_hookean";
  static constexpr const char* kSummary = "rubber, finite at flat and inverted elements";
  static constexpr bool kInvertible = true;
  double mu, kappa;  // [Pa]

  static StableNeoHookean from(const Lame& l) { return {l.mu, l.lambda + l.mu}; }

  template <class T>
  KOKKOS_INLINE_FUNCTION T pressure(T J) const {
    return T(kappa) * (J - T(1)) - T(mu);
  }
  KOKKOS_INLINE_FUNCTION double energy_of(double norm2_minus_3, double J) const {
    return 0.5 * mu * norm2_minus_3 - mu * (J - 1) + 0.5 * kappa * (J - 1) * (J - 1);
  }
  KOKKOS_INLINE_FUNCTION double stretch_energy(const Vec3& s) const { return energy_of(norm2(s) - 3, s.x * s.y * s.z); }
  KOKKOS_INLINE_FUNCTION Vec3 stretch_gradient(const Vec3& s) const {
    return mu * s + pressure(s.x * s.y * s.z) * stretch_cofactors(s);
  }
  KOKKOS_INLINE_FUNCTION Mat3 stretch_hessian(const Vec3& s) const {
    const Vec3 c = stretch_cofactors(s);
    const double p = pressure(s.x * s.y * s.z);
    Mat3 h = kappa * outer(c, c) + mu * Mat3::identity();
    h(0, 1) += p * s.z, h(1, 0) += p * s.z;
    h(0, 2) += p * s.y, h(2, 0) += p * s.y;
    h(1, 2) += p * s.x, h(2, 1) += p * s.x;
    return h;
  }
  KOKKOS_INLINE_FUNCTION Vec3 flip(const Vec3& s) const { return Vec3{mu, mu, mu} - pressure(s.x * s.y * s.z) * s; }
  KOKKOS_INLINE_FUNCTION Vec3 twist(const Vec3& s) const { return Vec3{mu, mu, mu} + pressure(s.x * s.y * s.z) * s; }
  KOKKOS_INLINE_FUNCTION double energy(const Mat3& f) const {
    return energy_of(norm2(f.r0) + norm2(f.r1) + norm2(f.r2) - 3, determinant(f));
  }
  template <class T>
  KOKKOS_INLINE_FUNCTION Mat3T<T> stress(const Mat3T<T>& f) const {
    return T(mu) * f + pressure(determinant(f)) * cofactors(f);
  }
  KOKKOS_INLINE_FUNCTION Spectrum spectrum(const Mat3& f) const { return isotropic_spectrum(*this, f); }
};

}  // namespace clarke
