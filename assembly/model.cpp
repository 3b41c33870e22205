#include "assembly/model.hpp"

#include "integrators/register.hpp"
#include "ncp/contact_laws/decoupled.hpp"
#include "ncp/joint_laws/mixed_complementarity.hpp"
#include "ncp/strategies/snes_step_solver.hpp"
#include "physics/attachments/attachments.hpp"
#include "physics/cloth/bending.hpp"
#include "physics/contact/mass_properties.hpp"
#include "physics/contact/rolling_resistance.hpp"
#include "physics/register.hpp"
#include "physics/soft/soft_regions.hpp"

#include <Kokkos_Timer.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace clarke {

void ModelOptions::describe(OptionVisitor& v) {
  v.choice("integrator", integrator, integrator_registry().names(), {"", "time discretisation"});
  v.choice("contact_law", contact_law, contact_law_registry().names(),
           {"", "how contact and friction become equations"});
  v.flag("explain", explain, {"", "say why a step stalled: worst contact or joint, what changed, the linear solve"});
}

Model::~Model() = default;

Model::Model(const World& world, double time_step) : world_(world), h_(time_step) {
  read_options(options_);
  read_options(body_options_);
  read_options(contact_options_);
  read_options(warm_start_options_);
  read_options(compliance_options_);
  read_options(friction_options_);
  read_options(soft_options_);
  build_entities();
  build_contributors();
  share_surfaces();
  initial_.settle(*problem_, state_, names_);
  settle_overlaps();
  remember_readings();
  auto solver = std::make_unique<SnesStepSolver>();
  if (dump_.wanted())
    solver->linearised = [this](const StepProblem& problem, int iteration) { dump_.linearised(problem, iteration); };
  solver_ = std::move(solver);
  build_ladder();
  u_ = View<Vec3>("u", entities_.blocks);
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

void Model::build_entities() {
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
  state_.x = to_device("x", x);
  state_.orientation = to_device("orientation", q);
  state_.u = to_device("u-", u);
}

void Model::build_contributors() {
  std::vector<std::unique_ptr<Contributor>> contributors;
  EntityLookup lookup;
  for (int e = 0; e < entities_.count; ++e) {
    lookup.index[names_[e]] = e;
    lookup.pose.push_back(e < entities_.bodies
                              ? Pose{world_.bodies[e].position, normalized(world_.bodies[e].orientation)}
                              : Pose{world_.particles[e - entities_.bodies].position, Quat{}});
  }
  std::vector<int> loaded;
  for (const LoadDescription& load : world_.loads) {
    const auto entity = lookup.index.find(load.body);
    if (entity == lookup.index.end())
      throw InputError("load '" + load.name + "': unknown body or particle '" + load.body + "'" +
                       suggestion(load.body, names_));
    loaded.push_back(entity->second);
  }
  auto bodies = std::make_unique<Bodies>(entities_, mass_, inertia_, mass_damping_, world_.gravity,
                                         Loads(entities_, world_.loads, loaded), body_options_);
  bodies_ = bodies.get();
  contributors.push_back(std::move(bodies));

  std::set<EntityPair> jointed;
  std::map<std::string, std::vector<JointDescription>> by_type;
  for (const JointDescription& j : world_.joints) {
    by_type[j.type].push_back(j);
    if (j.type == "gear") continue;  // it ties joints, not bodies
    const int a = lookup.find(j.a, j.name), b = lookup.find(j.b, j.name);
    if (a >= 0 && b >= 0 && !j.collide) jointed.insert({std::min(a, b), std::max(a, b)});
  }
  lookup.joints = world_.joints;
  const auto add_pool = [&](std::unique_ptr<JointPool> pool) {
    if (!pool) return;
    if (pool->rows()->bounded) {
      if (!joint_law_) joint_law_ = std::make_shared<MixedComplementarity>();
      pool->set_law(joint_law_);
    }
    joint_pools_.emplace_back(static_cast<int>(contributors.size()), pool.get());
    contributors.push_back(std::move(pool));
  };
  for (const auto& [type, joints] : by_type)
    add_pool(constraint_registry().create(type)->build(entities_, joints, lookup));
  add_pool(build_coordinate_rows(entities_, world_.joints, lookup));
  for (auto& pool : build_attachments(entities_, world_.attachments, lookup)) add_pool(std::move(pool));
  add_pool(build_bending(entities_, world_));
  for (const JointDescription& j : world_.joints) readings_.emplace_back(j, lookup);

  std::map<std::pair<std::string, std::string>, std::vector<int>> softs;  // by material and row form
  for (std::size_t s = 0; s < world_.softs.size(); ++s)
    for (const std::string& model : soft_models(world_.softs[s]))
      softs[{model, world_.softs[s].rows}].push_back(static_cast<int>(s));
  for (const auto& [kind, list] : softs)
    contributors.push_back(
        soft_material_registry().create(kind.first)->build(kind.second, entities_, world_, list, soft_options_));

  std::map<std::string, std::vector<int>> cloths;  // by material
  for (std::size_t c = 0; c < world_.cloths.size(); ++c) cloths[world_.cloths[c].model].push_back(static_cast<int>(c));
  for (const auto& [model, list] : cloths)
    contributors.push_back(soft_material_registry().create(model)->build_sheet(entities_, world_, list, soft_options_));

  const std::vector<EntityPair> apart(jointed.begin(), jointed.end());
  auto contacts = std::make_unique<ContactContributor>(
      entities_, std::make_unique<ContactDetection>(world_, entities_, contact_options_, apart),
      contact_law_registry().create(options_.contact_law), warm_start_options_,
      ContactCompliance::of(world_, compliance_options_),
      ContactFriction(world_, entities_, CollisionFilter(world_, apart), contact_options_, friction_options_));
  contacts_ = contacts.get();
  tunnelling_ =
      std::make_unique<TunnellingWatch>(contacts_->detection().shapes(), entities_, contacts_->detection().margin());
  contributors.push_back(std::move(contacts));
  if (std::unique_ptr<RollingResistance> resistance = RollingResistance::of(world_, entities_, *contacts_)) {
    if (!joint_law_) joint_law_ = std::make_shared<MixedComplementarity>();
    resistance->set_law(joint_law_);
    contributors.push_back(std::move(resistance));
  }

  block_names_.resize(entities_.blocks);
  for (int e = 0; e < entities_.count; ++e)
    for (int b : {block_of_[e].v, block_of_[e].w})
      if (b >= 0) block_names_[b] = names_[e];
  judge_ = std::make_unique<Judge>(block_names_);
  std::unique_ptr<Integrator> integrator = integrator_registry().create(options_.integrator);
  if (!integrator->velocity_level())
    for (const auto& [name, material] : world_.materials)
      if (material.restitution > 0)
        throw InputError("material '" + name +
                         "': restitution needs laws at velocity level: expected -integrator "
                         "moreau_jean, got '" +
                         options_.integrator + "'");
  problem_ = std::make_unique<StepProblem>(entities_, std::move(contributors), std::move(integrator));
  problem_->norms = [this](const StepProblem& p) { return judge_->norms(p); };
}

void Model::settle_overlaps() {
  std::set<std::string> ends;
  for (const JointDescription& joint : world_.joints) ends.insert({joint.a, joint.b});
  std::vector<char> jointed;
  for (const std::string& name : names_) jointed.push_back(ends.count(name) > 0);
  overlaps_.settle(contacts_->detection(), entities_, state_, mass_, jointed, names_);
}

void Model::watch_tunnelling(StepReport& report) {
  const int count = tunnelling_->end_step(state_, h_);
  if (count == 0) return;
  report.safeguards["tunnelling_warnings"] = count;
  const std::vector<int>& newly = tunnelling_->newly();
  if (newly.empty()) return;
  const std::size_t others = newly.size() - 1;  // one line per step: a soft body has hundreds of nodes
  warnings_.push_back("warning: step " + std::to_string(report.step) + ": '" + names_[newly.front()] + "'" +
                      (others > 0 ? " and " + std::to_string(others) + (others > 1 ? " others" : " other") : "") +
                      " moved further than the contact margin foresaw and by more than half the thickness; they could "
                      "have passed through something thin: smaller -time_step, or larger -contact_margin");
}

void Model::build_ladder() {
  fallbacks_.set_up([this](FallbackSequence::Fallback& fallback) {
    ModelOptions options = options_;
    read_options(options);
    fallback.law = contact_law_registry().create(options.contact_law);
    fallback.solver = std::make_unique<SnesStepSolver>();
  });
}

int Model::prepare() {
  problem_->begin_step(state_, h_, steps_ + 1);
  solver_->prepare(*problem_);
  return contacts_->contacts().count;
}

void Model::attempt(StepSolver& solver, StepReport& report) {
  Kokkos::Timer timer;
  problem_->begin_step(state_, h_, report.step);
  report.time = problem_->context().t + h_;
  report.contacts = contacts_->contacts().count;
  report.seconds.detect += contacts_->seconds_detect();
  report.seconds.assemble += timer.seconds() - contacts_->seconds_detect();

  timer.reset();
  impulse_ = impulse_storage_.resize(problem_->system().pattern.rows);
  SolveResult solved = solver.solve(*problem_, u_, impulse_);
  report.seconds.solve += timer.seconds();
  report.newton_iterations += solved.newton_iterations;
  report.linear_iterations += solved.linear_iterations;
  report.islands = problem_->system().islands.count;
  report.island_rows_max = problem_->system().islands.largest_rows;
  report.newton_iterations_per_row += solved.newton_iterations_per_row;
  report.linear_iterations_per_row += solved.linear_iterations_per_row;
  report.reason = std::move(solved.reason);
  report.failed = solved.failed;
  report.newton.insert(report.newton.end(), solved.newton.begin(), solved.newton.end());
  report.linear.insert(report.linear.end(), solved.linear.begin(), solved.linear.end());
  for (const auto& [name, times] : solved.safeguards) report.safeguards[name] += times;

  timer.reset();
  problem_->evaluate(u_, impulse_, false);
  report.verdict = judge_->judge(*problem_, impulse_);
  if (report.reason == "nan") report.reason += not_finite();
  report.seconds.verdict += timer.seconds();
}

void Model::attempt(FallbackSequence::Fallback& fallback, StepReport& report) {
  const ScopedRecipe scope(fallback.recipe);
  fallback.law = contacts_->exchange_law(std::move(fallback.law));
  problem_->forget_layout();
  try {
    attempt(*fallback.solver, report);
  } catch (...) {
    fallback.law = contacts_->exchange_law(std::move(fallback.law));
    problem_->forget_layout();
    throw;
  }
  fallback.law = contacts_->exchange_law(std::move(fallback.law));
  problem_->forget_layout();
}

StepReport Model::step() {
  StepReport report;
  report.step = steps_ + 1;
  warnings_.clear();
  tunnelling_->begin_step(state_, h_);
  attempt(*solver_, report);
  for (FallbackSequence::Fallback& fallback : fallbacks_.fallbacks()) {
    if (!report.failed) break;
    warnings_.push_back("warning: step " + std::to_string(report.step) + " failed: " + report.reason +
                        "; once more with recipe " + fallback.recipe.name);
    report.recipe = fallback.recipe.name;
    ++report.safeguards["fallback_sequence"];
    attempt(fallback, report);
  }
  if (report.failed && !report.recipe.empty()) report.reason += " (with the last recipe of -fallback_sequence too)";
  if (const int reduced = contacts_->detection().reduced(); reduced > 0)
    report.safeguards["contact_reduction"] = reduced;

  Kokkos::Timer timer;
  if (!report.failed) {
    problem_->end_step(u_, impulse_);
    watch_tunnelling(report);
    remember_readings();
    ++steps_;
    // A multiple of h, not a sum of h's: no drift in time.
    state_.t = steps_ * h_;
    report.time = state_.t;
  }
  const MechanicalState m = bodies_->mechanical_state(state_);
  Vec3 angular = m.angular;
  report.verdict.kinetic_energy = m.kinetic;
  for (int i = 0; i < problem_->contributors(); ++i) {
    const InertiaTerm more = problem_->contributor(i).inertia(state_);
    report.verdict.kinetic_energy += more.kinetic;
    angular += more.angular;
  }
  report.verdict.potential_energy = m.potential;
  for (int k = 0; k < 3; ++k) {
    report.verdict.linear_momentum[k] = m.linear[k];
    report.verdict.angular_momentum[k] = angular[k];
  }
  report.seconds.verdict += timer.seconds();
  if (options_.explain || report.failed) report.explanation = explain(report);
  return report;
}

}  // namespace clarke
