#pragma once
// The solvers in force, as PETSc has them after reading its options: types, tolerances and limits of the SNES and of
// the inner KSP and its PC. Part of every output's provenance, under the names of the options that set them.

#include <nlohmann/json_fwd.hpp>
#include <petscsnes.h>

namespace clarke {

nlohmann::json solver_record(SNES snes);

}  // namespace clarke
