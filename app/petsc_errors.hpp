#pragma once
// PETSc's error texts as one line instead of a traceback: the first message is kept and nothing is printed. PETSc still
// returns its error code, and whoever called it throws.

#include <string>

namespace clarke {

/// For the rest of the program; may be called before PetscInitialize, whose own complaints then are kept as well.
void keep_petsc_errors_quiet();

/// What PETSc said first, "" if it never complained.
std::string first_petsc_error();

/// What to take instead of the solver that complained, "; take another -pc_type …"; "" where it was none.
std::string petsc_hint();

}  // namespace clarke
