#include "ncp/strategies/nonsmooth_newton.hpp"

#include "framework/petsc_views.hpp"
#include "framework/registry.hpp"
#include "framework/system.hpp"
#include "ncp/strategies/snes_iterate.hpp"

#include <petsc/private/snesimpl.h>

#include <stdexcept>

namespace clarke {

namespace {

PetscErrorCode set_up(SNES snes) {
  PetscFunctionBegin;
  PetscCall(SNESSetUpMatrices(snes));
  snes->alwayscomputesfinalresidual = PETSC_TRUE;  // SNESReset clears it
  PetscFunctionReturn(0);
}

PetscErrorCode set_from_options(SNES snes, PetscOptionItems* PetscOptionsObject) {
  auto* options = static_cast<NewtonOptions*>(snes->data);
  PetscFunctionBegin;
  (void)PetscOptionsObject;
  try {
    read_options(*options);
  } catch (const std::exception& e) {
    SETERRQ(PETSC_COMM_SELF, PETSC_ERR_USER_INPUT, "%s", e.what());
  }
  PetscFunctionReturn(0);
}

/// A row that only sets its multiplier is not damped: adds the rest of the known part of the step.
PetscErrorCode complete_known_rows(SNES snes, Vec X, double rest) {
  SaddlePointSystem* system = nullptr;
  PetscFunctionBegin;
  PetscCall(SNESGetApplicationContext(snes, &system));
  if (!system || rest == 0) PetscFunctionReturn(0);
  VecUpdate x(X);
  const View<double> known = system->known_step, all = x.view();
  const int first = system->velocity_size();
  parallel_for(
      "complete_known_rows", system->pattern.rows,
      KOKKOS_LAMBDA(int r) { all(first + r) -= rest * known(r); });
  PetscFunctionReturn(0);
}

PetscErrorCode solve(SNES snes) {
  const auto* options = static_cast<const NewtonOptions*>(snes->data);
  Vec X = snes->vec_sol, F = snes->vec_func, Y = snes->vec_sol_update;
  PetscFunctionBegin;
  snes->numFailures = snes->numLinearSolveFailures = 0;
  snes->reason = SNES_CONVERGED_ITERATING;
  PetscCall(evaluate_and_test(snes, 0, 0));
  for (PetscInt it = 0; it < snes->max_its && !snes->reason; ++it) {
    PetscTryTypeMethod(snes, update, it);
    PetscCall(SNESComputeJacobian(snes, X, snes->jacobian, snes->jacobian_pre));
    SNESCheckJacobianDomainerror(snes);
    PetscCall(KSPSetOperators(snes->ksp, snes->jacobian, snes->jacobian_pre));
    PetscCall(KSPSolve(snes->ksp, F, Y));
    SNESCheckKSPSolve(snes);
    PetscInt linear = 0;
    PetscCall(KSPGetIterationNumber(snes->ksp, &linear));
    snes->linear_its += linear;
    PetscCall(VecAXPY(X, -options->damping, Y));
    PetscCall(complete_known_rows(snes, X, 1 - options->damping));
    PetscReal y_norm;
    PetscCall(VecNorm(Y, NORM_2, &y_norm));
    PetscCall(evaluate_and_test(snes, it + 1, options->damping * y_norm));
  }
  if (!snes->reason) snes->reason = SNES_DIVERGED_MAX_IT;
  PetscFunctionReturn(0);
}

PetscErrorCode view(SNES snes, PetscViewer viewer) {
  const auto* options = static_cast<const NewtonOptions*>(snes->data);
  PetscFunctionBegin;
  PetscCall(PetscViewerASCIIPrintf(viewer, "  damping %g\n", options->damping));
  PetscFunctionReturn(0);
}

PetscErrorCode reset(SNES) { return 0; }

PetscErrorCode destroy(SNES snes) {
  PetscFunctionBegin;
  delete static_cast<NewtonOptions*>(snes->data);
  snes->data = nullptr;
  PetscFunctionReturn(0);
}

PetscErrorCode create(SNES snes) {
  PetscFunctionBegin;
  snes->ops->setup = set_up;
  snes->ops->solve = solve;
  snes->ops->setfromoptions = set_from_options;
  snes->ops->view = view;
  snes->ops->reset = reset;
  snes->ops->destroy = destroy;
  snes->usesksp = PETSC_TRUE;
  snes->usesnpc = PETSC_FALSE;
  snes->alwayscomputesfinalresidual = PETSC_TRUE;
  snes->data = new NewtonOptions;
  PetscFunctionReturn(0);
}

}  // namespace

double newton_damping(SNES snes) {
  PetscBool ours = PETSC_FALSE;
  if (PetscObjectTypeCompare((PetscObject)snes, "nonsmooth_newton", &ours) || !ours) return 1;
  return static_cast<const NewtonOptions*>(snes->data)->damping;
}

void register_nonsmooth_newton() {
  if (SNESRegister("nonsmooth_newton", create))
    throw std::runtime_error("PETSc refused to register nonsmooth_newton");
  registrations().push_back({"snes_type", "nonsmooth_newton", "damped semismooth Newton",
                             "Macklin et al. 2019; Macklin 2020, alg. 1"});
}

}  // namespace clarke
