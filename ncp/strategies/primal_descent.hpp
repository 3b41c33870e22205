#pragma once
// SNES type `primal_descent`: descent on the potential of a step whose rows all give way (primal_step.hpp), with the
// inverse of the block diagonal of its Hessian for a metric [Macklin Erleben Müller Chentanez Jeschke Kim 2020,
// algorithm 1; docs/theory.md, eq. D7].
//
//   z = P R,                                                            Λ = p(u) at every iterate
//   none        u ← u − α z                                             α = -primal_step
//   chebyshev   u ← u⁻ + ω (u − α z − u⁻),   ω = 1, 2/(2 − ρ²), 4/(4 − ρ² ω)          [Wang 2015]
//   ncg         d = −z + β d,  β = max(0, z·(R − R⁻)/z⁻·R⁻),  d = −z where R·d ≥ 0    [Polak Ribière 1969]
//               u ← u + a d,   a = −R·d/(d·H d): no line search
//               in a step with contacts, where z·R has doubled d = −z and a halves; it comes back by a tenth per
//               iterate
//
// R and H are evaluated anew at every iterate, friction radii included. Solves no linear system; one product with H per
// iteration of `ncg`, none else. Where a row opens, H has lost its weight: nothing is proven there.
//
// Limit: R is a difference of impulses k x, so it cannot be smaller than what rounding of positions makes of stiff
// rows, 4·10⁻¹⁶ |M⁻¹ H| |x|/h [m/s]; the saddle form has no such floor.

#include "framework/options.hpp"

namespace clarke {

struct PrimalOptions {
  double step = 0.5;
  std::string accelerate = "ncg", blocks = "body";
  double chebyshev_rho = 0.99, rounding = 1;
  void describe(OptionVisitor& v) {
    v.real("primal_step", step, {"1", "step length α of none and chebyshev", 1e-6, 2.0});
    v.choice("primal_accelerate", accelerate, {"none", "chebyshev", "ncg"},
             {"",
              "what becomes of preconditioned gradients: steps of one length, Chebyshev's semi-iteration, or conjugate "
              "directions with the length that is best for the Hessian"});
    v.real("primal_chebyshev_rho", chebyshev_rho,
           {"1", "spectral radius ρ that chebyshev takes the plain iteration to have", 0.0, 0.9999999});
    v.real("primal_rounding", rounding,
           {"1",
            "a step whose velocity error is up to this many times what its stiffest rows make of rounding has "
            "converged; counted",
            0.0});
    v.choice("primal_blocks", blocks, {"body", "velocity"},
             {"", "blocks of the preconditioner: 6 × 6 of a body, or 3 × 3 of its v and its ω apart"});
  }
};

/// Registers the type; called by register_ncp().
void register_primal_descent();

}  // namespace clarke
