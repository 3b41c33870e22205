#include "linear/operators/linear_operator.hpp"

#include "framework/communicator.hpp"
#include "framework/petsc_views.hpp"

#include <exception>

namespace clarke {

namespace {

constexpr const char* kOperatorKey = "ClarkeLinearOperator_C";

PetscErrorCode get_operator(Mat mat, LinearOperator** op) {
  void* context = nullptr;
  PetscFunctionBegin;
  PetscCall(MatShellGetContext(mat, &context));
  *op = static_cast<LinearOperator*>(context);
  PetscFunctionReturn(0);
}

/// Calls f(operator), whose exceptions must not cross PETSc.
template <class F>
PetscErrorCode with_operator(Mat mat, const F& f) {
  LinearOperator* op = nullptr;
  PetscFunctionBegin;
  PetscCall(get_operator(mat, &op));
  try {
    f(*op);
  } catch (const std::exception& e) {
    SETERRQ(PETSC_COMM_SELF, PETSC_ERR_LIB, "%s", e.what());
  }
  PetscFunctionReturn(0);
}

PetscErrorCode shell_mult(Mat mat, Vec x, Vec y) {
  return with_operator(mat, [&](const LinearOperator& op) {
    const VecRead in(x);
    VecWrite out(y);
    op.apply(in.view(), out.view());
  });
}

PetscErrorCode shell_mult_transpose(Mat mat, Vec x, Vec y) {
  return with_operator(mat, [&](const LinearOperator& op) {
    const VecRead in(x);
    VecWrite out(y);
    op.apply_transpose(in.view(), out.view());
  });
}

PetscErrorCode shell_diagonal(Mat mat, Vec d) {
  return with_operator(mat, [&](const LinearOperator& op) {
    VecWrite out(d);
    op.diagonal(out.view());
  });
}

}  // namespace

PetscErrorCode create_operator_shell(LinearOperator* op, Mat* shell) {
  const PetscInt n = op->size();
  PetscFunctionBegin;
  PetscCall(MatCreateShell(simulation_communicator(), n, n, n, n, op, shell));
  PetscCall(MatShellSetOperation(*shell, MATOP_MULT, (void (*)())shell_mult));
  PetscCall(MatShellSetOperation(*shell, MATOP_MULT_TRANSPOSE, (void (*)())shell_mult_transpose));
  PetscCall(MatShellSetOperation(*shell, MATOP_GET_DIAGONAL, (void (*)())shell_diagonal));
  PetscCall(PetscObjectComposeFunction((PetscObject)*shell, kOperatorKey, get_operator));
  PetscFunctionReturn(0);
}

LinearOperator* operator_of(Mat mat) {
  if (!mat) return nullptr;
  PetscErrorCode (*query)(Mat, LinearOperator**) = nullptr;
  if (PetscObjectQueryFunction((PetscObject)mat, kOperatorKey, &query) || !query) return nullptr;
  LinearOperator* op = nullptr;
  return query(mat, &op) ? nullptr : op;
}

}  // namespace clarke
