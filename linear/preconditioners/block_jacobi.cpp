#include "linear/preconditioners/block_jacobi.hpp"

#include "framework/petsc_views.hpp"
#include "linear/krylov/krylov_support.hpp"

#include <petsc/private/pcimpl.h>

#include <exception>

namespace clarke {
namespace {

/// The operator to precondition: that of the preconditioning matrix, or else of the system matrix.
PetscErrorCode get_operator(PC pc, LinearOperator** op) {
  PetscFunctionBegin;
  *op = operator_of(pc->pmat);
  if (!*op) *op = operator_of(pc->mat);
  PetscCheck(*op, PetscObjectComm((PetscObject)pc), PETSC_ERR_SUP,
             "-pc_type block_jacobi needs the matrix-free system; with an assembled one use "
             "-pc_type pbjacobi or bjacobi");
  PetscFunctionReturn(0);
}

PetscErrorCode PCSetUp_BlockJacobi(PC pc) {
  LinearOperator* op = nullptr;
  PetscFunctionBegin;
  PetscCall(get_operator(pc, &op));
  try {
    op->prepare_block_inverse();
  } catch (const std::exception& e) {
    SETERRQ(PETSC_COMM_SELF, PETSC_ERR_LIB, "block_jacobi: %s", e.what());
  }
  PetscFunctionReturn(0);
}

PetscErrorCode apply_to_views(PC pc, const View<double>& r, const View<double>& z) {
  LinearOperator* op = nullptr;
  PetscFunctionBegin;
  PetscCall(get_operator(pc, &op));
  PetscCall(PetscLogEventBegin(PC_Apply, pc, 0, 0, 0));
  try {
    op->apply_block_inverse(r, z);
  } catch (const std::exception& e) {
    SETERRQ(PETSC_COMM_SELF, PETSC_ERR_LIB, "block_jacobi: %s", e.what());
  }
  PetscCall(PetscLogEventEnd(PC_Apply, pc, 0, 0, 0));
  PetscFunctionReturn(0);
}

/// PETSc logs this one itself.
PetscErrorCode PCApply_BlockJacobi(PC pc, Vec x, Vec y) {
  LinearOperator* op = nullptr;
  PetscFunctionBegin;
  PetscCall(get_operator(pc, &op));
  try {
    const VecRead in(x);
    const VecWrite out(y);
    op->apply_block_inverse(in.view(), out.view());
  } catch (const std::exception& e) {
    SETERRQ(PETSC_COMM_SELF, PETSC_ERR_LIB, "block_jacobi: %s", e.what());
  }
  PetscFunctionReturn(0);
}

PetscErrorCode PCApplyTranspose_BlockJacobi(PC pc, Vec x, Vec y) {
  LinearOperator* op = nullptr;
  PetscFunctionBegin;
  PetscCall(get_operator(pc, &op));
  PetscCheck(op->symmetric(), PetscObjectComm((PetscObject)pc), PETSC_ERR_SUP,
             "block_jacobi has a transpose only for symmetric systems");
  PetscCall(PCApply_BlockJacobi(pc, x, y));
  PetscFunctionReturn(0);
}

PetscErrorCode PCDestroy_BlockJacobi(PC pc) {
  PetscFunctionBegin;
  PetscCall(PetscObjectComposeFunction((PetscObject)pc, kPcViewApply, nullptr));
  PetscFunctionReturn(0);
}

}  // namespace

PetscErrorCode create_block_jacobi(PC pc) {
  PetscFunctionBegin;
  pc->data = nullptr;
  pc->ops->setup = PCSetUp_BlockJacobi;
  pc->ops->apply = PCApply_BlockJacobi;
  pc->ops->applytranspose = PCApplyTranspose_BlockJacobi;
  pc->ops->destroy = PCDestroy_BlockJacobi;
  PetscCall(PetscObjectComposeFunction((PetscObject)pc, kPcViewApply, apply_to_views));
  PetscFunctionReturn(0);
}

}  // namespace clarke
