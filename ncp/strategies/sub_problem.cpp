#include "ncp/strategies/sub_problem.hpp"

namespace clarke {

void SubProblem::begin_proximal(StepProblem& problem, const View<double>& impulse, double alpha) {
  const int rows = problem.system().pattern.rows;
  shift_ = {};
  shift_.proximal = alpha;
  shift_.centre = centre_.resize(rows);
  shift_.weight = weight_.resize(rows);
  shift_.compliance = compliance_.resize(rows);
  Kokkos::deep_copy(shift_.centre, impulse);
  fill(shift_.weight, 0.0);
  const View<double> weight = shift_.weight;
  for (int i = 0; i < problem.contributors(); ++i) {
    const ContactRows* found = problem.contributor(i).contact_rows();
    if (!found) continue;
    const ContactRows c = *found;
    const int first = problem.slice(i).first_row;
    parallel_for(
        "shift_weight", c.count,
        KOKKOS_LAMBDA(int k) {
          const View<double> w = c.out.effective_mass;
          const double mean = (w(3 * k) + w(3 * k + 1) + w(3 * k + 2)) / 3;
          for (int r = 0; r < 3; ++r) weight(first + 3 * k + r) = mean;
        },
        6);
  }
  problem.set_contact_shift(&shift_);
}

void SubProblem::begin_associated(StepProblem& problem) {
  const int rows = problem.system().pattern.rows;
  shift_ = {};
  shift_.associated = true;
  shift_.cone = cone_.resize(rows);
  const View<double> cone = shift_.cone;
  for (int i = 0; i < problem.contributors(); ++i) {
    const ContactRows* found = problem.contributor(i).contact_rows();
    if (!found) continue;
    const ContactRows c = *found;
    const int first = problem.slice(i).first_row;
    parallel_for(
        "shift_cone", c.count,
        KOKKOS_LAMBDA(int k) {
          cone(first + 3 * k) = c.friction(k) * std::hypot(c.slip(2 * k), c.slip(2 * k + 1));
        },
        6);
  }
  problem.set_contact_shift(&shift_);
}

}  // namespace clarke
