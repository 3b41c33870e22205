#pragma once
// KSP type `gauss_seidel`: Gauss-Seidel relaxation in row order.
//
// Problem: S x = b with S symmetric positive semidefinite and positive diagonal, S the Schur form of the system.
//
//   repeat: for each row i in order: x_i = x_i + (b_i − Σ_j S_ij x_j) / S_ii
//
// each row seeing the rows before it already updated. The sweep is the operator's own: for S = J H⁻¹ Jᵀ + C it keeps
// u = H⁻¹ Jᵀ x up to date row by row and costs about as much as one product with S.
//
// Bytes moved per iteration: those of the sweep; a residual norm costs a product with S and 40 bytes per row more, so
// give -ksp_norm_type none when a fixed number of sweeps is wanted. The preconditioner enters the preconditioned and
// natural norms only. Stops: PETSc's convergence test and -ksp_max_it. Order: that of the rows. Where levels of items
// that share no block are wide (framework/item_levels.hpp), each is visited at once by all threads, or by a device,
// with the same bits; else one thread works through them. Limits: needs the matrix-free Schur form and refuses anything
// else (PETSc's own sweep over an assembled matrix is -ksp_type richardson -pc_type sor).
//
// Saad 2003, Iterative Methods for Sparse Linear Systems, sec. 4.1.

#include <petscksp.h>

namespace clarke {

PetscErrorCode create_gauss_seidel(KSP ksp);

}  // namespace clarke
