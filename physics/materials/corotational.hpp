#pragma once
// Corotational: linear elasticity in the strain of the polar decomposition [docs/theory.md, eq. E5].
//
//   F = R S,   ε = S − 1,   Ψ = μ ε:ε + λ/2 tr²ε,   P = R (2 μ ε + λ tr ε 1)
//   t = s₁ + s₂ + s₃ − 3,   Ψ_i = 2 μ (s_i − 1) + λ t
//
// The six strains are the rows of `rows: strain`: with R held they have a constant compliance, and forces that are
// exact, because R's own change does no work on a symmetric stress. Resists volume change to first order only: at s =
// (s, t, t) of an extension volume is lost (case material_extension). Where s₂ + s₃ → 0 (fully inverted) R jumps and Ψ
// has a kink; there the quotient `twist` is held finite, which concerns ∂²Ψ/∂F² only. Source: Müller, Gross 2004;
// Macklin 2020, 2.1.4.

#include "physics/soft/material.hpp"

namespace clarke {

/// (Ψ_j + Ψ_k)/(s_j + s_k) of a material in the stretches of the polar decomposition.
KOKKOS_INLINE_FUNCTION Vec3 polar_twist(const Vec3& g, const Vec3& s) {
  constexpr double kLeastSum = 1e-8;  // of two stretches; s₁ ≥ s₂ ≥ |s₃|, so sums are not negative
  return {(g.y + g.z) / std::fmax(s.y + s.z, kLeastSum), (g.x + g.z) / std::fmax(s.x + s.z, kLeastSum),
          (g.x + g.y) / std::fmax(s.x + s.y, kLeastSum)};
}

struct Corotational {
  static constexpr const char* kName = "corotational";
  static constexpr const char* kSummary = "linear in the strain that the polar decomposition leaves";
  static constexpr bool kInvertible = true;
  double mu, lambda;  // [Pa]

  static Corotational from(const Lame& l) { return {l.mu, l.lambda}; }

  /// Without λ, "as rigid as possible": μ |F − R|².
  KOKKOS_INLINE_FUNCTION double projection_weight() const { return lambda == 0 ? 2 * mu : 0; }
  KOKKOS_INLINE_FUNCTION double stretch_energy(const Vec3& s) const {
    const Vec3 e{s.x - 1, s.y - 1, s.z - 1};
    const double t = e.x + e.y + e.z;
    return mu * norm2(e) + 0.5 * lambda * t * t;
  }
  KOKKOS_INLINE_FUNCTION Vec3 stretch_gradient(const Vec3& s) const {
    const Vec3 e{s.x - 1, s.y - 1, s.z - 1};
    const double p = lambda * (e.x + e.y + e.z);
    return 2 * mu * e + Vec3{p, p, p};
  }
  KOKKOS_INLINE_FUNCTION Mat3 stretch_hessian(const Vec3&) const {
    return {{2 * mu + lambda, lambda, lambda}, {lambda, 2 * mu + lambda, lambda}, {lambda, lambda, 2 * mu + lambda}};
  }
  KOKKOS_INLINE_FUNCTION Vec3 flip(const Vec3&) const { return {2 * mu, 2 * mu, 2 * mu}; }
  KOKKOS_INLINE_FUNCTION Vec3 twist(const Vec3& s) const { return polar_twist(stretch_gradient(s), s); }
  KOKKOS_INLINE_FUNCTION double energy(const Mat3& f) const { return stretch_energy(svd(f).s); }
  KOKKOS_INLINE_FUNCTION Mat3 stress(const Mat3& f) const {
    const Svd d = svd(f);
    return compose(d.u, stretch_gradient(d.s), d.v);
  }
  KOKKOS_INLINE_FUNCTION Spectrum spectrum(const Mat3& f) const { return isotropic_spectrum(*this, f); }
};

}  // namespace clarke
