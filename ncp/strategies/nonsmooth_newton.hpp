#pragma once
// SNES type `nonsmooth_newton`: damped semismooth Newton, the papers' driver [Macklin 2020, alg. 1; docs/theory.md,
// N2].
//
//   repeat  F = F(x);  test;  J = lagged generalised Jacobian at x;  solve J y = F;  x ← x − α y
//
// No line search and no fallback unless asked for (newton_globalisation.hpp): the step length α is -newton_damping. α =
// 1 converges quadratically near a regular solution; 0.75 contracts by 1/4 per iteration and is harder to upset.
// Budgets and tolerances are PETSc's own (-snes_max_it, -snes_atol); what is tested is the verdict's velocity error
// (snes_step_solver.hpp).

#include "framework/options.hpp"

#include <petscsnes.h>

namespace clarke {

struct NewtonOptions {
  double damping = 1;
  void describe(OptionVisitor& v) {
    v.real("newton_damping", damping, {"1", "step length α of x ← x − α y", 1e-3, 1.0});
  }
};

/// Its step length; 1 for any other SNES type.
double newton_damping(SNES snes);

/// Whether a line search or a watchdog acts; false for any other SNES type.
bool newton_is_global(SNES snes);

/// Registers the type; called by register_ncp().
void register_nonsmooth_newton();

}  // namespace clarke
