#pragma once
// What the rigid rows of a step ask of its motion, linearised where the step was evaluated last (least_violation.hpp).
//
//   contact           v_n ≥ 0, and with friction v_n ≥ μ |v_t|: the dual of the cone its impulse is in
//   row of a joint    v = 0 where the impulse has no bounds, v ≥ 0 or v ≤ 0 where it has one
//   left out          rows with compliance, elements, rows with both bounds: they can always be satisfied; discs of
//                     rolling resistance, whose bound is that of a contact
//
// B = J S, with S = 1/max_r |J_rb| for all three columns of velocity block b: a motion z of one is one that a row sees
// as 1 m/s or rad/s. Masses do not enter. In a kinetic metric the motion of 10¹² kg beside 1 kg is 10⁶ times as long as
// that of the other, and what blocks the light body would be called a contradiction. Where W is given B is a root of
// its symmetric part, eigenvalues below kFlat of the largest taken for zero: a dense decomposition.

#include "framework/step_problem.hpp"
#include "verdict/least_violation.hpp"

namespace clarke {

inline constexpr double kFlat = 1e-12;

/// The rows of a step that impulses of any size may have to hold.
struct StepDemands {
  MotionDemands frictionless, frictional;
  Eigen::VectorXd scale;         // S per column: δu = S z; empty where W is given
  std::vector<int> contributor;  // per row
  bool discs_only = true;        // no other sets of impulses of contacts were left out
  bool has_friction = false;
  double largest = 0;  // |w_n| of contacts [m/s]
};

/// With impulses of zero.
StepDemands demands_of(const StepProblem& problem);

}  // namespace clarke
