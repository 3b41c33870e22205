#pragma once
// A merit function that no contact law, NCP function or r-factor takes part in [Acary Brémond Huber 2018;
// docs/theory.md, eq. N5].
//
//   θ = ½ (Σ_blocks |S_u g|² + Σ_rows (S_h f)²)  [J]        S as for PETSc's F (newton_matrix.hpp)
//   f of a contact   the natural map (natural_map.hpp) with r = tr (W_ii + γ)/3
//   f of other rows  mid(v, w (Λ − l), w (Λ − u)), w = W_rr + γ                          [V1]

#include "ncp/strategies/row_arguments.hpp"

namespace clarke {

class NaturalMerit {
 public:
  /// At the point where `problem` has just been evaluated.
  double value(StepProblem& problem, const View<double>& impulse);

 private:
  RowArguments rows_;
  SumScratch<1> momentum_, constraint_;
};

}  // namespace clarke
