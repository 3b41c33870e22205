#pragma once
// What rounding makes of the numbers of a step: bounds of what a strategy can hope for.
//
//   gaps at q⁺ over h     η (|u| + |x|/h)             η a few units of rounding, |·| the largest              [m/s]
//   M⁻¹ g                 |M⁻¹ H| η (|u| + |x|/h)     forces follow velocities that are that uncertain        [m/s]

#include "framework/step_problem.hpp"

namespace clarke {

/// η: of a sum of products.
inline constexpr double kUnitRounding = 4e-16;

/// Largest component of the velocities in x = (u, Λ) [m/s, rad/s].
double largest_speed(const SaddlePointSystem& system, const View<double>& x);
/// Of gaps over h at the last evaluated point, whose largest speed is `speed` [m/s].
double gap_rounding(const StepProblem& problem, double speed);
/// |M⁻¹ H|, the largest sum over a row of blocks [1].
double stiffest(const SaddlePointSystem& system);

}  // namespace clarke
