#include "ncp/strategies/nonsmooth_newton.hpp"

#include "framework/petsc_views.hpp"
#include "framework/system.hpp"
#include "framework/vec_operations.hpp"
#include "ncp/strategies/newton_globalisation.hpp"
#include "ncp/strategies/snes_type.hpp"

#include <stdexcept>

namespace clarke {

namespace {

struct Newton {
  NewtonOptions options;
  NewtonGlobalisation globalisation;
};

PetscErrorCode set_up(SNES snes) {
  PetscFunctionBegin;
  PetscCall(SNESSetUpMatrices(snes));
  snes->alwayscomputesfinalresidual = PETSC_TRUE;  // SNESReset clears it
  PetscFunctionReturn(0);
}

PetscErrorCode set_from_options(SNES snes, PetscOptionItems* PetscOptionsObject) {
  auto* newton = static_cast<Newton*>(snes->data);
  PetscFunctionBegin;
  (void)PetscOptionsObject;
  try {
    read_options(newton->options);
    read_options(newton->globalisation.options);
  } catch (const std::exception& e) {
    SETERRQ(PETSC_COMM_SELF, PETSC_ERR_USER_INPUT, "%s", e.what());
  }
  PetscFunctionReturn(0);
}

/// A row that only sets its multiplier is not damped: adds the rest of the known part of the step.
PetscErrorCode complete_known_rows(SNES snes, Vec X, double rest) {
  PetscFunctionBegin;
  if (rest == 0) PetscFunctionReturn(0);
  const LinearExchange& exchange = step_solver_of(snes)->exchange();
  VecUpdate x(X);
  const View<double> known = exchange.fixed_multiplier_step, all = x.view();
  const int first = exchange.system->velocity_size();
  parallel_for(
      "complete_known_rows", exchange.system->pattern.rows,
      KOKKOS_LAMBDA(int r) { all(first + r) -= rest * known(r); });
  PetscFunctionReturn(0);
}

PetscErrorCode solve(SNES snes) {
  auto* newton = static_cast<Newton*>(snes->data);
  Vec X = snes->vec_sol, F = snes->vec_func, Y = snes->vec_sol_update;
  PetscFunctionBegin;
  snes->numFailures = snes->numLinearSolveFailures = 0;
  snes->reason = SNES_CONVERGED_ITERATING;
  PetscCall(evaluate_and_test(snes, 0, 0));
  if (!snes->reason) PetscCall(newton->globalisation.begin(snes));
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
    double alpha = 0;
    PetscCall(newton->globalisation.step(snes, Y, newton->options.damping, complete_known_rows, alpha));
    PetscReal y_norm;
    PetscCall(vec_norm(Y, &y_norm));
    PetscCall(evaluate_and_test(snes, it + 1, alpha * y_norm));
  }
  if (!snes->reason) snes->reason = SNES_DIVERGED_MAX_IT;
  PetscFunctionReturn(0);
}

PetscErrorCode view(SNES snes, PetscViewer viewer) {
  const auto* newton = static_cast<const Newton*>(snes->data);
  PetscFunctionBegin;
  PetscCall(PetscViewerASCIIPrintf(viewer, "  damping %g, line search %s, watchdog %d\n", newton->options.damping,
                                   newton->globalisation.options.line_search.c_str(),
                                   newton->globalisation.options.watchdog));
  PetscFunctionReturn(0);
}

PetscErrorCode reset(SNES) { return 0; }

void describe(SNES snes, OptionVisitor& visitor) {
  auto* newton = static_cast<Newton*>(snes->data);
  newton->options.describe(visitor);
  newton->globalisation.options.describe(visitor);
}

PetscErrorCode destroy(SNES snes) {
  PetscFunctionBegin;
  auto* newton = static_cast<Newton*>(snes->data);
  PetscCall(newton->globalisation.destroy());
  delete newton;
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
  snes->data = new Newton;
  PetscFunctionReturn(0);
}

}  // namespace

bool newton_is_global(SNES snes) {
  PetscBool ours = PETSC_FALSE;
  if (PetscObjectTypeCompare((PetscObject)snes, "nonsmooth_newton", &ours) || !ours) return false;
  return static_cast<const Newton*>(snes->data)->globalisation.options.any();
}

double newton_damping(SNES snes) {
  PetscBool ours = PETSC_FALSE;
  if (PetscObjectTypeCompare((PetscObject)snes, "nonsmooth_newton", &ours) || !ours) return 1;
  return static_cast<const Newton*>(snes->data)->options.damping;
}

void register_nonsmooth_newton() {
  if (SNESRegister("nonsmooth_newton", create)) throw std::runtime_error("PETSc refused to register nonsmooth_newton");
  add_strategy("nonsmooth_newton", {.by_island = true}, describe);
  registrations().push_back(
      {"snes_type", "nonsmooth_newton", "damped semismooth Newton", "Macklin et al. 2019; Macklin 2020, alg. 1"});
}

}  // namespace clarke
