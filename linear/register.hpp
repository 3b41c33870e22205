#pragma once

namespace clarke {

/// Makes Clarke's KSP and PC types known to PETSc, and lists them with their options. Called once, after
/// PetscInitialize.
void register_linear();

}  // namespace clarke
