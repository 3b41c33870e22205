#pragma once
// A contact problem made ready to solve: contributors, contact law, solver and judges, chosen by options; then solved once.
// What cases/model.hpp is for a scene. Every contact law, SNES and KSP type, form and start works on it unchanged.
//
// The iteration ends when the verdict's residual in the normalisation of -solve_measure (verdict/problem_residuals.hpp) is at
// most -solve_tolerance; PETSc's own limits and tolerances apply beside it. The residual-proportional shift is measured by the
// `scaled` residual. A warm start (-newton_start warm) begins at the last guess of the file, or at zero where there is none.

#include "framework/contact_problem.hpp"
#include "framework/contact_rows.hpp"
#include "framework/options.hpp"
#include "framework/step_problem.hpp"
#include "physics/given/given_problem.hpp"
#include "verdict/judge.hpp"
#include "verdict/problem_residuals.hpp"

#include <nlohmann/json_fwd.hpp>

namespace clarke {

struct ProblemOptions {
  std::string contact_law = "scalar";
  std::string measure = "siconos";
  double tolerance = 1e-8;
  void describe(OptionVisitor& v);
};

/// What came of one problem.
struct ProblemReport {
  int contacts = 0, velocities = 0, joint_rows = 0;
  double asymmetry = 0;  // of a given W
  bool solved = false;   // the residual of -solve_measure ≤ -solve_tolerance
  double seconds = 0;    // of the solution: without reading and building
  SolveResult result;
  ProblemResiduals residuals;
  std::vector<double> siconos_history;  // at every iterate the solver was judged at
};

class ProblemModel {
 public:
  /// Reads its options from the database. The problem must outlive it. Throws InputError for a choice that cannot work.
  explicit ProblemModel(const ContactProblem& problem);
  ~ProblemModel();

  ProblemReport solve();
  /// Of the last solve(), with velocities from the problem's own data.
  ProblemSolution solution();
  nlohmann::json resolved_options();
  StepProblem& step() { return *step_; }

 private:
  bool solved(const ProblemResiduals& residuals) const;
  void split_impulse(const View<double>& impulse, std::vector<double>& contact, std::vector<double>& joint) const;

  const ContactProblem& problem_;
  ProblemOptions options_;
  double asymmetry_ = 0;
  GivenProblem given_;
  ProblemJudge problem_judge_;
  State state_;
  std::unique_ptr<StepProblem> step_;
  std::unique_ptr<StepSolver> solver_;
  std::unique_ptr<Judge> judge_;
  std::shared_ptr<JointLaw> joint_law_;
  ContactLaw* law_ = nullptr;  // owned by step_
  View<Vec3> u_;
  View<double> impulse_;
  std::vector<double> contact_impulse_, joint_impulse_, history_;
};

}  // namespace clarke
