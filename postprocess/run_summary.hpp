#pragma once
// summary.json: the figures of a whole run in one place, gathered step by step, with the provenance that says how they
// came about. Every key of the contract is always there, so that a reader never has to ask whether it is:
//
//   *_max        the largest over all steps, failed ones included; `worst` tells step, time and where
//   *_mean       per step
//   *_last       of the last step
//   seconds_*    sums over the steps [s]; seconds_total is the sum of all phases unless the caller measured it
//   safeguards   option name -> how often it acted in the run
//   null         not said by the caller (counts of bodies, ...), or not a number because a step failed
//
// A figure that is not a finite number is never written as one. In a run without a failed step it is an error, because
// an accepted step with an undefined residual has not been judged. Settings under `provenance` may be infinite (no
// limit): they are written as the texts "inf", "-inf" and "nan".

#include "framework/report.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <vector>

namespace clarke {

class StateArchive;

class RunSummary {
 public:
  RunSummary(std::string case_name, nlohmann::json provenance);

  /// Takes one step in. Throws StepError, naming the figure, when an accepted step has a figure that is not finite.
  void add(const StepReport& report);

  /// The figures so far, for checkpoints.
  void carry_over(StateArchive& archive);

  /// The document, keys sorted. `extra` is an object that adds keys and overrides those found here, `provenance`
  /// included. Throws std::runtime_error, naming the key, for numbers that are not finite (see above).
  nlohmann::json document(const nlohmann::json& extra) const;

 private:
  struct Maximum {
    double value = 0;
    int step = 0;
    double time = 0;
    std::string where;
  };

  std::string case_name_;
  nlohmann::json provenance_;
  std::map<std::string, Maximum> maxima_;  // by the key without "_max"
  long steps_ = 0, converged_steps_ = 0, failed_steps_ = 0;
  long newton_iterations_ = 0, linear_iterations_ = 0;
  double newton_per_row_ = 0, linear_per_row_ = 0;
  int islands_max_ = 0;
  int contacts_max_ = 0, contacts_last_ = 0;
  double time_end_ = 0, kinetic_energy_last_ = 0;
  PhaseSeconds seconds_;
  std::map<std::string, long> safeguards_;
};

/// The text of summary.json: sorted keys, indented, with a line break at the end.
std::string json_text(const nlohmann::json& document);

}  // namespace clarke
