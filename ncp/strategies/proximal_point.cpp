#include "ncp/strategies/proximal_point.hpp"

#include "ncp/strategies/snes_type.hpp"

#include <algorithm>

namespace clarke {

namespace {

/// Where α stays: below it the shift of the linear solver is all that regularises, above it nothing moves.
constexpr double kAlphaMin = 1e-12, kAlphaMax = 1e6;
constexpr PetscInt kInnerIterations = 30;

struct ProximalPoint {
  static constexpr const char* kName = "proximal_point";
  static constexpr const char* kSummary = "outer iteration over regularised contact problems, solved by -npc_snes_type";
  static constexpr const char* kCitation = "Rockafellar 1976; Acary Bremond Huber 2018";
  static constexpr StrategyTraits kTraits{.linear = false, .inner = true};
  ProximalOptions options;

  PetscErrorCode solve(SNES snes) {
    Vec X = snes->vec_sol, before = snes->work[0];
    PetscFunctionBegin;
    SnesStepSolver& solver = *step_solver_of(snes);
    double alpha = options.alpha;
    snes->reason = SNES_CONVERGED_ITERATING;
    PetscCall(evaluate_and_test(snes, 0, 0));
    for (PetscInt it = 0; it < snes->max_its && !snes->reason; ++it) {
      PetscTryTypeMethod(snes, update, it);
      PetscCall(VecCopy(X, before));
      const double error = solver.velocity_error(X);
      solver.begin_proximal(X, alpha);
      const InnerSolve inner = solver.solve_inner(X, options.reduction * error, kInnerIterations);
      solver.end_sub_problem();
      if (!inner.converged) {
        solver.count("proximal_point_failed_inner");
        if (!(solver.velocity_error(X) < error)) PetscCall(VecCopy(before, X));
        alpha = std::min(alpha * options.factor, kAlphaMax);
      } else if (inner.iterations <= options.easy) {
        alpha = std::max(alpha / options.factor, kAlphaMin);
      }
      PetscCall(evaluate_and_test(snes, it + 1, 0));
    }
    if (!snes->reason) snes->reason = SNES_DIVERGED_MAX_IT;
    PetscFunctionReturn(0);
  }
};

}  // namespace

void register_proximal_point() { register_snes_type<ProximalPoint>(); }

}  // namespace clarke
