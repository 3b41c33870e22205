// Continuation in the length of the step (-newton_continuation n) [docs/theory.md, D5]: steps of length h/n, 2h/n, …, h
// from the same start, with the same contacts, each solved from where the one before ended.
//
// Of h → 0 the solution is the velocity before the step, but for what acts at once. As h grows it is continuous but
// where contacts strike, and even there: implicit Euler lets what comes near go on as fast as closes the gap in h. What
// contributors keep from the beginning of the step (compliances) stays that of the whole one.

#include "ncp/strategies/snes_step_solver.hpp"

#include <algorithm>
#include <limits>

namespace clarke {

double SnesStepSolver::natural_map_tolerance() const {
  return shortened_ || interim_ ? std::numeric_limits<double>::infinity() : options_.natural_map_tolerance;
}

PetscErrorCode SnesStepSolver::continue_in_length(StepProblem& problem) {
  constexpr int kShare = 2;  // 1/kShare of the budget is for the shorter ones
  PetscReal atol = 0;
  PetscInt budget = 0;
  PetscFunctionBegin;
  PetscCall(SNESGetTolerances(snes_, &atol, nullptr, nullptr, &budget, nullptr));
  count("newton_continuation");
  asked_ = false;
  continuing_ = true;
  const int steps = options_.continuation;
  for (int k = 1; k <= steps; ++k) {
    shortened_ = k < steps;
    problem.shorten(static_cast<double>(k) / steps);
    geometric_.begin_step();
    forget_evaluation();
    if (k == 1) start();
    continued_ = result_.newton_iterations;
    best_measure_ = std::numeric_limits<double>::infinity();
    exchange_.report.failed = false;
    const PetscInt rest = std::max<PetscInt>(shortened_ ? budget / (kShare * steps) : budget - continued_, 1);
    PetscCall(SNESSetTolerances(snes_, shortened_ ? std::max(atol, options_.continuation_tolerance) : atol,
                                PETSC_DEFAULT, PETSC_DEFAULT, rest, PETSC_DEFAULT));
    PetscCall(SNESSolve(snes_, nullptr, x_));  // wherever it ends, the next begins there
  }
  PetscCall(SNESSetTolerances(snes_, atol, PETSC_DEFAULT, PETSC_DEFAULT, budget, PETSC_DEFAULT));
  PetscFunctionReturn(0);
}

}  // namespace clarke
