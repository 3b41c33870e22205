#include "ncp/strategies/sub_problem.hpp"

#include "framework/sets/section_cone.hpp"

namespace clarke {

/// w of the contacts' rows; `first` is the number of the first one.
static void write_weight(const RowSet& rows, int first, const View<double>& out) {
  const RowSet c = rows;
  const View<double> weight = out;
  parallel_for(
      "shift_weight", c.items,
      KOKKOS_LAMBDA(int k) {
        const View<double> w = c.out.delassus_diagonal;
        const double mean = (w(3 * k) + w(3 * k + 1) + w(3 * k + 2)) / 3;
        for (int r = 0; r < 3; ++r) weight(first + 3 * k + r) = mean;
      },
      6);
}

/// s = μ |v_t|, or μ σ_C(−v_t), of the contacts.
static void write_cone(const RowSet& rows, int first, const View<double>& out) {
  const RowSet c = rows;
  const View<double> cone = out;
  const bool sections = c.section.extent(0) > 0;
  parallel_for(
      "shift_cone", c.items,
      KOKKOS_LAMBDA(int k) {
        cone(first + 3 * k) =
            c.friction(k) * unit_dissipation(sections ? &c.section(k) : nullptr, c.slip(2 * k), c.slip(2 * k + 1));
      },
      6);
}

void SubProblem::begin_proximal(StepProblem& problem, const View<double>& impulse, double alpha) {
  const int rows = problem.system().pattern.rows;
  shift_ = {};
  shift_.proximal = alpha;
  shift_.centre = centre_.resize(rows);
  shift_.weight = weight_.resize(rows);
  shift_.compliance = compliance_.resize(rows);
  Kokkos::deep_copy(shift_.centre, impulse);
  fill(shift_.weight, 0.0);
  for (int i = 0; i < problem.contributors(); ++i)
    if (const RowSet* c = problem.contributor(i).rows(); c && c->kind == SetKind::cone)
      write_weight(*c, problem.slice(i).first_row, shift_.weight);
  problem.set_contact_subproblem(&shift_);
}

void SubProblem::begin_associated(StepProblem& problem) {
  const int rows = problem.system().pattern.rows;
  shift_ = {};
  shift_.associated = true;
  shift_.cone = cone_.resize(rows);
  for (int i = 0; i < problem.contributors(); ++i)
    if (const RowSet* c = problem.contributor(i).rows(); c && c->kind == SetKind::cone)
      write_cone(*c, problem.slice(i).first_row, shift_.cone);
  problem.set_contact_subproblem(&shift_);
}

}  // namespace clarke
