#pragma once
// How well the steps of a run were solved, for its last line: how many converged, the largest relative natural map of
// contacts and the largest violation of a joint, with their places, the deepest overlap of solids with their names. The
// figures are the verdict's.

#include "framework/report.hpp"

#include <string>

namespace clarke {

class StateArchive;

class Convergence {
 public:
  /// A step as it ended; a failed one counts, what it left does not: it is not the run's.
  void observe(const StepReport& report);
  /// For checkpoints.
  void carry_over(StateArchive& archive);
  /// Accepted, though they did not converge.
  long unconverged() const { return unconverged_; }
  /// "58 of 60 steps converged, error up to 1.2e-02 m/s (step 3, a/b), natural map up to …, joint violation up to …,
  /// overlap up to …"
  std::string text() const;

 private:
  struct Worst {
    double value = 0;
    int step = 0;
    std::string where;
    void observe(double found, int at_step, const std::string& place);
    void carry_over(StateArchive& archive);
  };

  long steps_ = 0, converged_ = 0, unconverged_ = 0, halved_ = 0;
  Worst error_, map_;    // [m/s] of steps that did not converge; [1] of all
  Worst joints_;         // [m or rad]
  bool looked_ = false;  // at the geometry
  Worst overlap_;        // [m]
};

}  // namespace clarke
