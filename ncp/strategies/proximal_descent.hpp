#pragma once
// The nonlinear proximal step of rows by descent on its potential: how `ssnal` (ssnal.hpp) begins anew where
// linearisations of rows that turn lead nowhere [docs/theory.md, eq. D5b].
//
//   Φ(u) = ½ |u − ũ|²_M + Σ ½ |p(v(u))|²_c        p, c of eq. D5 around r, v(u) the velocities of rows as they are
//   repeat  from r = 0:  u lowers Φ until M⁻¹ g ≤ -ssnal_reduction × the natural map;  r ← p(u)
//             a Newton step of the derivative, taken if |g| falls tenfold, or else with a length that lowers Φ;
//             if there is none, one with geometric stiffness made positive, with a length that lowers Φ or |g|
//           natural map of rows not halved   ε ← ε/5, not below `least_epsilon`
//   until   the natural map is `threshold` times the largest speed: linearisations go on from there
//
// That is the method of multipliers on the step as it is: far from a solution its inner problem has a minimum where a
// linearisation may have none, as of a light body that heavy ones pinch. Where friction takes part Φ has the radii of
// each iterate, and need not fall from one to the next; where bodies turn by radians g is not its gradient, and the
// slope is that of Φ itself.
// Every Newton step evaluates the system twice or more, and takes one or two linear solves. Without items that have a
// dense E, and without stiff forces.

#include "ncp/strategies/proximal_newton.hpp"

namespace clarke {

struct ProximalDescent : ProximalNewton {
  /// How a descent goes about it, and what came of it.
  struct Descent {
    double epsilon = 0.1;         // of its next proximal step; where it ended, of the linearisation
    double least_epsilon = 1e-6;  // smaller, and impulses on light bodies are rounding
    double threshold = 1e-3;      // of the largest speed
    double reached = 0;           // natural map where linearisations went on [m/s]
    bool leads = false;           // they did, from `best`
    /// From now on it goes further before linearisations take over.
    void go_further();
  };

  /// From the solution vector, which v.best is, too, and where `error` is the natural map and v.now is based; counts
  /// its Newton steps in `made`. Goes back there where impulses overflow.
  PetscErrorCode descend(SNES snes, const Vectors& v, Descent& descent, ProximalRows::NaturalMap* error,
                         PetscInt* made);
  /// Whether linearisations have led away from where a descent handed over.
  bool astray(SnesStepSolver& solver, const Vectors& v, const Descent& descent, double error) const;

 private:
  PetscErrorCode minimise(SNES snes, const Vectors& v, const ProximalRows::Weight& weight, double target,
                          PetscInt budget, PetscInt* steps);
  PetscErrorCode descent_step(SNES snes, const Vectors& v, const ProximalRows::Weight& weight, bool positive,
                              ProximalRows::Momentum& m, bool* taken);
  /// H of the proximal problem at `v.now`, which has the geometric stiffness of p and not of r.
  void linearise_at_impulses(SnesStepSolver& solver, const Vectors& v, const ProximalRows::Weight& weight,
                             bool positive);
};

}  // namespace clarke
