#pragma once
// KSP type `jacobi`: damped Jacobi relaxation.
//
// Problem: A x = b with A symmetric positive semidefinite and the preconditioner P symmetric positive definite; with
// -pc_type jacobi, P = 1/diag(A), it is the relaxation of that name, with -pc_type block_jacobi its block form.
//
//   notation: r residual, z = P r, ω relaxation factor, λ eigenvalue of P A
//
//   repeat: r = b − A x;  z = P r;  x = x + ω z
//
// With ω = 1/λ_max(P A) the error along an eigenvector of P A shrinks by 1 − λ/λ_max ≥ 0 per iteration: no part grows
// or changes sign, and the smooth parts (λ ≪ λ_max) hardly shrink at all. Undamped (ω = 1) it diverges where λ_max > 2,
// as in every stack of several contacts. λ_max comes from a power iteration, once per linearisation, from a fixed
// pseudo-random vector:
//
//   repeat: u = A v;  w = P u;  λ = (u·w)/(u·v);  v = w/|w|
//
// which gives λ from below (it is a Rayleigh quotient of P A in the A inner product); convergence needs ω < 2/λ_max,
// which an estimate twice too small would still satisfy.
//
// Bytes moved per row and iteration besides the product with A: 64 (8 doubles) in two kernels when P is diagonal.
// Stops: PETSc's convergence test and -ksp_max_it; KSP_DIVERGED_INDEFINITE_MAT when the power iteration finds v·A v <
// 0. Limits: slow on ill-conditioned systems; the reference that the Krylov methods are compared with.
//
// Saad 2003, Iterative Methods for Sparse Linear Systems, sec. 4.1 and 4.2 (Richardson's method applied to P A).

#include "framework/options.hpp"

#include <petscksp.h>

namespace clarke {

struct JacobiOptions {
  double omega = 0;
  int power_iterations = 30;

  void describe(OptionVisitor& v) {
    v.real("jacobi_omega", omega, {"1", "relaxation factor ω; 0: 1/λ_max(P A) by power iteration", 0.0, 2.0});
    v.integer("jacobi_power_iterations", power_iterations,
              {"1", "steps of the power iteration for λ_max(P A)", 1.0, 10000.0});
  }
};

PetscErrorCode create_jacobi(KSP ksp);

}  // namespace clarke
