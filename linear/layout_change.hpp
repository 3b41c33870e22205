#pragma once
// What preconditioners of PETSc want when the size of the system changes, and KSPReset does not do.
//
//   gamg, mg, asm, …   keep solvers of the old size inside: they are made anew, with the options they had
//   fieldsplit         as well, and is told the two fields of the saddle form, `velocity` and `impulse`: PETSc's own
//                      detection looks for zeros on the diagonal, and shift and compliance leave none

#include <petscksp.h>

namespace clarke {

/// To be called for every new size; `impulses` 0 where the form has one field.
PetscErrorCode prepare_for_layout(PC pc, PetscInt velocities, PetscInt impulses);

}  // namespace clarke
