#include "ncp/strategies/nsgs.hpp"

#include "framework/registry.hpp"
#include "ncp/strategies/snes_iterate.hpp"
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

PetscErrorCode solve(SNES snes) {
  void* context = nullptr;
  PetscFunctionBegin;
  PetscCall(SNESGetFunction(snes, nullptr, nullptr, &context));
  auto* solver = static_cast<SnesStepSolver*>(context);
  snes->reason = SNES_CONVERGED_ITERATING;
  PetscCall(evaluate_and_test(snes, 0, 0));
  for (PetscInt it = 0; it < snes->max_its && !snes->reason; ++it) {
    PetscTryTypeMethod(snes, update, it);
    PetscCall(SNESComputeJacobian(snes, snes->vec_sol, snes->jacobian, snes->jacobian_pre));
    try {
      solver->sweep(snes->vec_sol);
    } catch (const std::exception& e) {
      SETERRQ(PETSC_COMM_SELF, PETSC_ERR_LIB, "%s", e.what());
    }
    PetscCall(evaluate_and_test(snes, it + 1, 0));
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
