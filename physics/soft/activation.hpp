#pragma once
// Activation: a pressure p(t) inside the elements of a region, which expands them [docs/theory.md, eq. E13].
//
//   Ψ_a = −p (J − 1),   P_a = −p cof F,   J = det F        p > 0 expands, p < 0 shrinks; [Pa], any value
//   in stretches   Ψ_i −= p c_i,   Ψ_ij −= p s_k (i ≠ j),   flip_k += p s_k,   twist_k −= p s_k,   c_i = s_j s_k
//
// The work of a pressure on a growing volume: it does not depend on rotations, makes no net force or torque, and the
// Cauchy stress of a free element is p 1. (A constant stress p 1 against ∂x/∂X would keep its direction in space while
// the body turns.) p is fixed during a step, at the value of its end. Σ V Ψ of a body (elastic_energy) is that of its
// material; what p does is work from outside. Rayleigh damping takes ∂²(Ψ + Ψ_a)/∂F²: without Ψ_a it would damp the
// rotations of an element at equilibrium under pressure. After Macklin 2020, 5.6 (PneuNet): a volumetric stress in the
// chambers instead of their cavities.

#include "physics/soft/material.hpp"

namespace clarke {

/// A material under pressure: again a pure function of F.
template <Material M>
struct Activated : M {
  static constexpr bool kIsotropic = StretchEnergy<M>;
  double pressure = 0;  // [Pa]

  static Activated from(const Lame& l) { return {M::from(l), 0}; }

  KOKKOS_INLINE_FUNCTION double stretch_energy(const Vec3& s) const requires kIsotropic {
    return M::stretch_energy(s) - pressure * (s.x * s.y * s.z - 1);
  }
  KOKKOS_INLINE_FUNCTION Vec3 stretch_gradient(const Vec3& s) const requires kIsotropic {
    return M::stretch_gradient(s) - pressure * stretch_cofactors(s);
  }
  KOKKOS_INLINE_FUNCTION Mat3 stretch_hessian(const Vec3& s) const requires kIsotropic {
    Mat3 h = M::stretch_hessian(s);
    h(0, 1) -= pressure * s.z, h(1, 0) -= pressure * s.z;
    h(0, 2) -= pressure * s.y, h(2, 0) -= pressure * s.y;
    h(1, 2) -= pressure * s.x, h(2, 1) -= pressure * s.x;
    return h;
  }
  KOKKOS_INLINE_FUNCTION Vec3 flip(const Vec3& s) const requires kIsotropic { return M::flip(s) + pressure * s; }
  KOKKOS_INLINE_FUNCTION Vec3 twist(const Vec3& s) const requires kIsotropic { return M::twist(s) - pressure * s; }
  KOKKOS_INLINE_FUNCTION double energy(const Mat3& f) const { return M::energy(f) - pressure * (determinant(f) - 1); }
  KOKKOS_INLINE_FUNCTION Mat3 stress(const Mat3& f) const { return M::stress(f) - pressure * cofactors(f); }
  KOKKOS_INLINE_FUNCTION Mat3T<Dual> stress(const Mat3T<Dual>& f) const {
    return dual_stress(static_cast<const M&>(*this), f) - Dual(pressure) * cofactors(f);
  }
  /// Of a material that is not isotropic without the curvature of Ψ_a, which concerns Newton's matrix only.
  KOKKOS_INLINE_FUNCTION Spectrum spectrum(const Mat3& f) const {
    if constexpr (kIsotropic)
      return isotropic_spectrum(*this, f);
    else
      return M::spectrum(f);
  }
};

}  // namespace clarke
