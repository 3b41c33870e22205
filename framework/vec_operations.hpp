#pragma once
// Sums and norms of PETSc's vectors that decide about a step. PETSc's own go through BLAS, which picks its kernels by
// the processor it finds: with another order of additions, or with fused ones. These give the same bits everywhere.

#include <petscvec.h>

namespace clarke {

/// y ← y + a x
PetscErrorCode vec_add(Vec y, PetscReal a, Vec x);
/// w ← y + a x; w may be neither.
PetscErrorCode vec_sum(Vec w, PetscReal a, Vec x, Vec y);
/// ‖x‖₂, the squares added in order: infinite from about 1e154 on, which ends an iteration as NaN does.
PetscErrorCode vec_norm(Vec x, PetscReal* norm);

}  // namespace clarke
