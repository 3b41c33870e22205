#pragma once
// Solves a step problem by a PETSc SNES: any registered type (-snes_type), `nonsmooth_newton` unless told otherwise.
//
//   unknowns   x = (u⁺, Λ)
//   function   F = (S_u g, −S_h F_rows)        S fixed in the step, so that 2-norms are in √J
//   Jacobian   S [H −Jᵀ; −A J  −B]             a MatShell; its KSP (prefix outer_, preonly) acts through PC `reduction`
//
// Convergence is judged by the verdict's velocity error e [m/s], whatever the type: e ≤ -snes_atol, or e ≤ -snes_rtol · e₀.
// A used-up -snes_max_it is the reason "budget": accepted, or with -accept_budget false a failed step. A step fails on NaN, on a
// failed linear solve, and when e ends above -accept_velocity_error. With -islands on all this holds for each island.

#include "framework/options.hpp"
#include "framework/step_problem.hpp"
#include "ncp/strategies/gauss_seidel_sweeps.hpp"
#include "ncp/strategies/geometric_stiffness.hpp"
#include "ncp/strategies/island_stop.hpp"

#include <petscsnes.h>

namespace clarke {

struct StepOptions {
  std::string start = "warm";
  int start_sweeps = 0;
  bool accept_budget = true;
  double accept_velocity_error = 100;
  std::string geometric_stiffness = "none";
  bool islands = false;
  void describe(OptionVisitor& v) {
    v.choice("newton_start", start, {"zero", "unconstrained", "warm"},
             {"", "first iterate: zero, unconstrained (ũ, 0), or warm (the last step's impulses by contact, and the velocity they give)"});
    v.integer("newton_start_sweeps", start_sweeps,
              {"1", "Gauss-Seidel sweeps over the linearised step from that iterate before the iteration begins (100 "
                    "is the usual number for hard contact problems)", 0});
    v.flag("accept_budget", accept_budget,
           {"", "accept a step whose iteration budget is used up"});
    v.real("accept_velocity_error", accept_velocity_error,
           {"m/s", "a step that ends above this velocity error has failed", 0.0});
    v.choice("geometric_stiffness", geometric_stiffness, {"none", "secant", "exact"},
             {"", "geometric stiffness in H: none, the diagonal secant at fixed multiplier, or the exact second "
                  "derivatives of the constraints (blocks of each body, made positive semi-definite)"});
    v.flag("islands", islands,
           {"", "solve and stop every island (bodies that touch or are joined) on its own: Newton under "
                "nonsmooth_newton, and the linear solve under pcr and pcg"});
  }
};

class SnesStepSolver final : public StepSolver {
 public:
  SnesStepSolver();
  ~SnesStepSolver() override;
  SnesStepSolver(const SnesStepSolver&) = delete;
  SnesStepSolver& operator=(const SnesStepSolver&) = delete;

  void prepare(StepProblem& problem) override;
  SolveResult solve(StepProblem& problem, View<Vec3>& u, View<double>& impulse) override;
  void describe(OptionVisitor& visitor);
  SNES snes() const { return snes_; }
  /// -nsgs_sweeps Gauss-Seidel sweeps on the linearisation at x; x becomes the result. For the SNES type `nsgs`.
  void sweep(Vec x);
  /// Called after every linearisation of Newton's iteration; may be empty.
  std::function<void(const StepProblem& problem, int iteration)> linearised;

 private:
  void set_up(StepProblem& problem);
  void start(StepProblem& problem);
  void begin(StepProblem& problem);
  void evaluate(Vec x);
  const ResidualFigures& figures_of(Vec x);
  std::string failure(SNESConvergedReason reason, bool& failed);
  static PetscErrorCode function(SNES, Vec x, Vec f, void* self);
  static PetscErrorCode jacobian(SNES, Vec x, Mat j, Mat p, void* self);
  static PetscErrorCode converged(SNES, PetscInt it, PetscReal x, PetscReal y, PetscReal f,
                                  SNESConvergedReason* reason, void* self);
  static PetscErrorCode multiply(Mat mat, Vec x, Vec y);

  int sweep(Vec x, int sweeps);

  StepOptions options_;
  NsgsOptions sweep_options_;
  bool is_nsgs_ = false;
  GaussSeidelSweeps sweeps_;
  double damping_ = 1;  // of nonsmooth_newton, for the record
  SNES snes_ = nullptr;
  Vec x_ = nullptr, f_ = nullptr;
  Mat j_ = nullptr;
  StepProblem* problem_ = nullptr;
  std::uint64_t layout_stamp_ = 0;
  GeometricStiffness geometric_;
  IslandStop island_stop_;
  // Figures at the point evaluated last, for the test and the Jacobian that follows it.
  ResidualFigures figures_;
  // Where the problem was last evaluated: PETSc's identity and state of the vector.
  PetscObjectId evaluated_id_ = 0;
  PetscObjectState evaluated_state_ = -1;
  PetscObjectId judged_id_ = 0;
  PetscObjectState judged_state_ = -1;
  double first_error_ = 0, last_error_ = 0;
  SolveResult result_;
};

}  // namespace clarke
