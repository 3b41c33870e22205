#pragma once
// A solve by the inner KSP whose preconditioner may have failed: PETSc applies a factorisation that does not exist when
// it is asked a second time with the same matrix, and stops with an error; and its dense ones stop with an error at a
// pivot of zero, where its sparse ones report it. A failure of the step is what it should be, each time.

#include "linear/preconditioners/zero_pivot.hpp"

#include <petsc/private/kspimpl.h>

namespace clarke {

/// z := solution; zero where the preconditioner could not be set up, with the reason DIVERGED_PC_FAILED.
inline PetscErrorCode inner_solve(KSP ksp, Vec b, Vec z) {
  PC pc = nullptr;
  PCFailedReason failure = PC_NOERROR;
  PetscFunctionBegin;
  const PetscErrorCode set_up = KSPSetUp(ksp);
  if (is_zero_pivot(set_up)) {
    failure = PC_FACTOR_NUMERIC_ZEROPIVOT;
  } else {
    PetscCall(set_up);
    PetscCall(KSPGetPC(ksp, &pc));
    PetscCall(PCGetFailedReason(pc, &failure));
  }
  if (failure == PC_NOERROR) {
    PetscCall(KSPSolve(ksp, b, z));
  } else {
    PetscCall(VecZeroEntries(z));
    ksp->its = 0;
    ksp->reason = KSP_DIVERGED_PC_FAILED;
  }
  PetscFunctionReturn(0);
}

}  // namespace clarke
