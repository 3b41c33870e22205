#pragma once
// SNES type `proximal_point`: regularised contact problems, each nearer to the step's own [Rockafellar 1976; Acary
// Brémond Huber 2018; docs/theory.md, eq. D2].
//
//   repeat  Λ_c = Λ;  solve the step with  v + α w (Λ − Λ_c) for v,  w = tr W_ii/3,  to -proximal_reduction × e;  test
//   inner solve reached that in ≤ -proximal_easy iterations   α ← α / -proximal_factor
//   inner solve failed                                        α ← α × -proximal_factor; (u, Λ) as before unless e fell
//
// The inner solver is any SNES type, with prefix npc_: nonsmooth_newton unless told otherwise, -npc_snes_max_it 30. At
// a fixed point Λ = Λ_c, so the solution is the step's own whatever α was. The sub-problem is regular where contacts
// are redundant. Sources found that it needs full inner steps (-newton_damping 1). e is the verdict's velocity error.

#include "framework/options.hpp"

namespace clarke {

struct ProximalOptions {
  double alpha = 0.1, reduction = 0.1, factor = 10;
  int easy = 6;
  void describe(OptionVisitor& v) {
    v.real("proximal_alpha", alpha, {"1", "first α, as a fraction of the contact's inverse mass", 1e-12, 1e6});
    v.real("proximal_reduction", reduction,
           {"1", "inner solves end at this fraction of the velocity error", 1e-12, 0.999});
    v.real("proximal_factor", factor,
           {"1", "by what α falls after an easy inner solve and rises after a failed one", 1.0, 1e6});
    v.integer("proximal_easy", easy, {"1", "inner iterations of a solve that counts as easy", 0});
  }
};

/// Registers the type; called by register_ncp().
void register_proximal_point();

}  // namespace clarke
