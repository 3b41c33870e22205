#pragma once
// A contact problem made ready to solve: contributors, contact law, solver and judges, chosen by options; then solved
// as the one step of a simulation. What assembly/model.hpp is for a scene. Every contact law, SNES and KSP type, form
// and start works on it unchanged.
//
// The iteration ends when the verdict's residual in the normalisation of -solve_measure (verdict/problem_residuals.hpp)
// is at most -solve_tolerance; PETSc's own limits and tolerances apply beside it. The residual-proportional shift is
// measured by the `scaled` residual. The solver sees velocities and impulses divided by one number, so that the mean
// energy of a contact, |S q|², is 1 J: safeguards with the unit of an energy (-soc_smoothing) then mean the same in
// every problem, and nothing else changes. A warm start (-newton_start warm) begins at the last guess of the file, or
// at zero where there is none. What is not solved is solved anew by each recipe of -fallback_sequence in turn; of all
// tries the best by the residual of -solve_measure is the answer.

#include "assembly/contact_law_choice.hpp"
#include "assembly/fallback_sequence.hpp"
#include "assembly/system_dump.hpp"
#include "framework/contact_problem.hpp"
#include "framework/options.hpp"
#include "framework/row_law.hpp"
#include "framework/simulation.hpp"
#include "physics/matrix_problem/matrix_contributors.hpp"
#include "physics/matrix_problem/matrix_problem.hpp"
#include "verdict/conditioning.hpp"
#include "verdict/infeasibility.hpp"
#include "verdict/judge.hpp"
#include "verdict/problem_residuals.hpp"

#include <nlohmann/json_fwd.hpp>

namespace clarke {

struct ProblemOptions {
  std::string measure = "strict";
  double tolerance = 1e-8;
  void describe(OptionVisitor& v);
};

class SnesStepSolver;

/// What came of one problem.
struct ProblemReport {
  int contacts = 0, velocities = 0, joint_rows = 0;
  double asymmetry = 0;        // of a given W
  bool solved = false;         // the residual of -solve_measure ≤ -solve_tolerance, and the iteration did not fail
  double seconds = 0;          // of the solution: without reading and preparing
  double seconds_prepare = 0;  // of the layout, of PETSc's objects and of a first factorisation, which orders it
  StepReport step;
  ProblemResiduals residuals;
  std::optional<Infeasibility> infeasibility;  // of one that was not solved, or seems so by impulses that have grown
  std::vector<double> siconos_history;         // at every iterate the solver was judged at
};

class ProblemModel {
 public:
  /// Reads its options from the database. The problem must outlive it. Throws InputError for a choice that cannot work.
  explicit ProblemModel(const ContactProblem& problem);
  ~ProblemModel();

  /// `number`: of the problem among several, which is `step` in tables and for -dump_step.
  ProblemReport solve(int number = 1);
  /// Of the last solve(), with velocities from the problem's own data.
  ProblemSolution solution();
  /// After solve(): whether the problem has a solution; the step stays evaluated where the iteration ended.
  Infeasibility feasibility();
  /// Of the last solve(). Of a problem, velocities are those of M that a row acts on, none of a local problem, whose
  /// density is NaN; the mass ratio is that of the effective masses 1/W_nn of the contacts, as nobody knows which
  /// velocity is what.
  ConditioningCard conditioning() const;
  bool dumped() const { return !dump_.wanted() || dump_.written(); }
  nlohmann::json resolved_options();
  StepProblem& step() { return simulation_->problem(); }

 private:
  /// The residual that -solve_measure names.
  double measure_of(const ProblemResiduals& residuals) const;
  /// At the impulses where the step ended, which are split here.
  ProblemResiduals residuals_now();
  /// Whether that is a solution.
  bool solves(const ProblemResiduals& residuals, bool failed) const;
  std::unique_ptr<SnesStepSolver> make_solver();
  void add_fallbacks();
  void prepare();
  /// Impulses in N s from those of the step.
  void split_impulse(const View<double>& impulse, std::vector<double>& contact, std::vector<double>& joint) const;

  const ContactProblem& problem_;
  ContactLawChoice law_;
  ProblemOptions options_;
  InfeasibilityOptions infeasibility_options_;
  double asymmetry_ = 0, seconds_prepare_ = 0;
  ProblemJudge problem_judge_;
  double unit_;              // of velocities and impulses in the step: what is 1 there
  ContactProblem in_units_;  // the problem divided by it
  MatrixProblem given_;
  std::unique_ptr<Simulation> simulation_;
  Judge judge_;
  std::shared_ptr<RowLaw> joint_law_;
  MatrixContacts* contacts_ = nullptr;  // owned by the step problem
  FallbackSequence fallbacks_;
  SystemDump dump_;
  std::vector<double> contact_impulse_, joint_impulse_, history_;
};

}  // namespace clarke
