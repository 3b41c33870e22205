#pragma once
// PETSc's dense LU and Cholesky factorisations end a singular matrix with an error code of their own.

#include <petscsys.h>

namespace clarke {

inline bool is_zero_pivot(PetscErrorCode code) {
  return code == PETSC_ERR_MAT_LU_ZRPVT || code == PETSC_ERR_MAT_CH_ZRPVT;
}

}  // namespace clarke
