#pragma once
// PETSc reports by code; outside its own functions a failed call means a bug, or an option that PETSc itself refused.

#include "framework/error.hpp"

#include <petscsys.h>

#include <string>

namespace clarke {

inline void petsc_check(PetscErrorCode error, const char* what) {
  if (error) throw InputError(std::string("PETSc: ") + what + " failed (error " + std::to_string(error) + ")");
}

}  // namespace clarke
