#pragma once
// A merit function that no law, NCP function or r-factor takes part in [Acary Brémond Huber 2018; docs/theory.md, eq.
// N5].
//
//   θ = ½ (Σ_blocks |S_u g|² + Σ_rows (S_h f)²)  [J]        S as for PETSc's F (newton_matrix.hpp)
//   f   the natural map of the item's admissible set, in the metric of W_rr + γ (framework/sets/admissible_set.hpp)

#include "framework/step_problem.hpp"
#include "framework/step_rows.hpp"

namespace clarke {

class NaturalMerit {
 public:
  /// At the point where `problem` has just been evaluated.
  double value(StepProblem& problem, const View<double>& impulse);

 private:
  StepRowStorage rows_;
  SumScratch<1> momentum_, constraint_;
};

}  // namespace clarke
