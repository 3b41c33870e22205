#pragma once
// The rows of a whole step in one place, gathered from whoever owns them: velocity, compliance and admissible set of
// every item as of the last evaluation, without any law. For strategies that solve the laws of rows themselves (sweeps,
// admm, merit functions): none of them asks what kind of thing a row belongs to [docs/theory.md, eq. A1].
//
//   v(u, Λ) = v⁰ + J (u − u⁰) + E (Λ − Λ⁰)        E: γ of a row, or a dense block of an item (in B, system.hpp)
//             of normal rows of near-rigid contacts D(Λ) − D(Λ⁰) instead                     [near_rigid_law.hpp]

#include "framework/row_law.hpp"
#include "framework/sets/near_rigid_law.hpp"

namespace clarke {

class StepProblem;

/// Flat arrays over the rows and items of a layout, for kernels.
struct StepRows {
  Pattern pattern;
  View<Vec3> jacobian;
  View<double> velocity, compliance;  // v⁰, γ: rows
  View<double> lower, upper;          // rows; infinite where there is no bound
  View<double> friction;              // items
  View<SetKind> kind;                 // items
  View<int> dense;                    // items: 1 where E is a block, of which γ is the diagonal
  View<double> block;                 // E of these, at item_square
  View<FrictionSection> section;      // items; empty: all discs
  RelaxedContact relaxed;             // how the contacts give way
  View<double> near_rigid;            // a of near-rigid contacts, items; empty: none
  double near_rigid_fold = 0;
};

/// a of a near-rigid contact; 0 of what is none.
KOKKOS_INLINE_FUNCTION double near_rigid_compliance(const StepRows& rows, int item) {
  return rows.near_rigid.extent(0) > 0 ? rows.near_rigid(item) : 0;
}

KOKKOS_INLINE_FUNCTION AdmissibleSet admissible_set(const StepRows& rows, int item) {
  AdmissibleSet set;
  const int row = rows.pattern.item_row(item);
  set.kind = rows.kind(item);
  set.rows = rows.pattern.item_row(item + 1) - row;
  set.lower = rows.lower.data() + row;
  set.upper = rows.upper.data() + row;
  if (set.kind != SetKind::cone) return set;
  set.friction = rows.friction(item);
  set.section = rows.section.extent(0) > 0 ? rows.section.data() + item : nullptr;
  return set;
}

/// E_re of an item.
KOKKOS_INLINE_FUNCTION double compliance_entry(const StepRows& rows, int item, int r, int e) {
  const int m = rows.pattern.item_row(item + 1) - rows.pattern.item_row(item);
  if (rows.dense(item)) return rows.block(rows.pattern.item_square(item) + r * m + e);
  return r == e ? rows.compliance(rows.pattern.item_row(item) + r) : 0;
}

/// v⁰ + J du of one row: v where its compliance gives way as at the start.
KOKKOS_INLINE_FUNCTION double carried_velocity_at(const StepRows& rows, const View<Vec3>& du, int item, int r) {
  return rows.velocity(rows.pattern.item_row(item) + r) + row_product(rows.pattern, rows.jacobian, du, item, r);
}

/// v of one row of an item with a compliance of its own.
KOKKOS_INLINE_FUNCTION double velocity_at(const StepRows& rows, const View<Vec3>& du, const View<double>& impulse,
                                          const View<double>& start, int item, int r) {
  const int row = rows.pattern.item_row(item) + r;
  const double v = carried_velocity_at(rows, du, item, r);
  if (const double a = r == 0 ? near_rigid_compliance(rows, item) : 0; a > 0)
    return v + (near_rigid_give(a, rows.near_rigid_fold, impulse(row)).velocity -
                near_rigid_give(a, rows.near_rigid_fold, start(row)).velocity);
  return v + rows.compliance(row) * (impulse(row) - start(row));
}

/// v of all rows of an item at (u⁰ + du, Λ).
KOKKOS_INLINE_FUNCTION void velocities_at(const StepRows& rows, const View<Vec3>& du, const View<double>& impulse,
                                          const View<double>& start, int item, double* v) {
  const int row = rows.pattern.item_row(item), m = rows.pattern.item_row(item + 1) - row;
  for (int r = 0; r < m; ++r) {
    if (!rows.dense(item)) {
      v[r] = velocity_at(rows, du, impulse, start, item, r);
      continue;
    }
    v[r] = carried_velocity_at(rows, du, item, r);
    const int q = rows.pattern.item_square(item) + r * m;
    for (int e = 0; e < m; ++e) v[r] += rows.block(q + e) * (impulse(row + e) - start(row + e));
  }
}

/// W_rr + γ of an item, in the metric of its set.
KOKKOS_INLINE_FUNCTION void metric_of(const StepRows& rows, const View<double>& delassus_diagonal,
                                      const AdmissibleSet& set, int item, double* w) {
  const int row = rows.pattern.item_row(item);
  for (int r = 0; r < set.rows; ++r) w[r] = delassus_diagonal(row + r) + rows.compliance(row + r);
  set_metric(set, w);
}

/// Owns the arrays; kept from step to step.
class StepRowStorage {
 public:
  /// As of the last evaluation of `problem`, which must have been a linearisation where items have a dense E.
  const StepRows& gather(StepProblem& problem);
  const StepRows& rows() const { return rows_; }

 private:
  StepRows rows_;
  Buffer<double> velocity_{"row_velocity"}, compliance_{"row_compliance"}, lower_{"row_lower"}, upper_{"row_upper"},
      friction_{"row_friction"}, near_rigid_{"row_near_rigid"};
  Buffer<SetKind> kind_{"row_set"};
  Buffer<int> dense_{"row_dense"};
  Buffer<FrictionSection> section_{"row_section"};
};

}  // namespace clarke
