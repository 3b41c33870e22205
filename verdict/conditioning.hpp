#pragma once
// What makes a step hard for a solver, in figures that do not depend on the solver [docs/theory.md, eq. V5].
//
//   contact density   3 n_c / n                 n_c contacts, n velocities of things that something touches
//   rank ratio        rank(J L) / rows          L Lᵀ = M⁻¹; dependent rows as in row_space.hpp, open contacts included
//   eigenvalues       of D^(-1/2) (J M⁻¹ Jᵀ + γ) D^(-1/2), D its diagonal: extreme Ritz values of kLanczosSteps Lanczos
//                     steps, from above for the smallest, from below for the largest;
//                     a singular operator shows as a smallest near zero
//   dual              extreme eigenvalues of J M⁻¹ Jᵀ + γ as it is [1/kg]
//   primal            those of H + Jᵀ γ⁻¹ J over what is touched, as it is [kg], and with unit diagonal; H of the last
//                     linearisation. NaN where a row is rigid, has a dense compliance, or W is given
//                     up to kDenseSize unknowns exact; beyond, Ritz values as above
//   schur_asymmetry   ‖S − Sᵀ‖_F / ‖S‖_F        S = A J M⁻¹ Jᵀ + B of the last linearisation; 0 for a symmetric law
//   status            contacts that stick, slide, are open: as the verdict judges them
//   mass ratio        largest over smallest mass of what is touched
//
// Where the Delassus operator W is given (a problem file), ½ (W + Wᵀ) stands for J M⁻¹ Jᵀ, and its own rows for those
// of J L. The rank is then that of products: sines count there from tolerance² on, and from the rounding of W.
//
// Made of the verdict's own data on the host, by a sparse QR and products: milliseconds for a thousand contacts,
// seconds for tens of thousands. So it is made on request only.

#include "framework/step_problem.hpp"

#include <string>
#include <vector>

namespace clarke {

inline constexpr int kLanczosSteps = 30, kDenseSize = 240;

struct ConditioningCard {
  int contacts = 0, velocities = 0, rows = 0, rank = 0;
  double contact_density = 0, rank_ratio = 1;
  /// Contacts and joints with rows that depend on earlier ones, "b1/floor:3 (2 of 3 rows)".
  std::vector<std::string> redundant;
  double eigenvalue_min = 0, eigenvalue_max = 0;        // [1]; 0 without rows
  double dual_min = 0, dual_max = 0;                    // [1/kg]
  double primal_min = 0, primal_max = 0;                // [kg]
  double primal_scaled_min = 0, primal_scaled_max = 0;  // [1]
  double schur_asymmetry = 0;
  int sticking = 0, sliding = 0, open = 0;
  double mass_ratio = 1;
  int islands = 0, island_rows_max = 0;

  /// Columns of a table and the values of this card in the same order; the last one names what is redundant.
  static std::vector<std::string> columns();
  std::vector<std::string> values() const;
};

/// At the point that was evaluated last. `tolerance`: -constraint_rank_tolerance.
ConditioningCard conditioning_card(const StepProblem& problem, double tolerance);

}  // namespace clarke
