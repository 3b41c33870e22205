#pragma once
// KSP type `pcg`: preconditioned conjugate gradients.
//
// Problem: A x = b with A and the preconditioner P symmetric positive definite. Iterate k minimises the energy
// x·A x/2 − b·x over x₀ + span{P r₀, (P A) P r₀, …} (k vectors). The residual is not minimised and may grow for a
// while, which makes a solve cut off after a few iterations erratic; pcr does not have this defect. Here for
// comparison.
//
//   notation: r residual, z = P r, p direction, q = A p, α step length, β orthogonalisation
//
//   r = b − A x;  z = P r;  p = z
//   repeat
//     q = A p;  α = (r·z) / (p·q)
//     x = x + α p;  r = r − α q;  z = P r
//     β = (r·z) / (r·z of the iteration before);  p = z + β p
//
// One product with A and one with P per iteration, and one of each at the start; the latter product with A only for a
// nonzero initial guess.
//
// Bytes moved per row and iteration besides the product with A: 104 (13 doubles) in three kernels when P is diagonal;
// otherwise in four, and the product with P.
//
// Stops, beside PETSc's convergence test and -ksp_max_it:
//   r·z ≤ pcg_breakdown² r₀·z₀   nothing but round-off is left           KSP_CONVERGED_HAPPY_BREAKDOWN
//   p·q ≤ pcg_stagnation r·z     the step would leave along a null       KSP_CONVERGED_HAPPY_BREAKDOWN,
//                                direction; clearly negative             KSP_DIVERGED_INDEFINITE_MAT
//   r·z < 0                      P is indefinite                         KSP_DIVERGED_INDEFINITE_PC
// The natural norm (-ksp_norm_type natural) is √(r·z). Its numbers stay where the vectors are, as those of `pcr`.
//
// Limits: singular systems are solved only while consistent and free of round-off; on an inconsistent one x grows until
// -ksp_max_it or the divergence tolerance. The stagnation test takes eigenvalues of P A for numbers of order one.
//
// Hestenes, Stiefel 1952, Methods of conjugate gradients for solving linear systems; Saad 2003, Iterative Methods for
// Sparse Linear Systems, alg. 9.1.

#include "framework/options.hpp"

#include <petscksp.h>

namespace clarke {

struct PcgOptions {
  double breakdown = 1e-10;
  double stagnation = 1e-12;

  void describe(OptionVisitor& v) {
    v.real("pcg_breakdown", breakdown,
           {"1", "stop when |r|_P is below this fraction of its first value: round-off", 0.0, 1.0});
    v.real("pcg_stagnation", stagnation,
           {"1", "stop when p·Ap is below this fraction of r·z: a null direction", 0.0, 1.0});
  }
};

PetscErrorCode create_pcg(KSP ksp);

}  // namespace clarke
