#pragma once
// F and Newton's matrix as PETSc sees them: rows scaled to √J by the fixed diagonal S of the step.
//
//   F = (S_u g, −S_h F_rows)        S [H  −Jᵀ; −A J  −B], A and B in the contacts' turned frames (framework/system.hpp)

#include "framework/step_problem.hpp"

namespace clarke {

/// Λ in x = (u, Λ).
inline View<double> rows_of(const View<double>& x, const SaddlePointSystem& s) {
  return Kokkos::subview(x, Kokkos::make_pair(s.velocity_size(), s.size()));
}

/// out = g⁰ + H du − Jᵀ dΛ: the momentum residual at (u⁰ + du, Λ⁰ + dΛ) of the last linearisation.
void linear_momentum(const SaddlePointSystem& system, const View<Vec3>& g0, const View<Vec3>& du,
                     const View<double>& change, const View<Vec3>& out);
/// f = F at the last evaluated point; f holds 3 × blocks + rows scalars.
void scaled_residual(const SaddlePointSystem& system, const View<double>& f);
/// y = (Newton's matrix) x at the last linearisation.
void newton_matrix_product(SaddlePointSystem& system, const View<double>& x, const View<double>& y);
/// The same with forces that are no rows differentiated along x in dual numbers, whatever was left out of their T or
/// projected in it [eq. L8].
void dual_number_product(StepProblem& problem, const View<double>& x, const View<double>& y);

}  // namespace clarke
