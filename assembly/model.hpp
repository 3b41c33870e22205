#pragma once
// A World made ready to run: entities, mass, joints, contacts, integrator, solver and judge, chosen by options; then
// stepped. This is where all layers meet; it holds no physics and no numerics of its own.

#include "assembly/fallback_sequence.hpp"
#include "assembly/initial_configuration.hpp"
#include "assembly/initial_overlaps.hpp"
#include "assembly/system_dump.hpp"
#include "framework/frame.hpp"
#include "framework/step_problem.hpp"
#include "physics/contact/contact_contributor.hpp"
#include "physics/contact/tunnelling.hpp"
#include "physics/joints/joint_reading.hpp"
#include "physics/rigid/bodies.hpp"
#include "physics/soft/soft_options.hpp"
#include "physics/world.hpp"
#include "verdict/judge.hpp"

#include <nlohmann/json_fwd.hpp>

namespace clarke {

struct ModelOptions {
  std::string integrator = "implicit_euler";
  std::string contact_law = "decoupled";
  bool explain = false;
  void describe(OptionVisitor& v);
};

class Model {
 public:
  /// Reads all options from the database. Throws InputError for a model or a choice that cannot work.
  Model(const World& world, double time_step);
  ~Model();

  /// Begins the first step and sets the solvers up, without solving: whatever run would refuse is refused. Returns the
  /// contacts.
  int prepare();
  /// One time step. A failed step is tried again with the recipes of -fallback_sequence; one that fails in the end
  /// leaves the state as it was and says so in the report.
  StepReport step();
  /// The present state; contacts are those of the last step.
  Frame frame() const;
  /// Surfaces that the frames' bodies refer to.
  std::vector<Surface> surfaces() const;
  /// Every option of the selected parts with the value in force.
  nlohmann::json resolved_options();

  const State& state() const { return state_; }
  StepProblem& problem() { return *problem_; }
  StepSolver& solver() { return *solver_; }
  const Judge& judge() const { return *judge_; }
  const World& world() const { return world_; }
  /// How the model was brought to its start.
  const InitialConfiguration& initial() const { return initial_; }
  const InitialOverlaps& overlaps() const { return overlaps_; }
  /// What the last step has to say to the user, a line each: bodies that could have tunnelled, each once in a run.
  const std::vector<std::string>& warnings() const { return warnings_; }
  /// Redundant and contradictory joints at the present configuration.
  ConstraintRank constraint_rank() const { return initial_.rank(*problem_, state_); }
  const SystemDump& dump() const { return dump_; }
  int steps() const { return steps_; }
  /// Impulses of the last step, all rows.
  const View<double>& impulse() const { return impulse_; }
  /// Mass [kg] of an entity; 0 where it cannot move.
  double mass(int entity) const { return bodies_->mass_of(entity); }

 private:
  void build_entities();
  void build_contributors();
  void share_surfaces();
  void settle_overlaps();
  /// Counts and names the bodies that the last step took further than detection had foreseen.
  void watch_tunnelling(StepReport& report);
  void build_ladder();
  /// Solves and judges the step from its start; adds the cost to the report.
  void attempt(StepSolver& solver, StepReport& report);
  /// The same by the solver and the law of a recipe.
  void attempt(FallbackSequence::Fallback& fallback, StepReport& report);
  /// The first thing with a number that is not finite, by name: " at body 'b1'", or "".
  std::string not_finite() const;
  std::string explain(const StepReport& report) const;
  std::vector<FrameContact> frame_contacts() const;
  std::vector<FrameJoint> frame_joints(const HostPoses& poses, const std::vector<Twist>& twists) const;
  void read_poses(HostPoses& poses) const;
  /// Winding angles go on from the present state.
  void remember_readings();

  World world_;
  double h_;
  ModelOptions options_;
  BodyOptions body_options_;
  ContactOptions contact_options_;
  WarmStartOptions warm_start_options_;
  ComplianceOptions compliance_options_;
  FrictionOptions friction_options_;
  SoftOptions soft_options_;
  InitialConfiguration initial_;
  InitialOverlaps overlaps_;
  SystemDump dump_;
  Entities entities_;
  State state_;
  std::vector<double> mass_;          // per entity
  std::vector<double> mass_damping_;  // per entity
  std::vector<Mat3> inertia_;         // per body
  std::vector<EntityBlocks> block_of_;
  std::vector<std::string> names_;        // per entity
  std::vector<std::string> block_names_;  // per velocity block: its entity
  std::vector<int> surface_of_;           // per body: index into surfaces(), -1 without a shape
  std::vector<int> surface_body_;         // per surface: a body that has it
  std::unique_ptr<StepProblem> problem_;
  std::unique_ptr<StepSolver> solver_;
  FallbackSequence fallbacks_;
  std::unique_ptr<Judge> judge_;
  std::unique_ptr<TunnellingWatch> tunnelling_;
  std::vector<std::string> warnings_;
  Bodies* bodies_ = nullptr;                                   // owned by problem_
  std::vector<std::pair<int, const JointPool*>> joint_pools_;  // contributor index, owned by problem_
  std::shared_ptr<RowLaw> joint_law_;                          // null where no row of a joint is bounded
  std::vector<JointReading> readings_;                         // per joint: its coordinates
  HostPoses poses_;                                            // kept, so that no step allocates it
  ContactContributor* contacts_ = nullptr;                     // owned by problem_
  View<Vec3> u_;
  View<double> impulse_;
  Buffer<double> impulse_storage_{"impulse"};
  int steps_ = 0;
};

}  // namespace clarke
