#pragma once
// What is solved in each row of a step, gathered from whoever owns the rows: the arguments as of the last evaluation,
// without any law. For strategies that solve Coulomb's law and the bounds themselves.

#include "framework/contact_rows.hpp"
#include "framework/step_problem.hpp"

namespace clarke {

/// How an item is solved. Disc: a bounded row, and two that are bounded together (framework/joint_rows.hpp).
enum ItemKind : int { kContact, kBlock, kRowByRow, kDisc };

/// v, γ, bounds per row and kind, μ, section per item. Bounds are undefined for contacts, μ and section for others.
struct RowArguments {
  Buffer<double> velocity{"row_velocity"}, compliance{"row_compliance"}, lower{"row_lower"}, upper{"row_upper"},
      friction{"row_friction"};
  Buffer<int> kind{"row_kind"};
  Buffer<FrictionSection> section{"row_section"};  // empty where all cones are discs

  void gather(StepProblem& problem);
};

}  // namespace clarke
