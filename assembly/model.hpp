#pragma once
// A World made ready to run: entities, mass, joints, contacts, integrator, solver and judge, chosen by options. This is
// where all layers meet; it holds no physics and no numerics of its own, and the step is that of
// framework/simulation.hpp.

#include "assembly/contact_law_choice.hpp"
#include "assembly/fallback_sequence.hpp"
#include "assembly/feasibility_watch.hpp"
#include "assembly/geometric_solids.hpp"
#include "assembly/initial_configuration.hpp"
#include "assembly/initial_overlaps.hpp"
#include "assembly/step_halving.hpp"
#include "assembly/step_observers.hpp"
#include "assembly/system_dump.hpp"
#include "framework/frame.hpp"
#include "framework/simulation.hpp"
#include "physics/contact/contact_contributor.hpp"
#include "physics/contact/penalty_options.hpp"
#include "physics/description/world.hpp"
#include "physics/joints/joint_relaxation.hpp"
#include "physics/rigid/bodies.hpp"
#include "physics/soft/soft_options.hpp"
#include "physics/volumes/volume_law.hpp"
#include "verdict/judge.hpp"

#include <nlohmann/json_fwd.hpp>

namespace clarke {

struct ModelOptions {
  std::string integrator = "implicit_euler";
  ContactLawChoice law;
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
  /// Everything the next step begins with that is neither the world nor an option, for checkpoints.
  void carry_over(StateArchive& archive);
  /// The present state; contacts are those of the last step.
  Frame frame() const;
  /// Surfaces that the frames' bodies refer to.
  std::vector<Surface> surfaces() const;
  /// Every option of the selected parts with the value in force.
  nlohmann::json resolved_options();

  Simulation& simulation() { return *simulation_; }
  const State& state() const { return simulation_->state(); }
  StepProblem& problem() { return simulation_->problem(); }
  const Judge& judge() const { return judge_; }
  const World& world() const { return world_; }
  /// How the model was brought to its start.
  const InitialConfiguration& initial() const { return initial_; }
  const InitialOverlaps& overlaps() const { return overlaps_; }
  /// Redundant and contradictory joints at the present configuration.
  ConstraintRank constraint_rank() const { return initial_.rank(simulation_->problem(), simulation_->state()); }
  /// Whether the step that has begun has a solution, and what contradicts; nothing where nobody wants to know.
  std::optional<Infeasibility> feasibility();
  const FeasibilityWatch& feasibility_watch() const { return *feasibility_; }
  const SystemDump& dump() const { return dump_; }
  int steps() const { return simulation_->steps(); }
  /// Impulses of the last step, all rows.
  const View<double>& impulse() const { return simulation_->impulse(); }

 private:
  /// Fills entities_, and gives the state they start from.
  State build_entities();
  /// In the order of the rows: bodies, joints, elements, contacts.
  std::vector<std::unique_ptr<Contributor>> build_contributors();
  void add_bodies(const EntityLookup& lookup, std::vector<std::unique_ptr<Contributor>>& contributors);
  void add_joints(const EntityLookup& lookup, std::vector<std::unique_ptr<Contributor>>& contributors);
  void add_elements(std::vector<std::unique_ptr<Contributor>>& contributors);
  void add_contacts(const std::vector<EntityPair>& apart, std::vector<std::unique_ptr<Contributor>>& contributors);
  std::unique_ptr<PenaltyContacts> penalty_contacts(const ContactFriction& cones) const;
  /// Pairs that a joint ties and that do not touch for it.
  std::vector<EntityPair> jointed_pairs(const EntityLookup& lookup) const;
  /// The one law of all bounded rows, made when it is asked for.
  const std::shared_ptr<RowLaw>& joint_law();
  std::unique_ptr<Integrator> make_integrator() const;
  void share_surfaces();
  void settle_overlaps();
  void look_at_geometry();
  void add_fallbacks();
  std::string explain(const StepReport& report) const;
  std::vector<FrameContact> frame_contacts() const;
  std::vector<FrameJoint> frame_joints(const HostPoses& poses, const std::vector<Twist>& twists) const;
  void read_poses(HostPoses& poses) const;

  World world_;
  double h_;
  ModelOptions options_;
  BodyOptions body_options_;
  ContactOptions contact_options_;
  WarmStartOptions warm_start_options_;
  ContactSlop contact_slop_;
  NearRigidOptions near_rigid_;
  ComplianceOptions compliance_options_;
  PenaltyOptions penalty_options_;
  JointRelaxationOptions joint_relaxation_;
  FrictionOptions friction_options_;
  RestitutionOptions restitution_options_;
  GeometricOptions geometric_options_;
  DetectAgainOptions detect_again_options_;
  StepHalvingOptions step_halving_;
  SoftOptions soft_options_;
  InitialConfiguration initial_;
  InitialOverlaps overlaps_;
  SystemDump dump_;
  Entities entities_;
  std::vector<double> mass_;          // per entity
  std::vector<double> mass_damping_;  // per entity
  std::vector<Mat3> inertia_;         // per body
  std::vector<EntityBlocks> block_of_;
  std::vector<std::string> names_;  // per entity
  std::vector<int> surface_of_;     // per body: index into surfaces(), -1 without a shape
  std::vector<int> surface_body_;   // per surface: a body that has it
  std::unique_ptr<Simulation> simulation_;
  FallbackSequence fallbacks_;
  Judge judge_;
  std::unique_ptr<GeometricVerdict> geometry_;  // null with -verdict_geometry 0
  bool geometry_looked_ = false;                // at the poses of the present state
  std::unique_ptr<TunnellingObserver> tunnelling_;
  std::unique_ptr<FeasibilityWatch> feasibility_;
  std::vector<std::pair<std::vector<int>, const Volumes*>> volume_pools_;  // volumes of the world, owned likewise
  std::vector<std::pair<int, const JointPool*>> joint_pools_;  // contributor index, owned by the step problem
  std::shared_ptr<RowLaw> joint_law_;                          // null where no row of a joint is bounded
  JointReadings readings_;
  ContactContributor* contacts_ = nullptr;  // owned by the step problem
};

}  // namespace clarke
