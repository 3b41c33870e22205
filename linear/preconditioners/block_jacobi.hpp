#pragma once
// PC type `block_jacobi`: the inverse of the operator's point blocks.
//
// Problem: z = P r with P the inverse of A's diagonal blocks, so that rows of one joint or one contact, which touch the
// same bodies, are solved together. The blocks are the operator's own choice: item blocks (up to m × m) for the Schur
// form, 3 × 3 velocity blocks for the stiffness form, both for the saddle form.
//
//   set-up: factorise A_kk for each block k;   apply: z_k = A_kk⁻¹ r_k
//
// Bytes moved: 8 m per row for the factors and 16 for the vectors.
// Limits: needs one of Clarke's matrix-free operators; on an assembled matrix PETSc's -pc_type pbjacobi (blocks of one
// size) or bjacobi does the like. Positive definite only where the operator's blocks are.
//
// Saad 2003, Iterative Methods for Sparse Linear Systems, sec. 4.1.1.

#include <petscpc.h>

namespace clarke {

PetscErrorCode create_block_jacobi(PC pc);

}  // namespace clarke
