#pragma once
// A row form: which functions of F are the rows of an element, so that elasticity is a compliant constraint
// [docs/theory.md, eq. E9].
//
//   constraint   ℓ c_k(F),  ∂c_k/∂F = B_k          ℓ = V^(1/3) makes rows lengths [m] and impulses N s
//   law          λ_k = −ℓ² (σ_k + β (∂²Ψ ċ)_k),    σ_k = ∂Ψ/∂c_k [Pa], so that Jᵀλ = −V P : ∂F/∂q exactly
//   compliance   E = K⁻¹/ℓ,  K_kl ≈ ∂²Ψ/∂c_k∂c_l [Pa], positive definite
//   row          v = (Λ + h ℓ² (σ + β ∂²Ψ ċ)) E/(h (b + β)),   dv = J du + E/(h (b + β)) dΛ,   J_k = ℓ B_k     [m/s]
//
// F vanishes exactly where the law holds, whatever K is: the projection concerns Newton's path only.
//
// What the rows leave out of ∂²Ψ/∂F² is the **geometric stiffness** of the form, Σ_k σ_k ∂B_k/∂F. A form has
// kGeometric, and where that is true
//   geometric(material, F, b) = G [Pa/m²],   δᵀ G δ = Σ over the modes left out of value (vector b · δ)²
// for nodes with shape gradient b.

#include "physics/soft/material.hpp"
#include "physics/soft/viscosity.hpp"

namespace clarke {

struct SoftRowOptions {
  double least_stiffness = 1e-3;  // relative to the shear modulus
  bool absolute = false;          // |e| instead of e [Chen et al. 2024]
  bool exact = false;             // e as it is; for stiffness only, not for a compliance
  bool full = true;               // `stretch`: E with the coupling of the stretches

  /// What takes the place of eigenvalue e [Pa]; mu the shear modulus.
  KOKKOS_INLINE_FUNCTION double projected(double e, double mu) const {
    if (exact) return e;
    return std::fmax(absolute ? std::fabs(e) : e, least_stiffness * mu);
  }
};

/// What a form says of one element.
template <int m>
struct SoftRows {
  Mat3 basis[m];             // B_k
  double stress[m];          // σ_k [Pa]
  double compliance[m * m];  // K⁻¹ [1/Pa]
};

}  // namespace clarke
