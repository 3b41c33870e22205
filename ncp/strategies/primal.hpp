#pragma once
// SNES type `primal`: any SNES type of PETSc on the primal residual of a step (primal_step.hpp), in the velocity alone
// [docs/theory.md, eq. D8].
//
//   R(u) = 0 by a SNES of its own, prefix `primal_`: -primal_snes_type newtonls | newtontr | qn | ncg | …, with its KSP
//   and PC (-primal_ksp_type, -primal_pc_type) on the assembled matrix (primal_matrix.hpp) and Φ as objective
//   line search, unless -primal_snes_linesearch_type says another: u − a y, a = 1, ½ …, the first that lowers |R| in
//   M⁻¹ by the share 10⁻⁴ a (tangent coupled), else the first that lowers Φ at the friction radii of u by 10⁻⁴ a R·y,
//   rounding of Φ apart; symmetric tangents and qn the other way round. Where R·y itself is within rounding of Φ, a = 1
//   -primal_line_search wolfe: a by the strong Wolfe conditions on Φ at the friction radii of u (wolfe_search.hpp),
//   with symmetric tangents, and with qn, whose pairs they give s·y > 0. Where bodies turn R is the slope of Φ to first
//   order in h ω only, and a search on Φ alone can end beside the solution
//
// -snes_atol and -snes_max_it are the outer type's: every iterate is judged as that of any other strategy. Defaults:
// newtonls, preonly, lu; with the majorant factorised once, or once per step where things touch or turn; for qn L-BFGS
// with scaling by the Jacobian, which is then inverted by vpbjacobi: 6 × 6 blocks of bodies, 3 × 3 of particles (with
// the majorant: lu).

#include "framework/options.hpp"

namespace clarke {

struct PrimalSolverOptions {
  std::string tangent = "coupled", line_search = "backtracking";
  void describe(OptionVisitor& v) {
    v.choice("primal_tangent", tangent, {"weight", "lagged", "coupled", "majorant"},
             {"",
              "the matrix: rows by their weights, symmetric, which majorise friction; by the derivative of their "
              "impulses at fixed radii of friction, or all of it, unsymmetric where they slide (with -primal_ksp_type "
              "mpcg the weights stand for both); or a constant matrix that majorises all, of springs, elements and "
              "contacts that are distances to a set: projective dynamics"});
    v.choice(
        "primal_line_search", line_search, {"backtracking", "wolfe"},
        {"",
         "of newtonls and qn, on the potential at fixed radii of friction: the first of 1, 1/2, ... that lowers it "
         "(with the coupled tangent: the residual), or a length by the strong Wolfe conditions, for qn and "
         "symmetric tangents; steps where 30 lengths have only the first of the two are counted"});
  }
};

class StepProblem;

/// Throws InputError where -primal_tangent majorant is asked for and the step that has begun has none, or a search that
/// its directions do not suit.
void refuse_primal_options(StepProblem& problem);

/// Registers the type; called by register_ncp().
void register_primal();

}  // namespace clarke
