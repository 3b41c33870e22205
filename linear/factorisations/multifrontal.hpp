#pragma once
// -pc_factor_mat_solver_type multifrontal: PETSc's LU of an AIJ matrix by MultifrontalLu (multifrontal_lu.hpp). Order
// of elimination: -pc_factor_mat_ordering_type. A pivot that is not larger than -pc_factor_zeropivot fails the
// factorisation, as PETSc's own does; shifts (-pc_factor_shift_type) are refused.

#include <petscmat.h>

namespace clarke {

/// Registers the type; called by register_linear().
PetscErrorCode register_multifrontal();

}  // namespace clarke
