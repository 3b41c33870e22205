#pragma once
// Looks for a proof that a step has no solution, where it was not solved (verdict/infeasibility.hpp), and names what is
// prescribed among what contradicts.
//
//   a step that failed        examined
//   accepted by its budget    examined where it is worse than any examined before by kWorse, at most kExaminations
//                             times in a run and of at most kRowsOfBudget rows; no more once a contradiction is known.
//                             That friction may leave no solution is said once, that there is one never
//
// So a run whose budgets are used up in every step pays for a few examinations.

#include "framework/simulation.hpp"
#include "physics/contact/contact_contributor.hpp"
#include "physics/description/world.hpp"
#include "verdict/infeasibility.hpp"

#include <optional>

namespace clarke {

class FeasibilityWatch {
 public:
  static constexpr int kExaminations = 5, kRowsOfBudget = 3000;
  static constexpr double kWorse = 10;

  /// Reads its options from the database. `names` per entity; both must outlive it.
  FeasibilityWatch(const World& world, const Entities& entities, const std::vector<std::string>& names,
                   const ContactContributor& contacts);
  void describe(OptionVisitor& v) { options_.describe(v); }
  bool wanted() const { return options_.certify; }

  /// Of a step that did not converge, before it is accepted; evaluates `problem` elsewhere. Says what it finds in the
  /// report. Returns whether it looked.
  bool observe(StepProblem& problem, StepReport& report);
  /// Of the step that has begun.
  Infeasibility examine(StepProblem& problem) const;

  /// What was found in the step that failed, or in the first that has no solution.
  const std::optional<Infeasibility>& found() const { return found_; }
  /// For checkpoints.
  void carry_over(StateArchive& archive);
  /// "feasibility" of summary.json; null where there was neither.
  nlohmann::json record() const;

 private:
  void name_motions(const StepProblem& problem, Infeasibility& found) const;

  InfeasibilityOptions options_;
  const World& world_;
  const Entities& entities_;
  const std::vector<std::string>& names_;
  const ContactContributor& contacts_;
  std::optional<Infeasibility> found_;
  int step_ = 0, examinations_ = 0;
  double worst_ = 0;  // velocity error of the steps examined [m/s]
};

}  // namespace clarke
