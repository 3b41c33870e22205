#pragma once
// Newton's stopping test island by island (framework/islands.hpp): e_k ≤ atol, or e_k ≤ rtol · e_k of the start, with
// e_k the velocity error [m/s] of island k. An island that has ended takes no further steps: its part of every
// right-hand side is zero (linear/preconditioners/reduction.cpp). Also counts what was spent per row, with or without
// separation.

#include "framework/step_problem.hpp"

namespace clarke {

class IslandStop {
 public:
  /// At the start of a solve. With `separate` all islands of the problem are open again.
  void begin(StepProblem& problem, bool separate);
  /// At iterate `it`; true when every island has ended, and the blocks in none as well. Only where islands are
  /// separate.
  bool test(const std::vector<double>& error, double atol, double rtol, int it);
  /// After so many Newton steps, which took `row_iterations` rows × linear iterations.
  void count(long newton_steps, long row_iterations);
  /// Means per row since begin().
  double newton_per_row() const { return rows_ > 0 ? double(newton_rows_) / double(rows_) : 0; }
  double linear_per_row() const { return rows_ > 0 ? double(linear_rows_) / double(rows_) : 0; }

 private:
  StepProblem* problem_ = nullptr;
  long rows_ = 0, open_rows_ = 0, newton_rows_ = 0, linear_rows_ = 0;
  std::vector<double> first_error_;
  std::vector<int> ended_host_;
  Buffer<int> ended_{"island_ended"};
};

}  // namespace clarke
