#pragma once
// KSP type `mpcg`: modified preconditioned conjugate gradients, for systems some of whose unknowns are prescribed
// [Baraff Witkin 1998; Ascher Boxerman 2003; docs/theory.md, eq. D11].
//
// Problem: S (b − A x) = 0 with (1 − S) x = z; A symmetric positive definite, S a projection per 3 × 3 block
// (framework/velocity_filter.hpp), which the matrix brings along. What is prescribed stays in A and in P, and is taken
// out of every residual and direction: no matrix is changed, and nothing is penalised.
//
//   notation: r residual, s = S P r, p direction, q = S A p, α step length, β orthogonalisation
//
//   x = z + S x₀;  r = S (b − A x);  p = s = S P r
//   repeat
//     q = S A p;  α = (r·s)/(p·q)
//     x = x + α p;  r = r − α q;  s = S P r
//     β = (r·s)/(r·s of the iteration before);  p = s + β p
//
// The start is that of Ascher and Boxerman: right wherever z lies. b − A x in what is prescribed is the impulse that
// prescribes it. A matrix without a filter is solved as it is: then these are conjugate gradients.
//
// Bytes moved per row and iteration besides the products with A and P: 24 more than `pcg`, those of the filter.
//
// Stops, beside PETSc's test and -ksp_max_it: r·s at rounding, 10⁻²⁰ of its first value
// (KSP_CONVERGED_HAPPY_BREAKDOWN); p·q ≤ 0 or r·s < 0 (KSP_DIVERGED_INDEFINITE_MAT, KSP_DIVERGED_INDEFINITE_PC).
// Its numbers stay where the vectors are, as those of `pcr`. Limits: those of `pcg`.

#include "framework/velocity_filter.hpp"
#include "linear/krylov/krylov_method.hpp"
#include "linear/krylov/unseen_iteration.hpp"

namespace clarke {

class Mpcg final : public KrylovMethod {
 public:
  static constexpr const char* kName = "mpcg";
  static constexpr const char* kSummary = "conjugate gradients that filter out what is prescribed (mass modification)";
  static constexpr const char* kCitation = "Baraff Witkin 1998; Ascher Boxerman 2003";

  KrylovNeeds needs() const override { return {.symmetric = true, .definite = true}; }
  PetscErrorCode check(KSP ksp) const override;  // where the filter is looked up
  PetscErrorCode solve(KrylovSystem& system) override;

 private:
  mutable VelocityFilter filter_;
  UnseenIteration iteration_{"mpcg", "p·Ap"};
  Buffer<double> r_{"mpcg_r"}, s_{"mpcg_s"}, p_{"mpcg_p"}, q_{"mpcg_q"};
  SumScratch<1> scratch1_;
  SumScratch<3> scratch3_;
};

}  // namespace clarke
