#pragma once
// Symplectic Euler: forces of the start of the step, positions by the velocity of its end [docs/theory.md, eq. T4].
//
//   M (u⁺ − u⁻) = h f(q⁻, u⁻) + J(q⁻)ᵀ p(q⁻, u⁻),   q⁺ = q⁻ + h G(q⁻) u⁺
//
// First order, solves nothing, and keeps energies near what they were for as long as it is stable: h ω < 2 for every
// frequency ω of the springs, ω² the largest eigenvalue of M⁻¹ K; for damping c at one, h < (√(c² + 4 m k) − c)/k.
// Friction and dampers are those of u⁻, with limits of their own: h k_f < 2 m of viscous friction.
//
// Limits: rows that are rigid or hard have no force of a configuration, and are refused. Loads that depend on time are
// those of the end of the step. Source: Hairer Lubich Wanner 2006, I.1.

#include "framework/fixed_scheme.hpp"
#include "integrators/implicit_euler.hpp"

namespace clarke {

class SymplecticEuler final : public ImplicitEuler, public FixedScheme {
 public:
  bool rigid_rows() const override { return false; }
  const FixedScheme* fixed_scheme() const override { return this; }
  bool laws_at_start() const override { return true; }
  bool one_newton_step() const override { return false; }
  std::vector<std::pair<std::string, std::string>> solver_options() const override {
    return {{"snes_type", "explicit"}};
  }
};

}  // namespace clarke
