#pragma once
// KSP type `pcr`: preconditioned conjugate residuals.
//
// Problem: A x = b with A symmetric positive semidefinite and the preconditioner P symmetric positive definite. Iterate
// k minimises |b − A x|_P = √(r·P r) over x₀ + span{P r₀, (P A) P r₀, …} (k vectors), so that norm never increases: a
// solve cut off after a few iterations still gives a useful step. On positive definite systems the iterates are those
// of MINRES.
//
//   notation: r residual, z = P r, y = A z, p direction, q = A p, s = P q, α step length, β orthogonalisation
//
//   r = b − A x;  z = P r
//   repeat
//     y = A z;  β = (z·y) / (z·y of the iteration before), 0 at first
//     p = z + β p;  q = y + β q;  s = P q
//     α = (z·y) / (q·s)
//     x = x + α p;  r = r − α q;  z = z − α s
//
// One product with A and one with P per iteration; one more with P at the start, and one with A for a nonzero initial
// guess. r and z follow recursions, so on ill-conditioned systems they end below the true residual.
//
// Bytes moved per row and iteration besides the product with A: 144 (18 doubles) in three kernels when P is diagonal;
// otherwise 152 in four, and the product with P.
//
// Stops, beside PETSc's convergence test and -ksp_max_it. Without them, iterating past convergence on a singular system
// throws x far away:
//   r·z ≤ pcr_breakdown² r₀·z₀   nothing but round-off is left           KSP_CONVERGED_HAPPY_BREAKDOWN
//   z·y ≤ pcr_stagnation r·z     what is left is in A's null space       KSP_CONVERGED_HAPPY_BREAKDOWN,
//                                clearly negative: A is indefinite       KSP_DIVERGED_INDEFINITE_MAT
//   q·s ≤ 0                      A p = 0                                 KSP_CONVERGED_HAPPY_BREAKDOWN,
//                                negative: P is indefinite               KSP_DIVERGED_INDEFINITE_PC
// The natural norm (-ksp_norm_type natural) is √(r·z), the one that is minimised.
//
// Its numbers stay where the vectors are: kernels make β and α and find the end, and a host that is no device looks
// once in 32 iterations (unseen_iteration.hpp). (Groups of unknowns have their numbers on the host.)
//
// Limits: indefinite A is reported, not solved. The stagnation test takes eigenvalues of P A for numbers of order one,
// as Jacobi makes them; without a preconditioner and with entries of A far from one, change pcr_stagnation.
//
// Stiefel 1955, Relaxationsmethoden bester Strategie; Saad 2003, Iterative Methods for Sparse Linear Systems, alg.
// 6.20; for contact problems Macklin, Erleben, Müller, Chentanez, Jeschke, Makoviychuk 2019, Non-smooth Newton methods
// for deformable multi-body dynamics.

#include "framework/options.hpp"

#include <petscksp.h>

namespace clarke {

struct PcrOptions {
  double breakdown = 1e-10;
  double stagnation = 1e-12;

  void describe(OptionVisitor& v) {
    v.real("pcr_breakdown", breakdown,
           {"1", "stop when |r|_P is below this fraction of its first value: round-off", 0.0, 1.0});
    v.real("pcr_stagnation", stagnation,
           {"1", "stop when z·Az is below this fraction of r·z: the rest is in the null space", 0.0, 1.0});
  }
};

PetscErrorCode create_pcr(KSP ksp);

}  // namespace clarke
