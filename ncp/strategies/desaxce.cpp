#include "ncp/strategies/desaxce.hpp"

#include "ncp/strategies/snes_type.hpp"

namespace clarke {

namespace {

constexpr PetscInt kInnerIterations = 30;

struct Desaxce {
  static constexpr const char* kName = "desaxce";
  static constexpr const char* kSummary =
      "fixed point on De Saxce's term; convex cone problems inside, solved by -npc_snes_type";
  static constexpr const char* kCitation = "De Saxce Feng 1998; Acary Cadoux Lemarechal Malick 2011";
  static constexpr StrategyTraits kTraits{.linear = false, .inner = true, .freezes_term = true, .dense_law = true};
  DesaxceOptions options;

  PetscErrorCode solve(SNES snes) {
    Vec X = snes->vec_sol;
    PetscFunctionBegin;
    SnesStepSolver& solver = *step_solver_of(snes);
    snes->reason = SNES_CONVERGED_ITERATING;
    PetscCall(evaluate_and_test(snes, 0, 0));
    for (PetscInt it = 0; it < snes->max_its && !snes->reason; ++it) {
      PetscTryTypeMethod(snes, update, it);
      const double error = solver.velocity_error(X);
      solver.begin_associated(X);
      const InnerSolve inner = solver.solve_inner(X, options.reduction * error, kInnerIterations);
      solver.end_sub_problem();
      if (!inner.converged) solver.count("desaxce_failed_inner");
      PetscCall(evaluate_and_test(snes, it + 1, 0));
    }
    if (!snes->reason) snes->reason = SNES_DIVERGED_MAX_IT;
    PetscFunctionReturn(0);
  }
};

}  // namespace

void register_desaxce() { register_snes_type<Desaxce>(); }

}  // namespace clarke
