#pragma once
// SNES type `desaxce`: fixed point on De Saxcé's term; inside, contact on the cone with s fixed, a convex problem
// [De Saxcé Feng 1998; Cadoux 2009; Acary Cadoux Lemaréchal Malick 2011; docs/theory.md, eq. D3].
//
//   repeat  s = μ |v_t| at (u, Λ);  solve  K_μ ∋ Λ ⊥ (ĉ + s, v_t) ∈ K_μ*  to -desaxce_reduction × e;  test
//
// The inner solver is any SNES type with prefix npc_, nonsmooth_newton unless told otherwise, -npc_snes_max_it 30.
// Contact laws solve the inner problem because they see ĉ + s − μ |v_t| for ĉ. Only dense A can hold the slope of that
// term: symmetric laws are refused (without it cases/slope.yaml stalls at 5e-10 m/s), and so is `nsgs` inside, which
// solves Coulomb's law itself. Converges linearly, faster for smaller μ.

#include "framework/options.hpp"

namespace clarke {

struct DesaxceOptions {
  double reduction = 0.1;
  void describe(OptionVisitor& v) {
    v.real("desaxce_reduction", reduction,
           {"1", "inner solves end at this fraction of the velocity error", 1e-12, 0.999});
  }
};

/// Registers the type; called by register_ncp().
void register_desaxce();

}  // namespace clarke
