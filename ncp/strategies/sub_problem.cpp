#include "ncp/strategies/sub_problem.hpp"

namespace clarke {

/// w of the contacts' rows; `first` is the number of the first one.
static void write_weight(const RowSet& rows, int first, const View<double>& out) {
  const RowSet& c = rows;
  const View<double> weight = out;
  parallel_for(
      "subproblem_weight", c.items,
      KOKKOS_LAMBDA(int i) {
        double* w = weight.data() + first + 3 * i;
        for (int r = 0; r < 3; ++r) w[r] = c.out.delassus_diagonal(3 * i + r);
        set_metric(admissible_set(c, i), w);
      },
      6);
}

/// s = μ |v_t|, or μ σ_C(−v_t), of the contacts.
static void write_cone(const RowSet& rows, int first, const View<double>& out) {
  const RowSet& c = rows;
  const View<double> cone = out;
  parallel_for(
      "subproblem_cone", c.items,
      KOKKOS_LAMBDA(int i) { cone(first + 3 * i) = de_saxce_term(admissible_set(c, i), c.velocity.data() + 3 * i); },
      6);
}

void SubProblem::begin_proximal(StepProblem& problem, const View<double>& impulse, double alpha) {
  const int rows = problem.system().pattern.rows;
  data_ = {};
  data_.proximal = alpha;
  data_.centre = centre_.resize(rows);
  data_.weight = weight_.resize(rows);
  data_.compliance = compliance_.resize(rows);
  Kokkos::deep_copy(data_.centre, impulse);
  fill(data_.weight, 0.0);
  for (int i = 0; i < problem.contributors(); ++i)
    if (const RowSet* c = problem.contributor(i).rows(); c && c->kind == SetKind::cone)
      write_weight(*c, problem.slice(i).first_row, data_.weight);
  problem.set_contact_subproblem(&data_);
}

void SubProblem::begin_associated(StepProblem& problem) {
  const int rows = problem.system().pattern.rows;
  data_ = {};
  data_.associated = true;
  data_.cone = cone_.resize(rows);
  for (int i = 0; i < problem.contributors(); ++i)
    if (const RowSet* c = problem.contributor(i).rows(); c && c->kind == SetKind::cone)
      write_cone(*c, problem.slice(i).first_row, data_.cone);
  problem.set_contact_subproblem(&data_);
}

}  // namespace clarke
