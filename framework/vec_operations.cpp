#include "framework/vec_operations.hpp"

#include "framework/petsc_views.hpp"

#include <cmath>

namespace clarke {

PetscErrorCode vec_add(Vec y, PetscReal a, Vec x) {
  PetscFunctionBegin;
  const VecRead from(x);
  VecUpdate to(y);
  const View<double> in = from.view(), out = to.view();
  parallel_for(
      "vec_add", static_cast<int>(out.extent(0)), KOKKOS_LAMBDA(int i) { out(i) = out(i) + a * in(i); });
  PetscFunctionReturn(0);
}

PetscErrorCode vec_sum(Vec w, PetscReal a, Vec x, Vec y) {
  PetscFunctionBegin;
  const VecRead from(x), with(y);
  VecWrite to(w);
  const View<double> in = from.view(), other = with.view(), out = to.view();
  parallel_for(
      "vec_sum", static_cast<int>(out.extent(0)), KOKKOS_LAMBDA(int i) { out(i) = other(i) + a * in(i); });
  PetscFunctionReturn(0);
}

PetscErrorCode vec_norm(Vec x, PetscReal* norm) {
  const PetscScalar* values = nullptr;
  PetscInt n = 0;
  PetscFunctionBegin;
  PetscCall(VecGetLocalSize(x, &n));
  PetscCall(VecGetArrayRead(x, &values));
  PetscReal sum = 0;
  for (PetscInt i = 0; i < n; ++i) sum += values[i] * values[i];
  PetscCall(VecRestoreArrayRead(x, &values));
  *norm = std::sqrt(sum);
  PetscFunctionReturn(0);
}

}  // namespace clarke
