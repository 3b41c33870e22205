#pragma once

#include <petscksp.h>

namespace clarke {

/// MUMPS sizes its workspace from the pattern, without the fill that pivoting on an indefinite matrix brings, and gives
/// up when it runs out: room for three times the estimate instead of 1.2 times. -mat_mumps_icntl_14 wins over it.
/// Nothing for other packages.
PetscErrorCode give_mumps_room(KSP ksp);

}  // namespace clarke
