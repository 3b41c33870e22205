#pragma once
// F and Newton's matrix as PETSc sees them: rows scaled to √J by the fixed diagonal S of the step.
//
//   F = (S_u g, −S_h F_rows)        S [H  −Jᵀ; −A J  −B], A and B in the contacts' turned frames (framework/system.hpp)

#include "framework/system.hpp"

namespace clarke {

/// Λ in x = (u, Λ).
inline View<double> rows_of(const View<double>& x, const SaddlePointSystem& s) {
  return Kokkos::subview(x, Kokkos::make_pair(s.velocity_size(), s.size()));
}

/// f = F at the last evaluated point; f holds 3 × blocks + rows scalars.
void scaled_residual(const SaddlePointSystem& system, const View<double>& f);
/// y = (Newton's matrix) x at the last linearisation.
void newton_matrix_product(const SaddlePointSystem& system, const View<double>& x, const View<double>& y);

}  // namespace clarke
