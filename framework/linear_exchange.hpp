#pragma once
// What a strategy and the linear solver of its Newton step tell each other: the application context of PETSc's PC
// `reduction`. The strategy owns it, and says where the iteration stands; the solver says how it went.

#include "framework/system.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace clarke {

/// What the linear solve says of itself.
struct LinearReport {
  int iterations = 0;
  long row_iterations = 0;  // rows × iterations spent on them: less than rows × iterations where islands end early
  double relative_residual = 0;  // last monitored norm over the first
  std::string reason;
  bool failed = false;
  std::map<std::string, long> safeguards;
  bool keep_history = false;                    // -output_linear
  std::vector<std::pair<int, double>> history;  // iteration of a solve and its monitored norm, solve after solve
};

struct LinearExchange {
  const SaddlePointSystem* system = nullptr;  // Newton's system

  // from the strategy
  int step = 0;                 // of the run
  bool forcing = false;         // -snes_ksp_ew: the solve takes its tolerance from Newton, not from -ksp_rtol
  double residual_measure = 1;  // relative natural map of the iterate, for -regularisation_rule residual
  /// The SNES type that writes A and B of all rows itself, dense, not turned and regular without a shift, and asks for
  /// velocities alone, with nothing on the right of rows; empty: laws write them.
  std::string row_writer;

  // from the solver
  LinearReport report;
  /// Part of the last Newton step y_Λ (all rows, original frame) that only sets multipliers to known values: rows with
  /// a = 0.
  Buffer<double> fixed_multiplier_step{"fixed_multiplier_step"};
};

}  // namespace clarke
