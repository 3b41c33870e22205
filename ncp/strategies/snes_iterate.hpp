#pragma once
// What every SNES type of ours does at an iterate, as PETSc's own types do it: F and its 2-norm, history, monitors, and
// the convergence test, which is the verdict's (snes_step_solver.hpp).

#include <petscsnes.h>

namespace clarke {

/// At iterate `it`, X = the solution vector; `step_norm` is |x − x before|₂, 0 at the start and where it is not known.
/// Sets the reason of `snes` where the iteration ends; NaN ends it as SNES_DIVERGED_FNORM_NAN.
PetscErrorCode evaluate_and_test(SNES snes, PetscInt it, PetscReal step_norm);

/// The linear solver of a Newton step is the reduction, whoever takes the step: KSP with `prefix`, preonly, PC
/// reduction.
PetscErrorCode use_reduction(SNES snes, const char* prefix);

/// Sets up whatever solves the linear systems of `snes`, with the Jacobian J as it is: a solve of J y = 0, which ends
/// at once.
PetscErrorCode set_up_linear_solve(SNES snes, Mat J);

}  // namespace clarke
