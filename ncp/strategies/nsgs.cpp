#include "ncp/strategies/nsgs.hpp"

#include "ncp/strategies/snes_type.hpp"

namespace clarke {

namespace {

struct NoOptions {
  void describe(OptionVisitor&) {}
};

struct Nsgs {
  static constexpr const char* kName = "nsgs";
  static constexpr const char* kSummary = "Gauss-Seidel over contacts with an exact local solver";
  static constexpr const char* kCitation = "Jourdan Alart Jean 1998; Jean 1999";
  static constexpr StrategyTraits kTraits{.linear = false, .sweeps = true};
  NoOptions options;

  PetscErrorCode solve(SNES snes) {
    PetscFunctionBegin;
    SnesStepSolver* const solver = step_solver_of(snes);
    snes->reason = SNES_CONVERGED_ITERATING;
    PetscCall(evaluate_and_test(snes, 0, 0));
    for (PetscInt it = 0; it < snes->max_its && !snes->reason; ++it) {
      PetscTryTypeMethod(snes, update, it);
      PetscCall(SNESComputeJacobian(snes, snes->vec_sol, snes->jacobian, snes->jacobian_pre));
      solver->sweep(snes->vec_sol);
      PetscCall(evaluate_and_test(snes, it + 1, 0));
    }
    if (!snes->reason) snes->reason = SNES_DIVERGED_MAX_IT;
    PetscFunctionReturn(0);
  }
};

}  // namespace

void register_nsgs() { register_snes_type<Nsgs>(); }

}  // namespace clarke
