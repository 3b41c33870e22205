#include "ncp/strategies/island_stop.hpp"

namespace clarke {

void IslandStop::begin(StepProblem& problem, bool separate) {
  problem_ = &problem;
  Islands& islands = problem.system().islands;
  islands.separate = separate;
  rows_ = open_rows_ = problem.system().pattern.rows;
  newton_rows_ = linear_rows_ = 0;
  if (!separate) return;
  ended_host_.assign(islands.count, 0);
  islands.ended = ended_.resize(islands.count);
  fill(islands.ended, 0);
}

bool IslandStop::test(const std::vector<double>& error, double atol, double rtol, int it) {
  if (it == 0) first_error_ = error;
  const auto done = [&](std::size_t k) { return error[k] <= atol || (it > 0 && error[k] <= rtol * first_error_[k]); };
  bool all = done(ended_host_.size());
  for (std::size_t k = 0; k < ended_host_.size(); ++k) {
    if (!ended_host_[k] && done(k)) {
      ended_host_[k] = 1;
      open_rows_ -= problem_->islands().rows()[k];
    }
    all = all && ended_host_[k];
  }
  to_device(ended_host_, ended_.view());
  return all;
}

void IslandStop::count(long newton_steps, long row_iterations) {
  newton_rows_ += newton_steps * open_rows_;
  linear_rows_ += row_iterations;
}

}  // namespace clarke
