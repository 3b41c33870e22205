#pragma once
// What the end of a nonlinear solve means for the step: how it is called in the record, and whether the step has
// failed.

#include "framework/report.hpp"
#include "framework/step_problem.hpp"

#include <petscsnes.h>

#include <cmath>
#include <string>

namespace clarke {

struct StepOutcome {
  // "converged", "budget", "stalled" (it no longer moves, above the tolerance), "diverged", "nan",
  // "linear solve failed: …", or PETSc's own name
  std::string reason;
  bool failed = true;
};

struct StepLimits {
  double atol;                   // [m/s] -snes_atol
  double accept_velocity_error;  // [m/s] above it the step has diverged
  bool accept_budget;            // a budget that is used up is no failure, nor is an iteration that no longer moves
};

/// Whether both tolerances are met.
inline bool within(const ResidualNorms& norms, double atol, double natural_map_relative) {
  return norms.velocity_error <= atol && norms.natural_map_relative <= natural_map_relative;
}

/// `error` is the velocity error at the last iterate [m/s].
inline StepOutcome step_outcome(SNESConvergedReason reason, double error, bool linear_failed,
                                const std::string& linear_reason, const StepLimits& limits) {
  if (!std::isfinite(error) || reason == SNES_DIVERGED_FNORM_NAN || reason == SNES_DIVERGED_FUNCTION_DOMAIN)
    return {"nan", true};
  if (linear_failed || reason == SNES_DIVERGED_LINEAR_SOLVE) return {"linear solve failed: " + linear_reason, true};
  if (error > limits.accept_velocity_error) return {"diverged", true};
  // Below the tolerance also where a line search finds nothing left to gain, or the type never asks.
  if (error <= limits.atol) return {"converged", false};
  if (reason == SNES_DIVERGED_MAX_IT || reason == SNES_CONVERGED_ITS) {
    if (limits.accept_budget) return {"budget", false};
    return {"budget used up and -accept_budget is false", true};
  }
  if (reason == SNES_CONVERGED_SNORM_RELATIVE) {
    if (limits.accept_budget) return {"stalled", false};
    return {"stalled and -accept_budget is false", true};
  }
  if (reason > 0) return {"converged", false};
  return {SNESConvergedReasons[reason], true};
}

}  // namespace clarke
