#pragma once
// PETSc's error texts as one line instead of a traceback: while a QuietPetscErrors lives, the first message is kept and
// nothing is printed. PETSc then returns its error code as usual, and whoever called it throws.

#include <string>

namespace clarke {

class QuietPetscErrors {
 public:
  QuietPetscErrors();
  ~QuietPetscErrors();
  QuietPetscErrors(const QuietPetscErrors&) = delete;
  QuietPetscErrors& operator=(const QuietPetscErrors&) = delete;
};

/// What PETSc said first, "" if it never complained.
std::string first_petsc_error();

}  // namespace clarke
