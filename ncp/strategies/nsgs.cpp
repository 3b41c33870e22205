#include "ncp/strategies/nsgs.hpp"

#include "framework/registry.hpp"
#include "ncp/strategies/snes_step_solver.hpp"

#include <petsc/private/snesimpl.h>

#include <stdexcept>

namespace clarke {

namespace {

PetscErrorCode set_up(SNES snes) {
  snes->alwayscomputesfinalresidual = PETSC_TRUE;  // SNESReset clears it
  return 0;
}

PetscErrorCode set_from_options(SNES, PetscOptionItems* PetscOptionsObject) {
  (void)PetscOptionsObject;
  return 0;
}

/// F at X, its norm, and the convergence test of iterate `it`.
PetscErrorCode evaluate_and_test(SNES snes, PetscInt it) {
  PetscReal f_norm;
  PetscFunctionBegin;
  if (it == 0 && snes->vec_func_init_set) {
    snes->vec_func_init_set = PETSC_FALSE;
  } else {
    PetscCall(SNESComputeFunction(snes, snes->vec_sol, snes->vec_func));
  }
  PetscCall(VecNorm(snes->vec_func, NORM_2, &f_norm));
  snes->iter = it;
  snes->norm = f_norm;
  if (PetscIsInfOrNanReal(f_norm)) {
    snes->reason = SNES_DIVERGED_FNORM_NAN;
    PetscFunctionReturn(0);
  }
  PetscCall(SNESLogConvergenceHistory(snes, f_norm, 0));
  PetscCall(SNESMonitor(snes, it, f_norm));
  PetscUseTypeMethod(snes, converged, it, 0, 0, f_norm, &snes->reason, snes->cnvP);
  PetscFunctionReturn(0);
}

PetscErrorCode solve(SNES snes) {
  void* context = nullptr;
  PetscFunctionBegin;
  PetscCall(SNESGetFunction(snes, nullptr, nullptr, &context));
  auto* solver = static_cast<SnesStepSolver*>(context);
  snes->reason = SNES_CONVERGED_ITERATING;
  PetscCall(evaluate_and_test(snes, 0));
  for (PetscInt it = 0; it < snes->max_its && !snes->reason; ++it) {
    PetscTryTypeMethod(snes, update, it);
    PetscCall(SNESComputeJacobian(snes, snes->vec_sol, snes->jacobian, snes->jacobian_pre));
    try {
      solver->sweep(snes->vec_sol);
    } catch (const std::exception& e) {
      SETERRQ(PETSC_COMM_SELF, PETSC_ERR_LIB, "%s", e.what());
    }
    PetscCall(evaluate_and_test(snes, it + 1));
  }
  if (!snes->reason) snes->reason = SNES_DIVERGED_MAX_IT;
  PetscFunctionReturn(0);
}

PetscErrorCode reset(SNES) { return 0; }
PetscErrorCode destroy(SNES) { return 0; }

PetscErrorCode create(SNES snes) {
  PetscFunctionBegin;
  snes->ops->setup = set_up;
  snes->ops->solve = solve;
  snes->ops->setfromoptions = set_from_options;
  snes->ops->reset = reset;
  snes->ops->destroy = destroy;
  snes->usesksp = PETSC_FALSE;
  snes->usesnpc = PETSC_FALSE;
  snes->alwayscomputesfinalresidual = PETSC_TRUE;
  PetscFunctionReturn(0);
}

}  // namespace

void register_nsgs() {
  if (SNESRegister("nsgs", create)) throw std::runtime_error("PETSc refused to register nsgs");
  registrations().push_back({"snes_type", "nsgs", "Gauss-Seidel over contacts with an exact local solver",
                             "Jourdan Alart Jean 1998; Jean 1999"});
}

}  // namespace clarke
