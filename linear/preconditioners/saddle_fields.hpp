#pragma once
// The two fields of the saddle form for -pc_type fieldsplit: `velocity`, then `impulse`. PETSc's own detection looks for zeros on the
// diagonal, and shift and compliance leave none.

#include <petscksp.h>

namespace clarke {

/// Tells a PC of type fieldsplit where its fields are; does nothing to any other type. To be called for every new size.
PetscErrorCode name_saddle_fields(PC pc, PetscInt velocities, PetscInt impulses);

}  // namespace clarke
