#pragma once
// SNES type `dual_ascent`: projected steps on the impulses, item by item, and the velocity that they lead to
// [Macklin Erleben Müller Chentanez Jeschke Kim 2020, algorithm 2; docs/theory.md, eq. D9].
//
//   repeat  v, J at (u, Λ);  for each item
//     whole space   Λ' = Λ − α (W_i + E)⁻¹ v                                 W_i = J_i M_s⁻¹ J_iᵀ
//     others        Λ' = Π(Λ − α v/w),  w_r = W_rr + γ_r;  of a contact first Λ_n, then Λ_t into μ Λ_n' C with
//                   w_t = (W_11 + W_22)/2 + γ_f
//     jacobi        all items at once; -dual_split: M_s⁻¹ = n_b M_b⁻¹, n_b the items on block b
//     gauss_seidel  one after the other, velocities kept up to date, M_s = M;  v linear within a sweep
//   initial   u = ũ + M⁻¹ Jᵀ Λ'          converges to the solution
//   fast      u ← u + M⁻¹ Jᵀ (Λ' − Λ)    each increment keeps the J of its iterate: ends elsewhere, and is steadier
//
// With the split the blocks W_i bound J M⁻¹ Jᵀ, so that α = 1 is monotone for linear bilateral rows. A cold start of
// n iterations cannot be stiffer than about n m/(2 n_b h²) N/m, however hard the rows are. `initial` is unstable
// where the geometric stiffness h² T/(l m) exceeds about one.
//
// All kinds of rows, hard ones too. Limits: forces that follow the velocity (elements in stiffness form) and a given
// Delassus operator are refused. XPBD is `fast` with `gauss_seidel` (-preset xpbd), fast projection `fast` with
// `jacobi` (-preset fast_projection).

#include "framework/options.hpp"

namespace clarke {

struct DualOptions {
  double step = 1;
  std::string update = "initial", sweep = "jacobi";
  bool split = true;
  void describe(OptionVisitor& v) {
    v.real("dual_step", step, {"1", "step length α", 1e-6, 2.0});
    v.choice("dual_update", update, {"initial", "fast"},
             {"",
              "velocity of the impulses: all of them applied where the iterate is, or each change where it was made, "
              "which ends at another point"});
    v.choice("dual_sweep", sweep, {"jacobi", "gauss_seidel"}, {"", "all items at once, or one after the other"});
    v.flag("dual_split", split, {"", "jacobi shares the mass of a body among its items"});
  }
};

/// Registers the type; called by register_ncp().
void register_dual_ascent();

}  // namespace clarke
