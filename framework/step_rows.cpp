#include "framework/step_rows.hpp"

#include "framework/step_problem.hpp"

#include <limits>

namespace clarke {

namespace {

/// The rows of one contributor at their places among all.
void place(const RowSet& rows, const StepRows& out) {
  const RowSet& c = rows;
  const StepRows& all = out;
  const int first_row = c.out.first_row, first_item = c.out.first_item, m = c.rows / c.items;
  const bool dense = c.dense(), bounds = c.lower.extent(0) > 0, cones = c.kind == SetKind::cone,
             sections = c.section.extent(0) > 0, any_section = all.section.extent(0) > 0,
             near_rigid = c.near_rigid.extent(0) > 0, any_near_rigid = all.near_rigid.extent(0) > 0;
  constexpr double kInf = std::numeric_limits<double>::infinity();
  parallel_for(
      "gather_rows", c.items,
      KOKKOS_LAMBDA(int i) {
        const int item = first_item + i;
        all.kind(item) = c.kind;
        all.dense(item) = dense;
        all.friction(item) = cones ? c.friction(i) : 0.0;
        if (any_near_rigid) all.near_rigid(item) = near_rigid ? c.near_rigid(i) : 0.0;
        if (any_section) all.section(item) = sections ? c.section(i) : FrictionSection{};
        for (int k = i * m; k < (i + 1) * m; ++k) {
          const int row = first_row + k;
          all.velocity(row) = c.velocity(k);
          all.compliance(row) = dense ? c.out.b(k) : c.compliance(k);
          all.lower(row) = bounds ? c.lower(k) : -kInf;
          all.upper(row) = bounds ? c.upper(k) : kInf;
        }
      },
      12);
}

/// Items that are forces have no rows, and no set.
void place_none(const StepRows& out) {
  const StepRows& all = out;
  parallel_for(
      "gather_no_rows", static_cast<int>(all.kind.extent(0)), KOKKOS_LAMBDA(int item) {
        all.kind(item) = SetKind::box;
        all.dense(item) = false;
        all.friction(item) = 0;
        if (all.near_rigid.extent(0) > 0) all.near_rigid(item) = 0;
      });
}

}  // namespace

const StepRows& StepRowStorage::gather(StepProblem& problem) {
  const SaddlePointSystem& s = problem.system();
  const int rows = s.pattern.rows, items = s.pattern.items;
  bool sections = false, near_rigid = false;
  double fold = 0;
  int with_rows = 0;
  for (int i = 0; i < problem.contributors(); ++i)
    if (const RowSet* found = problem.contributor(i).rows()) {
      sections = sections || (found->items > 0 && found->sections());
      with_rows += found->items;
      if (found->near_rigid.extent(0) > 0) near_rigid = true, fold = found->near_rigid_fold;
    }
  rows_ = {s.pattern,
           s.jacobian,
           velocity_.resize(rows),
           compliance_.resize(rows),
           lower_.resize(rows),
           upper_.resize(rows),
           friction_.resize(items),
           kind_.resize(items),
           dense_.resize(items),
           s.B,
           section_.resize(sections ? items : 0),
           {},
           near_rigid_.resize(near_rigid ? items : 0),
           fold};
  if (with_rows < items) place_none(rows_);
  for (int i = 0; i < problem.contributors(); ++i)
    if (const RowSet* found = problem.contributor(i).rows(); found && found->items > 0) {
      if (found->kind == SetKind::cone) rows_.relaxed = found->relaxed;
      place(*found, rows_);
    }
  return rows_;
}

}  // namespace clarke
