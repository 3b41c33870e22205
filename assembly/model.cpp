#include "assembly/model.hpp"

#include "framework/fixed_scheme.hpp"
#include "framework/option_database.hpp"
#include "framework/state_archive.hpp"
#include "framework/text.hpp"
#include "integrators/register.hpp"
#include "ncp/contact_laws/decoupled.hpp"
#include "ncp/joint_laws/mixed_complementarity.hpp"
#include "ncp/strategies/snes_step_solver.hpp"
#include "physics/attachments/attachments.hpp"
#include "physics/cloth/bending.hpp"
#include "physics/cloth/strain_rows.hpp"
#include "physics/collision/mass_properties.hpp"
#include "physics/contact/penalty_contacts.hpp"
#include "physics/contact/rolling_resistance.hpp"
#include "physics/register.hpp"
#include "physics/soft/soft_regions.hpp"
#include "physics/volumes/volume_law.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace clarke {

void ModelOptions::describe(OptionVisitor& v) {
  v.choice("integrator", integrator, integrator_registry().names(), {"", "time discretisation"});
  law.describe(v);
  v.flag("explain", explain, {"", "say why a step stalled: worst contact or joint, what changed, the linear solve"});
}

Model::~Model() = default;

namespace {

/// Into the options database, what the integrator's steps are solved by, where they are solved in one way only.
void take_solver_options(const Integrator& integrator, const std::string& name) {
  const FixedScheme* scheme = integrator.fixed_scheme();
  if (!scheme) return;
  for (const auto& [option, value] : scheme->solver_options()) {
    const auto asked = database_value(option);
    if (asked && *asked != value && !only_preset_says(option))
      throw InputError("-" + option + " " + *asked + ": steps of -integrator " + name +
                       " are solved in one way only: expected " + value + ", or -integrator implicit_euler");
    set_database_option(option, value);
  }
}

}  // namespace

Model::Model(const World& world, double time_step) : world_(world), h_(time_step) {
  read_options(options_);
  read_options(body_options_);
  read_options(contact_options_);
  read_options(warm_start_options_);
  read_options(contact_slop_);
  read_options(near_rigid_);
  read_options(compliance_options_);
  read_options(penalty_options_);
  read_options(joint_relaxation_);
  read_options(friction_options_);
  read_options(restitution_options_);
  read_options(geometric_options_);
  read_options(detect_again_options_);
  read_options(step_halving_);
  read_options(soft_options_);
  const State start = build_entities();
  std::vector<std::unique_ptr<Contributor>> contributors = build_contributors();
  std::vector<std::string> block_names(entities_.blocks);
  for (int e = 0; e < entities_.count; ++e)
    for (int b : {block_of_[e].v, block_of_[e].w})
      if (b >= 0) block_names[b] = names_[e];
  simulation_ = std::make_unique<Simulation>(
      start,
      std::make_unique<StepProblem>(entities_, std::move(block_names), std::move(contributors), make_integrator()));
  simulation_->judge = [this](const StepProblem& p, const View<double>& impulse) { return judge_.judge(p, impulse); };
  problem().norms = [this](const StepProblem& p) { return judge_.norms(p); };
  const bool once = problem().integrator().velocity_level() || problem().integrator().fixed_scheme() != nullptr;
  simulation_->detect_again = once ? 0 : detect_again_options_.times;
  simulation_->detect_again_depth = detect_again_options_.depth;
  simulation_->detect_again_accuracy = detect_again_options_.accuracy * detect_again_options_.depth;
  simulation_->halvings = step_halving_.times;
  look_at_geometry();
  feasibility_ = std::make_unique<FeasibilityWatch>(world_, entities_, names_, *contacts_);
  simulation_->examine = [this](StepProblem& p, StepReport& report) { return feasibility_->observe(p, report); };
  share_surfaces();
  initial_.settle(problem(), simulation_->state(), names_);
  settle_overlaps();
  readings_.remember(state());
  simulation_->add_observer(*tunnelling_);
  simulation_->add_observer(readings_);
  take_solver_options(problem().integrator(), options_.integrator);
  auto solver = std::make_unique<SnesStepSolver>();
  if (dump_.wanted())
    solver->linearised = [this](const StepProblem& problem, int iteration) { dump_.linearised(problem, iteration); };
  simulation_->set_solver(std::move(solver));
  add_fallbacks();
}

namespace {

/// Mass and inertia in the body frame of a dynamic body.
void body_mass(const BodyDescription& b, const World& world, double& mass, Mat3& inertia) {
  const std::string owner = "body '" + b.name + "'";
  const MassProperties shape = mass_properties(b.shape, owner);
  const auto material = world.materials.find(b.material);
  const double density = material != world.materials.end() ? material->second.density : MaterialDescription{}.density;
  if (!b.mass && !(shape.volume > 0))
    throw InputError(owner + ": has no volume to take its mass from; give mass and inertia");
  mass = b.mass ? *b.mass : density * shape.volume;
  if (b.inertia) {
    inertia = inertia_tensor(b);
  } else {
    if (!(shape.volume > 0)) throw InputError(owner + ": has no volume to take its inertia from; give inertia");
    inertia = (mass / shape.volume) * shape.inertia_per_density;
  }
}

}  // namespace

State Model::build_entities() {
  const int bodies = static_cast<int>(world_.bodies.size());
  const int count = bodies + static_cast<int>(world_.particles.size());
  if (count == 0) throw InputError("the scene has no bodies and no particles");
  std::vector<Vec3> x(count), u;
  std::vector<Quat> q(bodies);
  std::vector<Twist> prescribed(count);
  block_of_.resize(count);
  mass_.assign(count, 0);
  mass_damping_.assign(count, 0);
  inertia_.assign(bodies, Mat3::identity());
  for (int e = 0; e < bodies; ++e) {
    const BodyDescription& b = world_.bodies[e];
    names_.push_back(b.name);
    x[e] = b.position;
    q[e] = normalized(b.orientation);
    if (b.motion == Motion::prescribed) prescribed[e] = {b.velocity, b.angular_velocity};
    if (b.motion != Motion::dynamic) continue;
    body_mass(b, world_, mass_[e], inertia_[e]);
    block_of_[e] = {static_cast<int>(u.size()), static_cast<int>(u.size()) + 1};
    u.push_back(b.velocity);
    u.push_back(b.angular_velocity);
  }
  for (int e = bodies; e < count; ++e) {
    const ParticleDescription& p = world_.particles[e - bodies];
    names_.push_back(p.name);
    x[e] = p.position;
    if (p.fixed) continue;
    mass_[e] = p.mass;
    mass_damping_[e] = p.mass_damping;
    block_of_[e] = {static_cast<int>(u.size()), -1};
    u.push_back(p.velocity);
  }
  entities_.bodies = bodies;
  entities_.count = count;
  entities_.blocks = static_cast<int>(u.size());
  entities_.block_of = to_device("block_of", block_of_);
  entities_.prescribed = to_device("prescribed", prescribed);
  State start;
  start.x = to_device("x", x);
  start.orientation = to_device("orientation", q);
  start.u = to_device("u-", u);
  return start;
}

std::vector<std::unique_ptr<Contributor>> Model::build_contributors() {
  std::vector<std::unique_ptr<Contributor>> contributors;
  EntityLookup lookup;
  for (int e = 0; e < entities_.count; ++e) {
    lookup.index[names_[e]] = e;
    lookup.pose.push_back(e < entities_.bodies
                              ? Pose{world_.bodies[e].position, normalized(world_.bodies[e].orientation)}
                              : Pose{world_.particles[e - entities_.bodies].position, Quat{}});
  }
  lookup.joints = world_.joints;
  add_bodies(lookup, contributors);
  const std::vector<EntityPair> apart = jointed_pairs(lookup);
  add_joints(lookup, contributors);
  add_elements(contributors);
  add_contacts(apart, contributors);
  return contributors;
}

void Model::add_bodies(const EntityLookup& lookup, std::vector<std::unique_ptr<Contributor>>& contributors) {
  std::vector<int> loaded;
  for (const LoadDescription& load : world_.loads) {
    const auto entity = lookup.index.find(load.body);
    if (entity == lookup.index.end())
      throw InputError("load '" + load.name + "': unknown body or particle '" + load.body + "'" +
                       suggestion(load.body, names_));
    loaded.push_back(entity->second);
  }
  contributors.push_back(std::make_unique<Bodies>(entities_, mass_, inertia_, mass_damping_, world_.gravity,
                                                  Loads(entities_, world_.loads, loaded), body_options_));
}

std::vector<EntityPair> Model::jointed_pairs(const EntityLookup& lookup) const {
  std::set<EntityPair> out;
  for (const JointDescription& j : world_.joints) {
    if (joint_traits(j.type).keys == JointKeys::gear) continue;  // it ties joints, not bodies
    const int a = lookup.find(j.a, j.name), b = lookup.find(j.b, j.name);
    if (a >= 0 && b >= 0 && !j.collide) out.insert({std::min(a, b), std::max(a, b)});
  }
  return {out.begin(), out.end()};
}

const std::shared_ptr<RowLaw>& Model::joint_law() {
  if (!joint_law_) joint_law_ = std::make_shared<MixedComplementarity>();
  return joint_law_;
}

void Model::add_joints(const EntityLookup& lookup, std::vector<std::unique_ptr<Contributor>>& contributors) {
  const auto add_pool = [&](std::unique_ptr<JointPool> pool) {
    if (!pool) return;
    if (joint_relaxation_.stiffness > 0) pool->relax(joint_relaxation_.stiffness);
    if (pool->rows()->bounded) pool->set_law(joint_law());
    joint_pools_.emplace_back(static_cast<int>(contributors.size()), pool.get());
    contributors.push_back(std::move(pool));
  };
  std::map<std::string, std::vector<JointDescription>> by_type;
  for (const JointDescription& j : world_.joints) by_type[j.type].push_back(j);
  for (const auto& [type, joints] : by_type)
    add_pool(constraint_registry().create(type)->build(entities_, joints, lookup));
  add_pool(build_coordinate_rows(entities_, world_.joints, lookup));
  for (auto& pool : build_attachments(entities_, world_.attachments, lookup)) add_pool(std::move(pool));
  add_pool(build_bending(entities_, world_));
  add_pool(build_strain_rows(entities_, world_, h_));
  for (const JointDescription& j : world_.joints) readings_.add(JointReading(j, lookup));
}

void Model::add_elements(std::vector<std::unique_ptr<Contributor>>& contributors) {
  std::map<std::pair<std::string, std::string>, std::vector<int>> softs;  // by material and row form
  for (std::size_t s = 0; s < world_.softs.size(); ++s)
    for (const std::string& model : soft_models(world_.softs[s]))
      softs[{model, world_.softs[s].rows}].push_back(static_cast<int>(s));
  for (const auto& [kind, list] : softs)
    contributors.push_back(
        soft_material_registry().create(kind.first)->build(kind.second, entities_, world_, list, soft_options_));

  std::map<std::string, std::vector<int>> cloths;  // by material
  ClothOptions cloth_options;
  if (!world_.cloths.empty()) read_options(cloth_options);
  for (std::size_t c = 0; c < world_.cloths.size(); ++c)
    if (!has_strain_rows(world_.cloths[c], cloth_options, h_))
      cloths[world_.cloths[c].model].push_back(static_cast<int>(c));
  for (const auto& [model, list] : cloths)
    contributors.push_back(soft_material_registry().create(model)->build_sheet(entities_, world_, list, soft_options_));

  std::map<std::string, std::vector<int>> volumes;  // by law
  for (std::size_t v = 0; v < world_.volumes.size(); ++v) volumes[world_.volumes[v].law].push_back(static_cast<int>(v));
  VolumeOptions options;
  if (!volumes.empty()) read_options(options);
  for (const auto& [law, list] : volumes) {
    auto pool = volume_law_registry().create(law)->build(entities_, world_, list, options);
    volume_pools_.emplace_back(list, pool.get());
    contributors.push_back(std::move(pool));
  }
}

std::unique_ptr<PenaltyContacts> Model::penalty_contacts(const ContactFriction& cones) const {
  if (!penalty_options_.on()) return nullptr;
  if (contact_options_.margin < penalty_options_.distance)
    throw InputError("-contact_penalty_distance " + format_real(penalty_options_.distance) +
                     ": no contact would be found at this distance: expected a -contact_margin of at least that, got " +
                     format_real(contact_options_.margin));
  return std::make_unique<PenaltyContacts>(world_, entities_, penalty_options_, cones);
}

void Model::add_contacts(const std::vector<EntityPair>& apart,
                         std::vector<std::unique_ptr<Contributor>>& contributors) {
  ContactFriction cones(world_, entities_, CollisionFilter(world_, apart), friction_options_);
  std::unique_ptr<PenaltyContacts> penalty = penalty_contacts(cones);
  auto contacts = std::make_unique<ContactContributor>(
      entities_, std::make_unique<ContactDetection>(world_, entities_, contact_options_, apart), options_.law.create(),
      warm_start_options_, contact_slop_, near_rigid_, Restitution::of(world_, restitution_options_),
      ContactCompliance::of(world_, compliance_options_), std::move(cones), std::move(penalty));
  contacts->set_turning_normals(detect_again_options_.turning);
  contacts_ = contacts.get();
  tunnelling_ = std::make_unique<TunnellingObserver>(
      TunnellingWatch(contacts_->detection().shapes(), entities_, contacts_->detection().margin()), names_);
  contributors.push_back(std::move(contacts));
  if (std::unique_ptr<RollingResistance> resistance = RollingResistance::of(world_, entities_, *contacts_)) {
    resistance->set_law(joint_law());
    contributors.push_back(std::move(resistance));
  }
}

std::unique_ptr<Integrator> Model::make_integrator() const {
  std::unique_ptr<Integrator> integrator = integrator_registry().create(options_.integrator);
  if (integrator->velocity_level() && detect_again_options_.times > 0 && !only_preset_says("detect_again"))
    throw InputError("-detect_again looks at gaps at the end of a step, which laws of velocities do not ask for: " +
                     std::string("expected -integrator implicit_euler, got '") + options_.integrator + "'");
  if (!integrator->velocity_level())
    for (const auto& [name, material] : world_.materials)
      if (material.restitution > 0)
        throw InputError("material '" + name +
                         "': restitution needs laws at velocity level: expected -integrator "
                         "moreau_jean, got '" +
                         options_.integrator + "'");
  return integrator;
}

void Model::look_at_geometry() {
  if (geometric_options_.every == 0) return;
  geometry_ = std::make_unique<GeometricVerdict>(geometric_scene(world_));
  simulation_->geometry = [this](int step, const State& state) -> std::optional<Residual> {
    geometry_looked_ = step % geometric_options_.every == 0;
    if (!geometry_looked_) return std::nullopt;
    std::vector<Vec3> x;
    std::vector<Quat> q;
    to_host(state.x, x);
    to_host(state.orientation, q);
    return geometry_->penetration(x, q);
  };
}

void Model::settle_overlaps() {
  std::set<std::string> ends;
  for (const JointDescription& joint : world_.joints) ends.insert({joint.a, joint.b});
  std::vector<char> jointed;
  for (const std::string& name : names_) jointed.push_back(ends.count(name) > 0);
  overlaps_.settle(contacts_->detection(), entities_, simulation_->state(), mass_, jointed, names_);
}

void Model::add_fallbacks() {
  fallbacks_.set_up([this](const Recipe& recipe) {
    simulation_->add_fallback(
        fallback_of(recipe, std::make_unique<SnesStepSolver>(), options_.law, [this](std::unique_ptr<RowLaw> law) {
          problem().forget_layout();
          return contacts_->exchange_law(std::move(law));
        }));
  });
}

int Model::prepare() {
  simulation_->prepare(h_);
  return problem().contacts();
}

std::optional<Infeasibility> Model::feasibility() {
  if (!feasibility_->wanted()) return std::nullopt;
  return feasibility_->examine(problem());
}

void Model::carry_over(StateArchive& archive) {
  simulation_->carry_over(archive);
  archive.group("feasibility", [&] { feasibility_->carry_over(archive); });
}

StepReport Model::step() {
  StepReport report = simulation_->step(h_);
  if (options_.explain || report.failed) report.explanation = explain(report);
  return report;
}

}  // namespace clarke
