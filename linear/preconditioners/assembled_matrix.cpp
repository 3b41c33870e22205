#include "linear/preconditioners/assembled_matrix.hpp"

#include "framework/communicator.hpp"

namespace clarke {

AssembledMatrix::~AssembledMatrix() { (void)MatDestroy(&mat_); }

PetscErrorCode AssembledMatrix::destroy() {
  PetscFunctionBegin;
  PetscCall(MatDestroy(&mat_));
  PetscFunctionReturn(0);
}

PetscErrorCode AssembledMatrix::create(const Form& form) {
  const PetscInt n = form.size();
  PetscFunctionBegin;
  PetscCall(MatDestroy(&mat_));
  rows_.clear();
  columns_.clear();
  form.coordinates(rows_, columns_);
  values_ = HostView<double>("coo_values", rows_.size());
  PetscCall(MatCreate(simulation_communicator(), &mat_));
  PetscCall(MatSetSizes(mat_, n, n, n, n));
  PetscCall(MatSetType(mat_, MATSEQAIJ));
  static_assert(sizeof(PetscInt) == sizeof(int), "built for 32-bit PETSc indices");
  // MatSetPreallocationCOO overwrites its index arrays, so it gets copies.
  std::vector<int> i = rows_, j = columns_;
  PetscCall(MatSetPreallocationCOO(mat_, static_cast<PetscCount>(i.size()), i.data(), j.data()));
  PetscCall(MatSetOption(mat_, MAT_SYMMETRIC, form.symmetric() ? PETSC_TRUE : PETSC_FALSE));
  PetscCall(MatSetOption(mat_, MAT_SYMMETRY_ETERNAL, form.symmetric() ? PETSC_TRUE : PETSC_FALSE));
  PetscFunctionReturn(0);
}

PetscErrorCode AssembledMatrix::update(const Form& form) {
  PetscFunctionBegin;
  form.values(values_);
  PetscCall(MatSetValuesCOO(mat_, values_.data(), INSERT_VALUES));
  PetscCall(MatSetOption(mat_, MAT_SPD, form.positive_definite() ? PETSC_TRUE : PETSC_FALSE));
  PetscFunctionReturn(0);
}

}  // namespace clarke
