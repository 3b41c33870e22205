#pragma once
// What proximal steps make of the rows of one item (proximal_rows.hpp), on host and device.

#include "framework/math/small_solve.hpp"
#include "framework/step_rows.hpp"
#include "ncp/strategies/proximal_rows.hpp"

namespace clarke {

KOKKOS_INLINE_FUNCTION double larger(double a, double b) { return a > b ? a : b; }  // fmax is a call

/// e = ε w of the rows of an item [1/kg]. Rows that are bounded together share theirs.
KOKKOS_INLINE_FUNCTION void item_weights(const StepRows& rows, const View<double>& weight, const View<double>& W,
                                         const ProximalRows::Weight& by, const AdmissibleSet& set, int item,
                                         double* e) {
  const int row = rows.pattern.item_row(item);
  for (int r = 0; r < set.rows; ++r) e[r] = larger(weight(row + r), by.least / by.epsilon * W(row + r));
  set_metric(set, e);
  for (int r = 0; r < set.rows; ++r) e[r] *= by.epsilon;
}

/// c = e + γ, of near-rigid normal rows without γ. Rows that are bounded together share theirs.
KOKKOS_INLINE_FUNCTION void item_scale(const StepRows& rows, const AdmissibleSet& set, int item, const double* e,
                                       double* c) {
  const int row = rows.pattern.item_row(item);
  const bool near_rigid = near_rigid_compliance(rows, item) > 0;
  for (int r = 0; r < set.rows; ++r) c[r] = e[r] + (near_rigid && r == 0 ? 0 : rows.compliance(row + r));
  if (set.kind != SetKind::box) c[1] = c[2] = larger(c[1], c[2]);
}

/// The velocity at its centre r, and c, with which a near-rigid contact has the impulse and the slope of its own law.
/// v: without what it gives way, D(Λ⁰) `give` of it at the start. D(r), which its velocity at r has, is not in p.
KOKKOS_INLINE_FUNCTION double soften(const StepRows& rows, int item, double r, double v, double give, double& c) {
  const double a = near_rigid_compliance(rows, item), fold = rows.near_rigid_fold, e = c;
  const double p = near_rigid_impulse(a, fold, e, e * r - v + give);
  c = e + near_rigid_slope(a, fold, p);
  return c * (r - p);
}

/// p ← Π_K(p), of a frictionless contact that of a half-line.
KOKKOS_INLINE_FUNCTION void project_item(const AdmissibleSet& set, double* p) {
  if (set.kind == SetKind::cone && !(set.friction > 0)) {
    p[0] = p[0] > 0 ? p[0] : p[0] == p[0] ? 0 : p[0];
    p[1] = p[2] = 0;
    return;
  }
  project(set, p);
}

}  // namespace clarke
