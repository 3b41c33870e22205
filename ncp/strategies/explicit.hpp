#pragma once
// SNES type `explicit`: the velocity that forces of the start of a step lead to [docs/theory.md, eq. T4].
//
//   Λ = p(q⁻, u⁻),   u⁺ = ũ + M⁻¹ (J(q⁻)ᵀ Λ − f)
//
// Nothing in the laws depends on u⁺, so that this is the solution: one evaluation, no iteration. Set by -integrator
// symplectic_euler, and refused with any other. Rows must give way (primal_step.hpp).

namespace clarke {

/// Registers the type; called by register_ncp().
void register_explicit();

}  // namespace clarke
