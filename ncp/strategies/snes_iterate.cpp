#include "ncp/strategies/snes_iterate.hpp"

#include "framework/vec_operations.hpp"

#include <petsc/private/snesimpl.h>

namespace clarke {

PetscErrorCode evaluate_and_test(SNES snes, PetscInt it, PetscReal step_norm) {
  Vec X = snes->vec_sol, F = snes->vec_func;
  PetscReal f_norm, x_norm;
  PetscFunctionBegin;
  if (it == 0 && snes->vec_func_init_set) {
    snes->vec_func_init_set = PETSC_FALSE;
  } else {
    PetscCall(SNESComputeFunction(snes, X, F));
  }
  PetscCall(vec_norm(F, &f_norm));
  snes->iter = it;
  snes->norm = f_norm;
  if (PetscIsInfOrNanReal(f_norm)) {
    snes->reason = SNES_DIVERGED_FNORM_NAN;
    PetscFunctionReturn(0);
  }
  PetscCall(SNESLogConvergenceHistory(snes, f_norm, 0));
  PetscCall(SNESMonitor(snes, it, f_norm));
  PetscCall(vec_norm(X, &x_norm));
  PetscUseTypeMethod(snes, converged, it, x_norm, step_norm, f_norm, &snes->reason, snes->cnvP);
  PetscFunctionReturn(0);
}

PetscErrorCode use_reduction(SNES snes, const char* prefix) {
  KSP outer = nullptr;
  PC pc = nullptr;
  PetscFunctionBegin;
  PetscCall(SNESGetKSP(snes, &outer));
  PetscCall(KSPSetOptionsPrefix(outer, prefix));
  PetscCall(KSPSetType(outer, KSPPREONLY));
  PetscCall(KSPGetPC(outer, &pc));
  PetscCall(PCSetType(pc, "reduction"));
  PetscFunctionReturn(0);
}

PetscErrorCode set_up_linear_solve(SNES snes, Mat J) {
  KSP outer = nullptr;
  Vec zero = nullptr, none = nullptr;
  PetscFunctionBegin;
  PetscCall(SNESGetKSP(snes, &outer));
  PetscCall(KSPSetOperators(outer, J, J));
  PetscCall(MatCreateVecs(J, &none, &zero));
  PetscCall(KSPSolve(outer, zero, none));
  PetscCall(VecDestroy(&zero));
  PetscCall(VecDestroy(&none));
  PetscFunctionReturn(0);
}

}  // namespace clarke
