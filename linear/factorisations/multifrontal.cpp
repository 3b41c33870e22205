#include "linear/factorisations/multifrontal.hpp"

#include "linear/factorisations/multifrontal_lu.hpp"

#include <petsc/private/matimpl.h>

#include <exception>

namespace clarke {

namespace {

constexpr const char* kName = "multifrontal";

static_assert(sizeof(PetscInt) == sizeof(int), "built for 32-bit PETSc indices");

/// What F->data is: null before analyse().
MultifrontalLu* lu_of(Mat F) { return static_cast<MultifrontalLu*>(F->data); }

template <void (MultifrontalLu::*kSolve)(const double*, double*)>
PetscErrorCode solve(Mat F, Vec b, Vec x) {
  const PetscScalar* from = nullptr;
  PetscScalar* to = nullptr;
  PetscFunctionBegin;
  PetscCall(VecGetArrayRead(b, &from));
  PetscCall(VecGetArrayWrite(x, &to));
  (lu_of(F)->*kSolve)(from, to);
  PetscCall(VecRestoreArrayWrite(x, &to));
  PetscCall(VecRestoreArrayRead(b, &from));
  PetscFunctionReturn(0);
}

PetscErrorCode factorise(Mat F, Mat A, const MatFactorInfo* info) {
  const PetscScalar* values = nullptr;
  PetscFunctionBegin;
  PetscCheck(info->shifttype == static_cast<PetscReal>(MAT_SHIFT_NONE), PETSC_COMM_SELF, PETSC_ERR_SUP,
             "-pc_factor_mat_solver_type multifrontal shifts no pivots: leave out -pc_factor_shift_type, or use petsc");
  PetscCall(MatSeqAIJGetArrayRead(A, &values));
  const PivotFailure failure = lu_of(F)->factorise(values, info->zeropivot);
  PetscCall(MatSeqAIJRestoreArrayRead(A, &values));
  if (failure.row >= 0) {
    PetscCheck(!A->erroriffailure, PETSC_COMM_SELF, PETSC_ERR_MAT_LU_ZRPVT, "Zero pivot row %d value %g tolerance %g",
               failure.row, failure.value, static_cast<double>(info->zeropivot));
    F->factorerrortype = MAT_FACTOR_NUMERIC_ZEROPIVOT;
    F->factorerror_zeropivot_value = failure.value;
    F->factorerror_zeropivot_row = failure.row;
    PetscFunctionReturn(0);
  }
  F->factorerrortype = MAT_FACTOR_NOERROR;
  F->assembled = F->preallocated = PETSC_TRUE;
  PetscCall(PetscLogFlops(lu_of(F)->flops()));
  PetscFunctionReturn(0);
}

PetscErrorCode analyse(Mat F, Mat A, IS rows, IS, const MatFactorInfo*) {
  PetscInt n = 0;
  const PetscInt *start = nullptr, *column = nullptr, *order = nullptr;
  PetscBool done = PETSC_FALSE;
  PetscFunctionBegin;
  PetscCall(MatGetRowIJ(A, 0, PETSC_FALSE, PETSC_FALSE, &n, &start, &column, &done));
  PetscCheck(done, PETSC_COMM_SELF, PETSC_ERR_SUP, "the matrix has no compressed rows");
  PetscCall(ISGetIndices(rows, &order));
  delete lu_of(F);
  F->data = nullptr;
  try {
    F->data = new MultifrontalLu({n, start, column}, order);
  } catch (const std::exception& e) {  // there may be too little memory
    SETERRQ(PETSC_COMM_SELF, PETSC_ERR_MEM, "multifrontal, %d unknowns: %s", n, e.what());
  }
  PetscCall(ISRestoreIndices(rows, &order));
  PetscCall(MatRestoreRowIJ(A, 0, PETSC_FALSE, PETSC_FALSE, &n, &start, &column, &done));
  F->ops->lufactornumeric = factorise;
  F->ops->solve = solve<&MultifrontalLu::solve>;
  F->ops->solvetranspose = solve<&MultifrontalLu::solve_transposed>;
  PetscFunctionReturn(0);
}

PetscErrorCode information(Mat F, MatInfoType, MatInfo* info) {
  PetscFunctionBegin;
  PetscCall(PetscMemzero(info, sizeof *info));
  if (const MultifrontalLu* lu = lu_of(F))
    info->nz_used = info->nz_allocated = static_cast<PetscLogDouble>(lu->tree().factor_size());
  PetscFunctionReturn(0);
}

PetscErrorCode view(Mat F, PetscViewer viewer) {
  PetscBool ascii = PETSC_FALSE;
  PetscFunctionBegin;
  PetscCall(PetscObjectTypeCompare((PetscObject)viewer, PETSCVIEWERASCII, &ascii));
  const MultifrontalLu* const lu = lu_of(F);
  if (!ascii || !lu) PetscFunctionReturn(0);
  const FrontTree& tree = lu->tree();
  PetscCall(PetscViewerASCIIPrintf(viewer, "fronts: %d, the largest of %d; entries of the factors: %zu; flops: %g\n",
                                   tree.count(), tree.largest(), tree.factor_size(), lu->flops()));
  PetscFunctionReturn(0);
}

PetscErrorCode destroy(Mat F) {
  PetscFunctionBegin;
  delete lu_of(F);
  F->data = nullptr;
  PetscCall(PetscObjectComposeFunction((PetscObject)F, "MatFactorGetSolverType_C", nullptr));
  PetscFunctionReturn(0);
}

PetscErrorCode solver_type(Mat, MatSolverType* type) {
  PetscFunctionBegin;
  *type = kName;
  PetscFunctionReturn(0);
}

PetscErrorCode create(Mat A, MatFactorType type, Mat* factor) {
  Mat F = nullptr;
  PetscFunctionBegin;
  PetscCall(MatCreate(PetscObjectComm((PetscObject)A), &F));
  PetscCall(MatSetSizes(F, A->rmap->n, A->cmap->n, A->rmap->N, A->cmap->N));
  PetscCall(PetscStrallocpy(kName, &((PetscObject)F)->type_name));
  PetscCall(MatSetUp(F));
  F->ops->lufactorsymbolic = analyse;
  F->ops->getinfo = information;
  F->ops->view = view;
  F->ops->destroy = destroy;
  PetscCall(PetscObjectComposeFunction((PetscObject)F, "MatFactorGetSolverType_C", solver_type));
  F->factortype = type;
  F->canuseordering = PETSC_TRUE;
  PetscCall(PetscFree(F->solvertype));
  PetscCall(PetscStrallocpy(kName, &F->solvertype));
  PetscCall(PetscStrallocpy(MATORDERINGAMD, const_cast<char**>(&F->preferredordering[MAT_FACTOR_LU])));
  *factor = F;
  PetscFunctionReturn(0);
}

}  // namespace

PetscErrorCode register_multifrontal() {
  PetscFunctionBegin;
  PetscCall(MatSolverTypeRegister(kName, MATSEQAIJ, MAT_FACTOR_LU, create));
  PetscFunctionReturn(0);
}

}  // namespace clarke
