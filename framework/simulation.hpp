#pragma once
// A simulation and its time step, readable as the algorithm (docs/architecture.md, "One step"). Whoever sets it up, a
// scene, a problem file or a program, brings contributors, an integrator, a solver and a judge.
//
//   detect      integrator and contributors look at q⁻, u⁻:  context, candidates, gaps, whatever is lagged
//   lay out     extents → offsets → pattern                   only where the contact set changed
//   start       ũ, M, J at q⁻, W_rr, scalings
//   solve       F(u⁺, Λ) = 0                                  by the strategy; x begins at -newton_start
//   judge       the verdict at (u⁺, Λ)                        shares nothing with the solver
//   accept      q⁺, u⁺ become the state, impulses are remembered; or refuse: the state stays what it was
//
// A step that fails, or that leaves something `remaining`, is tried again from its start by each fallback in turn, as
// its user ordered; no strategy changes itself. One that none of them has solved is made in two halves where he ordered
// that, each with all of the above, and so on.

#include "framework/step_problem.hpp"

namespace clarke {

/// Another way to solve a step, for those that have failed.
struct Fallback {
  std::string name;
  std::unique_ptr<StepSolver> solver;
  /// Puts its options and its law in force as long as what it returns is alive.
  std::function<std::shared_ptr<void>()> put_in_force;
};

/// What goes on beside a step and takes no part in it: watches, readings.
class StepObserver {
 public:
  virtual ~StepObserver() = default;
  /// The step of length h [s] from `state` begins.
  virtual void begin_step(const State& /*state*/, double /*h*/) {}
  /// It has led to `state`. May warn, and count safeguards.
  virtual void end_step(const State& /*state*/, double /*h*/, StepReport& /*report*/) {}
  /// What it remembers from step to step, for checkpoints.
  virtual void carry_over(StateArchive&) {}
};

class Simulation {
 public:
  Simulation(State start, std::unique_ptr<StepProblem> problem);

  /// Begins a step of length h [s] and sets the solver up, without solving: whatever step() would refuse is refused.
  void prepare(double h);
  /// One step of length h [s]. One that fails in the end leaves the state as it was, and says so in the report.
  StepReport step(double h);

  /// Takes the step problem back to where the last step ended, after somebody has evaluated it elsewhere.
  void evaluate_last() { problem_->evaluate(u_, impulse_, false); }

  /// Everything the next step begins with that is neither the model nor an option: the state, and what contributors,
  /// solvers and observers remember.
  void carry_over(StateArchive& archive);

  StepProblem& problem() { return *problem_; }
  const StepProblem& problem() const { return *problem_; }
  StepSolver& solver() { return *solver_; }
  State& state() { return state_; }
  const State& state() const { return state_; }
  /// Steps accepted so far.
  int steps() const { return steps_; }
  /// Λ of the last step, accepted or not, all rows.
  const View<double>& impulse() const { return impulse_; }

  void set_solver(std::unique_ptr<StepSolver> solver) { solver_ = std::move(solver); }
  void add_fallback(Fallback fallback) { fallbacks_.push_back(std::move(fallback)); }
  /// In the order in which they are added; must outlive the simulation's last step.
  void add_observer(StepObserver& observer) { observers_.push_back(&observer); }
  /// The next step has the number after this one.
  void set_steps(int steps) { steps_ = steps; }

  /// The verdict at the last evaluated point, but for the energies and momenta of what moves.
  std::function<Verdict(const StepProblem&, const View<double>& impulse)> judge;
  /// How much the try of a step that ended just now has left unsolved, 0 for nothing: above that the next fallback is
  /// tried, and what left least is the step's result. Empty: whether it failed, and the last try is the result. Only
  /// for steps whose contacts do not change.
  std::function<double(const StepReport&)> remaining;
  /// Looks at a step that did not converge, before it is accepted: why. Returns whether it has evaluated the step
  /// elsewhere; may be empty.
  std::function<bool(StepProblem&, StepReport&)> examine;
  /// The overlap that is really there after an accepted step; may be empty, and may say nothing.
  std::function<std::optional<Residual>(int step, const State&)> geometry;
  /// How often a step is solved again with contacts that are found at its end, and how deep they have to be [m].
  int detect_again = 0;
  double detect_again_depth = 0;
  /// And how well it is solved by then: this depth over a time step [m].
  double detect_again_accuracy = 0;
  /// How often a step that did not converge is halved, and its halves.
  int halvings = 0;

  // Public: device lambdas may not live in private members.
  void leave_out_contacts(double length);

 private:
  /// From the state to time `end`, h later: accepted, made in halves, or refused.
  void advance(double h, double end, int halvings_left, StepReport& report);
  /// In halves, from the state before the try that `report` is of. If one fails the state is what it was.
  void advance_in_halves(double h, double end, int halvings_left, StepReport& report);
  /// One way from the start of the step to its verdict; adds its cost to the report.
  void attempt(StepSolver& solver, double h, StepReport& report);
  /// The same of one stage, or of a step that has none: of length h from `start`.
  void solve(StepSolver& solver, State& start, double h, StepReport& report);
  /// All stages of the step but for the end of the last one.
  void attempt_stages(StepSolver& solver, const std::vector<Stage>& stages, StepReport& report);
  /// What -fallback_sequence orders after the first try.
  void fall_back(double h, StepReport& report);
  void accept(double h, double end, StepReport& report);
  void count(double h, double begin, const StepReport& report);
  bool asks_again(StepReport& report);
  void set_up_stages();
  void carry_over_stages(StateArchive& archive);

  State state_;
  StepHistory history_;                // of integrators with stages
  State stage_, first_stage_;          // the present stage: its start, then its end; the end of the first one
  View<Vec3> acceleration_, turning_;  // of the last stage
  View<Vec3> contact_impulse_;
  std::unique_ptr<StepProblem> problem_;
  std::unique_ptr<StepSolver> solver_;
  std::vector<Fallback> fallbacks_;
  std::vector<StepObserver*> observers_;
  View<Vec3> u_;
  View<double> impulse_;
  Buffer<double> impulse_storage_{"impulse"};
  int steps_ = 0;
  long unconverged_ = 0;
  // time is a multiple of h, not a sum of h's: no drift; counted anew where h changes
  double h_ = 0, origin_ = 0;
  int steps_of_h_ = 0;
};

}  // namespace clarke
