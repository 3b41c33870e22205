#pragma once
// Neo-Hookean with the logarithm of the volume [docs/theory.md, eq. E7].
//
//   Ψ = μ/2 (|F|² − 3) − μ log J + λ/2 log² J,   P = μ F + (λ log J − μ) F⁻ᵀ
//   in stretches   Ψ_i = μ s_i + q/s_i,  q = λ log J − μ,   Ψ_ii = μ + (λ − q)/s_i²,   Ψ_ij = λ/(s_i s_j)
//                  flip_k = μ − q/(s_i s_j),   twist_k = μ + q/(s_i s_j)
//
// Infinite at J → 0 and not defined for J ≤ 0: there the energy is infinity and the stress NaN, so a step that inverts
// an element fails and says so. Source: Bonet, Wood 2008, eq. 6.27.
//
// λ infinite, as a sheet only: J = 1, and the pressure is the one that Ψ_3 = 0 asks for, q = −μ s₃²; Ψ_ij then is
// without its infinite term [eq. E25].

#include "physics/soft/material.hpp"

namespace clarke {

struct NeoHookean {
  static constexpr const char* kName = "neo_hookean";
  static constexpr const char* kSummary = "rubber with log J; elements must not invert";
  static constexpr bool kInvertible = false, kIncompressibleSheet = true;
  double mu, lambda;  // [Pa]

  static NeoHookean from(const Lame& l) { return {l.mu, l.lambda}; }

  KOKKOS_INLINE_FUNCTION bool incompressible() const { return lambda == INFINITY; }
  template <class T>
  KOKKOS_INLINE_FUNCTION static T volume(T J) {
    return J > T(0) ? J : T(NAN);
  }
  KOKKOS_INLINE_FUNCTION double energy_of(double norm2_minus_3, double J) const {
    if (!(J > 0)) return INFINITY;
    if (incompressible()) return 0.5 * mu * norm2_minus_3;
    const double log_J = std::log(J);
    return 0.5 * mu * norm2_minus_3 - mu * log_J + 0.5 * lambda * log_J * log_J;
  }
  template <class T>
  KOKKOS_INLINE_FUNCTION T factor(T J) const {
    using std::log;
    return T(lambda) * log(volume(J)) - T(mu);
  }
  KOKKOS_INLINE_FUNCTION double factor(const Vec3& s) const {
    return incompressible() ? -mu * s.z * s.z : factor(s.x * s.y * s.z);
  }
  KOKKOS_INLINE_FUNCTION double stretch_energy(const Vec3& s) const { return energy_of(norm2(s) - 3, s.x * s.y * s.z); }
  KOKKOS_INLINE_FUNCTION Vec3 stretch_gradient(const Vec3& s) const {
    const double q = factor(s);
    return mu * s + q * Vec3{1 / s.x, 1 / s.y, 1 / s.z};
  }
  KOKKOS_INLINE_FUNCTION Mat3 stretch_hessian(const Vec3& s) const {
    const Vec3 r{1 / s.x, 1 / s.y, 1 / s.z};
    const double q = factor(s);
    Mat3 h = incompressible() ? Mat3{} : lambda * outer(r, r);
    for (int i = 0; i < 3; ++i) h(i, i) += mu - q * r[i] * r[i];
    return h;
  }
  /// q/(s_i s_j) of each pair.
  KOKKOS_INLINE_FUNCTION Vec3 pair_term(const Vec3& s) const {
    const double q = factor(s);
    return {q / (s.y * s.z), q / (s.x * s.z), q / (s.x * s.y)};
  }
  KOKKOS_INLINE_FUNCTION Vec3 flip(const Vec3& s) const { return Vec3{mu, mu, mu} - pair_term(s); }
  KOKKOS_INLINE_FUNCTION Vec3 twist(const Vec3& s) const { return Vec3{mu, mu, mu} + pair_term(s); }
  KOKKOS_INLINE_FUNCTION double energy(const Mat3& f) const {
    return energy_of(norm2(f.r0) + norm2(f.r1) + norm2(f.r2) - 3, determinant(f));
  }
  template <class T>
  KOKKOS_INLINE_FUNCTION Mat3T<T> stress(const Mat3T<T>& f) const {
    const T J = volume(determinant(f));
    return T(mu) * f + factor(J) / J * cofactors(f);
  }
  KOKKOS_INLINE_FUNCTION Spectrum spectrum(const Mat3& f) const { return isotropic_spectrum(*this, f); }
};

}  // namespace clarke
