#pragma once
// What the rows of every elastic element end in, be it of a solid or of a sheet [docs/theory.md, eqs. E9, E22]:
//
//   F = s E off,   A = 1,  B = s E    off = Λ − law: how far the impulse is from its law [N s]; s E scaled compliance
//   velocity error of the verdict     |off|/(1/W + k/s) [m/s]: the change of velocity if the row's own impulse were
//                                     put right, unprojected; 1/W its effective mass, k a bound of the stiffness [Pa]

#include "framework/row_assembly.hpp"

#include <string>

namespace clarke {

/// Writes the m rows of element i. `scale` s, `compliance` E, `stiffness` k; A and B only with `linearise`.
template <int m>
KOKKOS_INLINE_FUNCTION void write_elastic_rows(const SystemSlice& s, const View<double>& error, int i, double scale,
                                               const double (&compliance)[m * m], const double (&off)[m],
                                               double stiffness, bool linearise) {
  const int row = i * m;
  for (int k = 0; k < m; ++k) {
    double sum = 0;
    for (int l = 0; l < m; ++l) sum += compliance[m * k + l] * off[l];
    s.residual(row + k) = scale * sum;
    const double mass = s.delassus_diagonal(row + k) > 0 ? 1 / s.delassus_diagonal(row + k) : INFINITY;
    error(row + k) = off[k] / (mass + stiffness / scale);
    s.a(row + k) = 1;
    s.b(row + k) = scale * compliance[m * k + k];
  }
  s.slip_frame(2 * i) = 1;
  s.slip_frame(2 * i + 1) = 0;
  if (!linearise) return;
  const int q = s.pattern.item_square(s.first_item + i);
  for (int k = 0; k < m * m; ++k) {
    s.B(q + k) = scale * compliance[k];
    if (s.A.extent(0) > 0) s.A(q + k) = k % (m + 1) == 0;
  }
}

/// Elastic forces are those of the end of a step: throws InputError, in the name of `who`, for an integrator at
/// velocity level.
void refuse_velocity_level(const StepContext& context, const std::string& who);

}  // namespace clarke
