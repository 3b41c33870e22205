#pragma once
// How far the rows of one item are from their law, for sets that are no cone (contact_residuals.hpp): pure functions of
// the physical quantities, the same for every solver [docs/theory.md, eq. V1].
//
//   | mid(v, w (Λ − l), w (Λ − u)) |     [m/s, rad/s]     v row velocity, [l, u] bounds of Λ, w = W_rr + γ [1/kg]
//   w |Λ − Π_R(Λ − v/w)|                 of two rows that are bounded together, |Λ| ≤ R; w the mean of both
//
// the natural map of the admissible set (framework/sets/admissible_set.hpp). The median of three: |v| for a bilateral
// row, min(v, w Λ) for a limit, the distance from the box for a drive at its effort.

#include "framework/math/small_solve.hpp"
#include "framework/row_law.hpp"

namespace clarke {

/// Between its bounds, or at one of them: which of the three is the median.
enum class RowStatus : int { free, lower, upper };

KOKKOS_INLINE_FUNCTION RowStatus row_status(double v, double impulse, double lower, double upper, double w) {
  if (v > w * (impulse - lower)) return RowStatus::lower;
  if (v < w * (impulse - upper)) return RowStatus::upper;
  return RowStatus::free;
}

/// Residuals [m/s] of the rows of item i.
KOKKOS_INLINE_FUNCTION void row_residuals(const RowSet& rows, int i, double* error, RowStatus* status) {
  const AdmissibleSet set = admissible_set(rows, i);
  const int first = i * set.rows;
  if (rows.unprojected.extent(0) > 0) {
    for (int r = 0; r < set.rows; ++r) error[r] = std::fabs(rows.unprojected(first + r)), status[r] = RowStatus::free;
    return;
  }
  double w[kMaxItemRows] = {}, f[kMaxItemRows] = {};
  for (int r = 0; r < set.rows; ++r) {
    w[r] = rows.out.delassus_diagonal(first + r) + rows.compliance(first + r);
    status[r] = set.lower
                    ? row_status(rows.velocity(first + r), rows.impulse(first + r), set.lower[r], set.upper[r], w[r])
                    : RowStatus::free;
  }
  set_metric(set, w);
  natural_map(set, rows.velocity.data() + first, rows.impulse.data() + first, w, f);
  for (int r = 0; r < set.rows; ++r) error[r] = std::fabs(f[r]);
  if (set.kind == SetKind::disc) error[1] = error[2] = std::hypot(f[1], f[2]);
}

}  // namespace clarke
