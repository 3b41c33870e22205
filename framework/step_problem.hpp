#pragma once
// One time step as a nonlinear problem in x = (u⁺, Λ): what every strategy is given and all it may know.
//
//   residual   F(x) = (g, F_rows), un-lagged and pure in x
//   linearise  H, J, A, B at x (lagged by design)
// Unknowns are device views; the strategy owns them.

#include "framework/contributor.hpp"
#include "framework/integrator.hpp"
#include "framework/report.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace clarke {

/// Figures of the verdict at one iterate, cheap enough for every Newton iteration.
struct ResidualNorms {
  double velocity_error = 0;        // [m/s] Newton's measure
  double measure = 0;               // by which iterates are compared: the velocity error, or the caller's own
  double momentum_residual = 0;     // [√J]
  double natural_map = 0;           // [N s]
  double natural_map_relative = 0;  // [1]
  bool solved = false;              // a target of the caller's own is met: the iteration ends
  int changed_contacts = 0;         // contacts and bounded joint rows whose status changed since the last call
  /// Velocity error of each island and, last, of the blocks in none [m/s]; filled where islands are separate.
  std::vector<double> island_error;
};

/// Geometric stiffness of whole items: k × k blocks, row by row, of the items that couple their velocity blocks.
struct GeometricPairs {
  View<int> first;  // items + 1
  View<Mat3> block;
};

class StepProblem {
 public:
  /// `block_names`: the entity that owns each velocity block.
  StepProblem(Entities entities, std::vector<std::string> block_names,
              std::vector<std::unique_ptr<Contributor>> contributors, std::unique_ptr<Integrator> integrator);

  // A step begins with detect(), lay_out(), start(), in this order.
  /// Everybody looks at q⁻, u⁻: context, contacts, what is lagged. `state` stays referenced until end_step().
  void detect(State& state, double h, int step);
  /// A new pattern, where items or their blocks have changed.
  void lay_out();
  /// ũ, M, J at q⁻, W_rr and the scalings.
  void start();
  /// All three.
  void begin_step(State& state, double h, int step) {
    detect(state, h, step);
    lay_out();
    start();
  }
  /// Looks for contacts at the end of the step, q⁺(u), that the step was solved without; see
  /// Contributor::detect_again(). Where it returns more than 0, lay_out() and start() come next.
  int detect_again(const View<Vec3>& u, const View<double>& impulse, double tolerance);
  /// Options for whose sake a step with this solution is to be solved again; then lay_out() and start() come next.
  std::vector<std::string> again(const View<Vec3>& u, const View<double>& impulse);
  /// q⁺, J, F rows and g at (u, Λ); with `linearise` also A, B; F, A, B of cones and bounds stay as they were without
  /// `with_laws`. Reuses nothing: pure.
  void evaluate(const View<Vec3>& u, const View<double>& impulse, bool linearise, bool with_laws = true);
  /// From now on evaluate() is of a sub-problem of the contacts; null: of the step itself. Stays referenced.
  void set_contact_subproblem(const ContactSubproblem* subproblem) { subproblem_ = subproblem; }
  /// Whether A and B are to be dense whatever the laws of the rows: for strategies that write them themselves.
  void set_general_rows(bool general);
  /// Whether add_geometric_stiffness() is to add all of it: eq. G3 instead of G2.
  void set_whole_stiffness(bool whole);
  /// Angular accelerations by torques per block, zero of others [rad/s²]: where M and gyroscopic terms are those of the
  /// end of a stage (Integrator::mass_at_end), they are foreseen with these. Stays referenced.
  void foresee_turning(const View<Vec3>& acceleration) { turning_ = acceleration; }
  /// The next lay_out() lays out the system anew: laws may have become unsymmetric.
  void forget_layout() { has_layout_ = false; }
  /// H = M + geometric stiffness at the last evaluated point (see Contributor::geometric_stiffness) [eqs. G2, G3].
  void add_geometric_stiffness();
  /// The same where whole items have it: those that couple their velocity blocks fill `pairs`, and H is M with what the
  /// others add. [eq. G4]
  void add_geometric_stiffness(const GeometricPairs& pairs);
  /// Σ T du of whole items at the last linearisation, per slot: f in dual numbers where a contributor has that, else
  /// its T; zero of items without. `motion` is du as T wants it (SaddlePointSystem::turn). [eq. L8]
  const View<Vec3>& force_along(const View<Vec3>& du, const View<Vec3>& motion);
  /// Contributor::continuation_steps(), the most of them, and set_continuation() of them all.
  int continuation_steps() const;
  void set_continuation(int k);
  /// The step as it would be with that share of its length, from the same start and with the contacts it has: a
  /// problem on the way to it; 1 is the step itself. Does what start() does.
  void shorten(double share);
  /// JᵀΛ − f of contacts alone at the last evaluated point, per velocity block.
  void impulse_of_contacts(const View<double>& impulse, const View<Vec3>& out) const;
  /// Sets state to the solution and lets contributors remember what they need.
  void end_step(const View<Vec3>& u, const View<double>& impulse);
  /// What the contributors remember, for checkpoints.
  void carry_over(StateArchive& archive);

  SaddlePointSystem& system() { return system_; }
  const SaddlePointSystem& system() const { return system_; }
  /// The islands of the present layout, on the host.
  const IslandFinder& islands() const { return island_finder_; }
  const StepContext& context() const { return context_; }
  /// The same as contributor i sees it: the impulses of contacts may act over more than the stage.
  StepContext context(int i) const {
    StepContext out = context_;
    if (contributors_[i]->touches()) out.h *= integrator_->contact_weight();
    return out;
  }
  const Entities& entities() const { return entities_; }
  const State& state() const { return *state_; }
  Integrator& integrator() { return *integrator_; }
  const Integrator& integrator() const { return *integrator_; }
  /// Configuration of the last evaluate().
  const StepPoint& point() const { return point_; }
  int contributors() const { return static_cast<int>(contributors_.size()); }
  Contributor& contributor(int i) { return *contributors_[i]; }
  const Contributor& contributor(int i) const { return *contributors_[i]; }
  SystemSlice slice(int contributor) const;
  /// Contacts of the step.
  int contacts() const;
  /// Name of the item that owns a row, and of the entity that owns a velocity block.
  std::string row_name(int row) const;
  const std::string& block_name(int block) const { return block_names_[block]; }
  /// The first number of the last evaluated point that is not finite: " at body 'b1'", or "".
  std::string not_finite() const;
  /// Starting multipliers matched from the last step.
  void warm_start(const View<double>& impulse);
  /// u = ũ + M⁻¹ (Jᵀ Λ − f) with J at q⁻ and the forces of the last step. Right after start() only.
  void consistent_velocity(const View<double>& impulse, const View<Vec3>& u) const;
  /// Velocities as they are without joints and contacts, less the slip of contacts that are closed with them: where a
  /// step may start that ends in sticking.
  void sticking_velocity(const View<double>& impulse, const View<Vec3>& u);
  /// How often the safeguards of laws acted at the last linearisation, and all others in this step, by option name.
  void count_law_safeguards(std::map<std::string, long>& counts) const;
  void count_safeguards(std::map<std::string, long>& counts) const;

  /// Set by whoever builds the simulation: the verdict's cheap figures at the last evaluated point.
  std::function<ResidualNorms(const StepProblem&)> norms;

  // Public: device lambdas may not live in private members.
  void turn_hessian();
  void turn_friction_rows();
  void gather_geometric_stiffness();
  State state_of_mass();
  void tangents_along(int contributor, const View<Vec3>& motion);

 private:
  struct Range {
    int first_item = 0, items = 0, first_row = 0, rows = 0;
  };
  void rebuild_layout();

  Entities entities_;
  std::vector<std::string> block_names_;
  std::vector<std::unique_ptr<Contributor>> contributors_;
  std::unique_ptr<Integrator> integrator_;
  SaddlePointSystem system_;
  PatternBuilder builder_;
  IslandFinder island_finder_;
  PatternStorage pattern_storage_;
  ForceItemStorage force_storage_;
  std::vector<Range> ranges_;
  bool has_layout_ = false, general_rows_ = false, whole_stiffness_ = false;
  const ContactSubproblem* subproblem_ = nullptr;
  StepContext context_;
  double length_ = 0;  // of the step [s], whatever the present share of it
  State* state_ = nullptr;
  StepPoint point_;
  Buffer<Vec3> x_{"x+"};
  Buffer<Quat> orientation_{"orientation+"};
  Buffer<double> zero_impulse_{"zero_impulse"};
  Buffer<Mat3> stiffness_{"geometric_stiffness"}, turned_back_{"turned_back"};  // of a block: T⁻ᵀ
  Buffer<Vec3> force_along_{"force_along"};
  Buffer<Vec3> zero_velocity_{"zero_velocity"};
  Buffer<Quat> orientation_of_mass_{"orientation_of_mass"};
  Buffer<Vec3> velocity_of_mass_{"velocity_of_mass"};
  View<Vec3> turning_;
};

/// Throws InputError, naming the row, where a step in stages cannot have it: what is hard on one side strikes, and the
/// stages that follow, made of velocities before and after, would throw it back; what is rigid, where the integrator
/// says so.
void check_rows_of_stages(const StepProblem& problem);

/// What a strategy reports of one step.
struct SolveResult {
  int newton_iterations = 0, linear_iterations = 0;
  /// The same as means over the rows: an island that ends early costs fewer.
  double newton_iterations_per_row = 0, linear_iterations_per_row = 0;
  std::string reason;
  bool failed = false;
  std::vector<NewtonIteration> newton;
  std::vector<LinearIteration> linear;
  std::map<std::string, long> safeguards;
  double velocity_rounding = 0;  // what rounding leaves of the velocity error, where the step ended for that [m/s]
};

/// Where a step is nearly solved, a question on the way: is it still the same step? Once the velocity error is as small
/// as that [m/s], u and the impulses are written and `changed` is asked; where it has, the solve ends there.
struct Interim {
  double velocity_error = 0;  // 0: no question
  std::function<bool()> changed;
};

/// Solves one step problem; keeps its workspace from step to step.
class StepSolver {
 public:
  Interim interim;             // of the solves that follow
  bool further_round = false;  // and whether u, as they get it, is what the last round of the same step came to
  virtual ~StepSolver() = default;
  /// Writes A and B of all rows itself, and needs them dense.
  virtual bool general_rows() const { return false; }
  /// Asks for the whole geometric stiffness (StepProblem::set_whole_stiffness).
  virtual bool whole_stiffness() const { return false; }
  /// Makes everything ready for the step that has begun, as solve() would, and solves nothing. What cannot work is
  /// refused.
  virtual void prepare(StepProblem& problem) = 0;
  virtual SolveResult solve(StepProblem& problem, View<Vec3>& u, View<double>& impulse) = 0;
  /// A step begins, of one or several solves; and it failed: what the solver remembers is again what it was then.
  virtual void begin_step() {}
  virtual void undo_step() {}
  /// What it remembers from step to step, for checkpoints.
  virtual void carry_over(StateArchive&) {}
};

}  // namespace clarke
