#pragma once
// What is solved in each row of a step, gathered from whoever owns the rows: the arguments as of the last evaluation, without any law.
// For strategies that solve Coulomb's law and the bounds themselves.

#include "framework/contact_rows.hpp"
#include "framework/step_problem.hpp"

namespace clarke {

/// How an item is solved.
enum ItemKind : int { kContact, kBlock, kRowByRow };

/// v, γ, bounds per row and kind, μ per item. Bounds are undefined for contacts, μ for others.
struct RowArguments {
  Buffer<double> velocity{"row_velocity"}, compliance{"row_compliance"}, lower{"row_lower"}, upper{"row_upper"},
      friction{"row_friction"};
  Buffer<int> kind{"row_kind"};

  void gather(StepProblem& problem);
};

}  // namespace clarke
