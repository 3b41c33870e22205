#pragma once
// A step's contact problem with other arguments: outer iterations solve one such problem after another
// [docs/theory.md, eqs. D2, D3].
//
//   proximal    v ← v + α w (Λ − Λ_c)     w = tr W_ii/3: pulls the impulse to the centre Λ_c; one compliance more
//   associated  ĉ ← ĉ + s − μ |v_t|       the law then means K_μ ∋ Λ ⊥ (ĉ + s, v_t) ∈ K_μ*, convex for a fixed s
//                                         (|v_t| is σ_C(−v_t) where the cone has a section, F5)
//
// Written into the arguments of the rows, between physics and law. So every contact law, the sweeps and the verdict see
// the sub-problem, and none of them knows of it. With α = 0 and s = μ |v_t| nothing changes.

#include "framework/row_law.hpp"

namespace clarke {

struct ContactSubproblem {
  double proximal = 0;  // α [1]
  bool associated = false;
  View<double> centre;      // Λ_c, all rows of the step [N s]
  View<double> weight;      // w, all rows: 0 where a row is of no contact [1/kg]
  View<double> compliance;  // γ + α w, all rows: filled by apply_subproblem [1/kg]
  View<double> cone;        // s, at the first row of each contact [m/s]
};

/// Changes ĉ and v_t of the rows, and lets their compliance be γ + α w.
void apply_subproblem(RowSet& rows, const ContactSubproblem& subproblem);
/// After the law: its slopes in v_t where ĉ has −μ |v_t| in it. Does nothing where A is diagonal.
void apply_subproblem_slopes(const RowSet& rows, const ContactSubproblem& subproblem);

}  // namespace clarke
