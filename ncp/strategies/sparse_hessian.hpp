#pragma once
// What needs the explicit inverse of H, and so cannot be used where forces couple velocities (framework/force_items.hpp).

#include "framework/error.hpp"
#include "ncp/strategies/snes_type.hpp"

namespace clarke {

/// Throws InputError where H is block-sparse and the strategy wants it block diagonal.
inline void check_sparse_hessian(const SaddlePointSystem& system, SNES snes, bool sweeps) {
  PetscBool admm = PETSC_FALSE;
  if (PetscObjectTypeCompare((PetscObject)snes, "admm", &admm)) throw InputError("PETSc: no SNES type");
  if (system.sparse_hessian() && (sweeps || admm))
    throw InputError("-soft_form stiffness: sweeps and admm need H block diagonal: use -soft_form compliance, or neither -snes_type "
                     "nsgs nor admm nor -newton_start_sweeps");
}

}  // namespace clarke
