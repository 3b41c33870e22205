#pragma once
// Solves a step problem by a PETSc SNES: any registered type (-snes_type), `nonsmooth_newton` unless told otherwise.
//
//   unknowns   x = (u⁺, Λ)
//   function   F = (S_u g, −S_h F_rows)        S fixed in the step, so that 2-norms are in √J
//   Jacobian   S [H −Jᵀ; −A J  −B]             a MatShell; its KSP (prefix outer_, preonly) acts through PC `reduction`
//
// Convergence is judged by the verdict's velocity error e [m/s], whatever the type: e ≤ -snes_atol, or e ≤ -snes_rtol ·
// e₀. A used-up -snes_max_it is the reason "budget": accepted, or with -accept_budget false a failed step. A step fails
// on NaN, on a failed linear solve, and when e ends above -accept_velocity_error. With -islands on all this holds for
// each island.
//
// A type may have an inner SNES (prefix npc_): our outer iterations, and PETSc's anderson, ngmres, qn, … It shares F,
// the Jacobian and the test; Newton iterations are then counted inside, and the record has a row for each outer
// iterate.

#include "framework/linear_exchange.hpp"
#include "framework/options.hpp"
#include "framework/step_problem.hpp"
#include "ncp/strategies/gauss_seidel_sweeps.hpp"
#include "ncp/strategies/geometric_stiffness.hpp"
#include "ncp/strategies/island_stop.hpp"
#include "ncp/strategies/sub_problem.hpp"

#include <petsc/private/petscimpl.h>
#include <petscsnes.h>

#include <stdexcept>

namespace clarke {

struct StepOptions {
  std::string start = "warm";
  int start_sweeps = 0;
  bool accept_budget = true;
  double accept_velocity_error = 100;
  double natural_map_tolerance = 1e300;
  std::string geometric_stiffness = "none";
  std::string jacobian_product = "assembled";
  bool islands = false;
  bool keep_best_iterate = false;
  int continuation = 0;
  double continuation_tolerance = 1e-4;
  bool output_linear = false;
  void describe(OptionVisitor& v) {
    v.choice("newton_start", start, {"zero", "unconstrained", "sticking", "previous", "warm", "nearest"},
             {"",
              "first iterate: zero, unconstrained (ũ, 0), sticking (that less the slip of contacts that close), "
              "previous (the last step's velocity and impulses), warm "
              "(its impulses, and the velocity they give), or nearest: warm, or that one of the others whose "
              "velocity error is ten times smaller"});
    v.integer("newton_start_sweeps", start_sweeps,
              {"1",
               "Gauss-Seidel sweeps over the linearised step from that iterate before the iteration begins (100 "
               "is the usual number for hard contact problems)",
               0});
    v.flag("accept_budget", accept_budget, {"", "accept a step whose iteration budget is used up"});
    v.real("accept_velocity_error", accept_velocity_error,
           {"m/s", "a step that ends above this velocity error has failed", 0.0});
    v.real("natural_map_tolerance", natural_map_tolerance,
           {"1", "a step has converged only if its relative natural map is at most this, too", 0.0});
    v.choice("geometric_stiffness", geometric_stiffness, {"none", "secant", "exact", "full"},
             {"",
              "geometric stiffness in H: none, the diagonal secant at fixed multiplier, the exact second "
              "derivatives of the constraints (blocks of each body, made positive semi-definite), or all of them in "
              "full (between bodies, too, and as they are), with which Newton's matrix is a derivative; H is "
              "unsymmetric then"});
    v.choice("jacobian_product", jacobian_product, {"assembled", "dual_numbers"},
             {"",
              "products with Newton's matrix that -outer_ksp_type asks for: of what is assembled, or by forces without "
              "rows in dual numbers; what is assembled is the preconditioner then, or with -outer_pc_type none not "
              "used at all"});
    v.flag("islands", islands,
           {"",
            "solve and stop every island (bodies that touch or are joined) on its own: Newton under "
            "nonsmooth_newton, and the linear solve under pcr and pcg"});
    v.flag("keep_best_iterate", keep_best_iterate,
           {"",
            "a solve that does not converge ends at its best iterate, by what its tolerance measures, and not at its "
            "last; counted"});
    v.integer("newton_continuation", continuation,
              {"1",
               "a step whose strategy is lost (ssnal: linearisations that lead nowhere) is solved anew by continuation "
               "in its length, in so many steps of growing length from the same start, each from where the one before "
               "ended; counted; 0: never",
               0, 1000});
    v.real("newton_continuation_tolerance", continuation_tolerance,
           {"m/s", "velocity error to which the shorter ones are solved", 0.0});
    v.flag(
        "output_linear", output_linear,
        {"",
         "write linear.csv: the residual norm of every linear iteration, as the method monitors it (-ksp_norm_type)"});
  }
};

/// A vector of PETSc with the values it had at a moment: its identity and state.
struct VecPoint {
  PetscObjectId id = 0;
  PetscObjectState state = -1;
  VecPoint() = default;
  explicit VecPoint(Vec x) {
    if (PetscObjectGetId((PetscObject)x, &id) || PetscObjectStateGet((PetscObject)x, &state))
      throw std::runtime_error("PETSc does not know a vector of its own");
  }
  bool operator==(const VecPoint&) const = default;
};

/// How an inner solve ended.
struct InnerSolve {
  bool converged;
  int iterations;
};

class SnesStepSolver final : public StepSolver {
 public:
  SnesStepSolver();
  ~SnesStepSolver() override;
  SnesStepSolver(const SnesStepSolver&) = delete;
  SnesStepSolver& operator=(const SnesStepSolver&) = delete;

  void prepare(StepProblem& problem) override;
  SolveResult solve(StepProblem& problem, View<Vec3>& u, View<double>& impulse) override;
  /// Where nothing solves with H, nothing is to be coupled in it.
  bool whole_stiffness() const override { return solves_ && options_.geometric_stiffness == "full"; }
  void carry_over(StateArchive& archive) override;
  void begin_step() override;
  void undo_step() override;
  bool general_rows() const override { return !exchange_.row_writer.empty(); }
  void describe(OptionVisitor& visitor);
  SNES snes() const { return snes_; }
  /// -nsgs_sweeps Gauss-Seidel sweeps on the linearisation at x; x becomes the result. For the SNES type `nsgs`.
  void sweep(Vec x);
  /// The same on a first iterate: at most `sweeps`, as long as ten lower what they change to `progress` of it, with H
  /// of the forces there, or M where there are none; how many were made.
  int sweep_first(Vec x, int sweeps, double progress);
  /// Called after every linearisation of Newton's iteration; may be empty.
  std::function<void(const StepProblem& problem, int iteration)> linearised;

  // For outer iterations.
  /// The verdict's velocity error at x, of the sub-problem if one has begun.
  double velocity_error(Vec x) { return norms_of(x).velocity_error; }
  /// Whether the point judged last meets the tolerance of the relative natural map, and this velocity error [m/s].
  bool solved_to(double velocity_error) const;
  /// From now on F is of the proximal problem around the impulses of x; of the associated problem with s at x; of the
  /// step again.
  void begin_proximal(Vec x, double alpha);
  void begin_associated(Vec x);
  void end_sub_problem();
  /// Solves by the inner SNES from x to a velocity error of `target`, in the iterations of -npc_snes_max_it, or else in
  /// `iterations`.
  InnerSolve solve_inner(Vec x, double target, PetscInt iterations);
  /// For the step's report.
  void count(const char* what, long times = 1) { result_.safeguards[what] += times; }
  /// The step ends at what rounding makes of its velocity error, `bound` [m/s] at most; counted as that option.
  void ends_at_rounding(const char* option, double bound) {
    count(option);
    result_.velocity_rounding = bound;
  }
  /// As long as it is set, an evaluation is of F only: a trial of a line search that may not be taken.
  void set_trial(bool trial) { trial_ = trial; }
  /// Step length of the Newton step to come, for the record.
  void set_damping(double damping) { damping_ = damping; }
  StepProblem& problem() { return *problem_; }
  const StepProblem& problem() const { return *problem_; }
  /// F at x, and with `linearise` also A and B, unless it is there already. Without `with_laws` J and forces only, for
  /// types that write A and B themselves.
  void evaluate(Vec x, bool linearise, bool with_laws = true);
  /// Both, and H with its geometric stiffness, for types that linearise where their iterate is not.
  void linearise(Vec x, bool with_laws = true);
  /// The system is no longer that of the last evaluation.
  void forget_evaluation() {
    evaluated_ = judged_ = linearised_ = {};
    linearised_vector_ = nullptr;
  }
  const LinearExchange& exchange() const { return exchange_; }
  /// What a type that solves linear systems of its own says of them.
  LinearReport& linear_report() { return exchange_.report; }
  /// A strategy that is lost asks for continuation, and ends where it gets it. Once in a solve.
  bool ask_continuation() { return asked_ = !continuing_ && options_.continuation > 1; }
  /// Whether contacts were found at what another solve of this step came to.
  bool has_last_round() const { return last_round_.extent(0) > 0; }
  /// What is solved is not the step, but a shorter one on the way to it.
  bool shortened() const { return shortened_; }
  /// Whether the solve ends before the step is solved, with a question (Interim).
  bool interim_solve() const { return interim_; }
  /// And whether it goes on from there.
  bool goes_on() const { return goes_on_; }
  /// x := one of the choices of -newton_start, or "round", where there is a last one: its velocities and impulses.
  void start_at(const std::string& where, Vec x);

 private:
  void set_up_types();
  void check_islands() const;
  void check_jacobian_product(SNES worker) const;
  void set_up(StepProblem& problem);
  void start();
  void begin(StepProblem& problem);
  /// The easier problems that lead to the step's own, from x to x.
  void continue_to_step(StepProblem& problem);
  /// The step as the last one of a row of steps that grow (length_continuation.cpp).
  PetscErrorCode continue_in_length(StepProblem& problem);
  double natural_map_tolerance() const;
  /// What comes of the question on the way (Interim): the solve goes on from x; it has not come so far; it is over.
  enum class OnTheWay { go_on, unsolved, another_step };
  OnTheWay ask_on_the_way(View<Vec3>& u, View<double>& impulse);
  void write_result(View<Vec3>& u, View<double>& impulse);
  void take_safeguards();
  const ResidualNorms& norms_of(Vec x);
  static PetscErrorCode function(SNES, Vec x, Vec f, void* self);
  static PetscErrorCode jacobian(SNES, Vec x, Mat j, Mat p, void* self);
  static PetscErrorCode converged(SNES, PetscInt it, PetscReal x, PetscReal y, PetscReal f, SNESConvergedReason* reason,
                                  void* self);
  static PetscErrorCode multiply(Mat mat, Vec x, Vec y);
  /// A row of newton.csv from the figures at the iterate, and what the solve that led there says.
  void record_iterate(int it, double function_norm);
  /// Keeps x where it is the best so far.
  PetscErrorCode keep_best(Vec x);
  /// Goes back to the best iterate where the last one is worse.
  void return_to_best();
  /// Whether the iteration ends there, by the verdict's velocity error.
  SNESConvergedReason reason_at(int it, double atol, double rtol);

  int sweep(Vec x, const SweepPlan& plan);
  /// Hands the norms of the solve that began at the last recorded iterate to the result.
  void keep_linear_history();
  StepOptions options_;
  NsgsOptions sweep_options_;
  int continued_ = 0;   // iterations of the easier problems before
  bool asked_ = false;  // for continuation in length
  bool continuing_ = false, shortened_ = false;
  bool interim_ = false, goes_on_ = false;  // on the way to the question, and from there
  bool sweeps_only_ = false;                // iterates by sweeps
  bool solves_ = true;                      // linear systems
  bool compliant_ = false;                  // wants rows that give way
  bool explicit_mass_ = false;              // wants H = M
  bool uses_sweeps_ = false;
  GaussSeidelSweeps sweeps_;
  double damping_ = 1;  // of nonsmooth_newton, for the record
  SNES snes_ = nullptr;
  SNES inner_ = nullptr;  // of snes_, owned by it
  double inner_target_ = 0;
  SubProblem sub_problem_;
  Vec x_ = nullptr, f_ = nullptr;
  Vec best_ = nullptr;       // the best iterate of the solve, and what it measured
  double best_measure_ = 0;  // infinite: there is none
  Mat j_ = nullptr;
  StepProblem* problem_ = nullptr;
  View<Vec3> last_round_;  // its velocities, in a further round of the step's contacts; else empty
  std::uint64_t layout_stamp_ = 0;
  LinearExchange exchange_;  // with the linear solver
  GeometricStiffness geometric_;
  IslandStop island_stop_;
  // Figures at the point evaluated last, for the test and the Jacobian that follows it.
  ResidualNorms norms_;
  VecPoint evaluated_, judged_, linearised_;        // where F, the figures and the Jacobian were made last
  bool has_linearised_ = false, has_laws_ = false;  // A and B, and F, are those of evaluated_
  bool trial_ = false;
  Vec linearised_vector_ = nullptr;
  double first_error_ = 0, last_error_ = 0;
  SolveResult result_;
};

}  // namespace clarke
