#pragma once
// The local form of a global contact problem: velocities eliminated, the Delassus operator formed.
//
//   W = J M⁻¹ Jᵀ + diag γ,   V = J M⁻¹ Gᵀ,   R = G M⁻¹ Gᵀ + diag E,   q = J M⁻¹ f + w,   s = G M⁻¹ f + b
//
//   v = W Λ + V Λ_G + q,     v_G = Vᵀ Λ + R Λ_G + s        [Acary Brémond Huber Koziara Pérignon 2014]
//
// M⁻¹ is sparse where M is block diagonal, as that of rigid bodies is; for other matrices it may be full.

#include "framework/contact_problem.hpp"

namespace clarke {

/// Compliance is on the diagonals of W and R.
struct DelassusForm {
  SparseMatrix W;            // [1/kg], contact rows square; symmetric to the last bit
  SparseMatrix V;            // [1/kg], contact rows × joint rows
  SparseMatrix R;            // [1/kg], joint rows square
  std::vector<double> q, s;  // [m/s]
};

/// Of a problem in global form. Throws std::runtime_error where M is not positive definite.
DelassusForm delassus_form(const ContactProblem& problem);

}  // namespace clarke
