#pragma once
// The sub-problems that outer iterations solve: fills a ContactSubproblem (framework/contact_subproblem.hpp) from a
// step at an iterate.

#include "framework/contact_subproblem.hpp"
#include "framework/step_problem.hpp"

namespace clarke {

class SubProblem {
 public:
  /// α, with the impulses at hand as centre, and w = tr (W_ii + γ)/3.
  void begin_proximal(StepProblem& problem, const View<double>& impulse, double alpha);
  /// s = μ |v_t| as of the last evaluation.
  void begin_associated(StepProblem& problem);
  void end(StepProblem& problem) { problem.set_contact_subproblem(nullptr); }

 private:
  ContactSubproblem data_;
  Buffer<double> centre_{"subproblem_centre"}, weight_{"subproblem_weight"}, compliance_{"subproblem_compliance"},
      cone_{"subproblem_cone"};
};

}  // namespace clarke
