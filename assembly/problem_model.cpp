#include "assembly/problem_model.hpp"

#include "assembly/solver_record.hpp"
#include "integrators/implicit_euler.hpp"
#include "ncp/contact_laws/decoupled.hpp"
#include "ncp/joint_laws/mixed_complementarity.hpp"
#include "ncp/strategies/snes_step_solver.hpp"
#include "scene/reader/problem_file.hpp"
#include "verdict/constraint_rank.hpp"
#include "verdict/relative_residuals.hpp"

#include <Kokkos_Timer.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace clarke {

void ProblemOptions::describe(OptionVisitor& v) {
  v.choice(
      "solve_measure", measure, {"strict", "siconos", "fclib", "scaled"},
      {"",
       "normalisation of the natural map that says whether a problem is solved: strict, by q in variables of equal "
       "units, of all contacts together and of the worst one; by max(q, r, u) as Siconos does; by q; or by max(q, r, "
       "u) "
       "in variables of equal units"});
  v.real("solve_tolerance", tolerance, {"1", "a problem is solved when that residual is at most this", 0.0});
}

namespace {

/// One entity per velocity block, at the origin: a given problem knows no positions.
Entities block_entities(int blocks) {
  Entities out;
  out.count = out.blocks = blocks;
  std::vector<EntityBlocks> owner(blocks);
  for (int b = 0; b < blocks; ++b) owner[b].v = b;
  out.block_of = to_device("block_of", owner);
  out.prescribed = View<Twist>("prescribed", blocks);
  return out;
}

/// Velocities and impulses divided by `unit`; M, W and compliance stay.
ContactProblem divided(const ContactProblem& problem, double unit) {
  ContactProblem out = problem;
  for (auto* list :
       {&out.force, &out.offset, &out.joint_offset, &out.joint_lower, &out.joint_upper, &out.free_velocity})
    for (double& value : *list) value /= unit;
  for (ProblemSolution& guess : out.guesses)
    for (auto* list : {&guess.contact_impulse, &guess.joint_impulse})
      for (double& value : *list) value /= unit;
  return out;
}

constexpr double kConsistent = 1e-12;  // contradictions that are rounding, of the largest free velocity
constexpr double kStepLength = 1;      // [s] of a problem in velocities and impulses, which has none of its own

}  // namespace

ProblemModel::~ProblemModel() = default;

ProblemModel::ProblemModel(const ContactProblem& problem)
    : problem_(problem),
      problem_judge_(problem),
      unit_(problem_judge_.energy_root() > 0 ? problem_judge_.energy_root() : 1),
      in_units_(divided(problem, unit_)),
      given_(in_units_) {
  read_options(law_);
  read_options(options_);
  read_options(infeasibility_options_);
  asymmetry_ = problem.local() ? std::max(asymmetry(problem.delassus), asymmetry(problem.joint_delassus)) : 0;
  const int blocks = given_.blocks();
  const Entities entities = block_entities(blocks);
  const State start{0, View<Vec3>("x", blocks), View<Quat>("orientation", 0), View<Vec3>("u-", blocks)};

  const ProblemSolution guess = in_units_.guesses.empty() ? ProblemSolution() : in_units_.guesses.back();
  std::vector<std::unique_ptr<Contributor>> contributors;
  contributors.push_back(std::make_unique<MatrixMass>(given_));
  if (given_.joints().items() > 0) {
    if (!problem.joint_lower.empty()) joint_law_ = std::make_shared<MixedComplementarity>();
    auto joints = std::make_unique<MatrixJoints>(given_.joints(), in_units_, joint_law_);
    joints->set_guess(guess.joint_impulse);
    contributors.push_back(std::move(joints));
  }
  auto contacts = std::make_unique<MatrixContacts>(given_.contacts(), problem.friction, problem.compliance,
                                                   problem.contact_names, law_.create(), asymmetry_ <= kSymmetricUpTo);
  contacts->set_guess(guess.contact_impulse);
  contacts_ = contacts.get();
  contributors.push_back(std::move(contacts));

  std::vector<std::string> names;
  names.reserve(blocks);
  for (int b = 0; b < blocks; ++b) names.push_back("velocity block " + std::to_string(b));
  simulation_ = std::make_unique<Simulation>(
      start, std::make_unique<StepProblem>(entities, std::move(names), std::move(contributors),
                                           std::make_unique<ImplicitEuler>()));
  simulation_->judge = [this](const StepProblem& p, const View<double>& impulse) { return judge_.judge(p, impulse); };
  step().norms = [this](const StepProblem& p) {
    ResidualNorms norms = judge_.norms(p);
    std::vector<double> contact, joint;
    split_impulse(p.point().impulse, contact, joint);
    const ProblemResiduals r = problem_judge_.judge(contact, joint);
    history_.push_back(r.siconos);
    for (double* value : {&norms.velocity_error, &norms.momentum_residual, &norms.natural_map}) *value *= unit_;
    norms.natural_map_relative = r.scaled;
    norms.measure = measure_of(r);
    norms.solved = norms.measure <= options_.tolerance;
    return norms;
  };
  simulation_->set_solver(make_solver());
  simulation_->remaining = [this](const StepReport& report) {
    const ProblemResiduals r = residuals_now();
    if (solves(r, report.failed)) return 0.0;
    return r.finite() && measure_of(r) > 0 ? measure_of(r) : std::numeric_limits<double>::infinity();
  };
  add_fallbacks();
  prepare();
}

/// What depends on the structure alone, so that solve() is the work on the numbers.
void ProblemModel::prepare() {
  const Kokkos::Timer time;
  auto& solver = dynamic_cast<SnesStepSolver&>(simulation_->solver());
  auto dumped = std::exchange(solver.linearised, nullptr);  // no iterate yet
  simulation_->prepare(kStepLength);
  solver.linearised = std::move(dumped);
  seconds_prepare_ = time.seconds();
}

std::unique_ptr<SnesStepSolver> ProblemModel::make_solver() {
  auto solver = std::make_unique<SnesStepSolver>();
  if (dump_.wanted())
    solver->linearised = [this](const StepProblem& p, int iteration) { dump_.linearised(p, iteration, unit_); };
  return solver;
}

void ProblemModel::add_fallbacks() {
  fallbacks_.set_up([this](const Recipe& recipe) {
    simulation_->add_fallback(fallback_of(recipe, make_solver(), law_, [this](std::unique_ptr<RowLaw> law) {
      step().forget_layout();
      contacts_->exchange_law(law);
      return law;
    }));
  });
}

double ProblemModel::measure_of(const ProblemResiduals& r) const {
  if (options_.measure == "siconos") return r.siconos;
  if (options_.measure == "fclib") return r.fclib;
  return options_.measure == "scaled" ? r.scaled : r.strict;
}

/// Rows of joints come first.
void ProblemModel::split_impulse(const View<double>& impulse, std::vector<double>& contact,
                                 std::vector<double>& joint) const {
  std::vector<double> all;
  to_host(impulse, all);
  for (double& value : all) value *= unit_;
  joint.assign(all.begin(), all.begin() + problem_.joint_rows());
  contact.assign(all.begin() + problem_.joint_rows(), all.end());
}

ProblemResiduals ProblemModel::residuals_now() {
  split_impulse(simulation_->impulse(), contact_impulse_, joint_impulse_);
  return problem_judge_.judge(contact_impulse_, joint_impulse_);
}

/// A step that ended in NaN or diverged has no solution, however small a residual that is divided by its impulses.
bool ProblemModel::solves(const ProblemResiduals& r, bool failed) const {
  return measure_of(r) <= options_.tolerance && r.finite() && r.hidden <= RelativeResiduals::kVisible && !failed;
}

ProblemReport ProblemModel::solve(int number) {
  ProblemReport out;
  out.contacts = problem_.contacts;
  out.velocities = problem_.local() ? 0 : problem_.mass.rows;
  out.joint_rows = problem_.joint_rows();
  out.asymmetry = asymmetry_;
  history_.clear();
  simulation_->set_steps(number - 1);
  out.step = simulation_->step(kStepLength);
  out.seconds_prepare = seconds_prepare_;
  out.seconds = out.step.seconds.detect + out.step.seconds.assemble + out.step.seconds.solve;
  for (NewtonIteration& row : out.step.newton) row.function_norm *= unit_;
  out.siconos_history = history_;
  out.residuals = residuals_now();
  out.solved = solves(out.residuals, out.step.failed);
  if (infeasibility_options_.certify && !(out.solved && out.residuals.strict <= options_.tolerance)) {
    out.infeasibility = feasibility();
    if (out.infeasibility->finding == Infeasibility::Finding::impossible) out.solved = false;
  }
  return out;
}

Infeasibility ProblemModel::feasibility() {
  // What `strict` could not see is no contradiction.
  const double above = std::fmax(options_.tolerance, kConsistent) * problem_judge_.largest_free() / unit_;
  Infeasibility out = examine_feasibility(step(), above);
  for (double* value : {&out.amount, &out.margin, &out.existence.lower, &out.existence.upper}) *value *= unit_;
  simulation_->evaluate_last();
  return out;
}

ProblemSolution ProblemModel::solution() { return problem_judge_.solution(contact_impulse_, joint_impulse_); }

ConditioningCard ProblemModel::conditioning() const {
  ConstraintRankOptions rank;
  read_options(rank);
  ConditioningCard card = conditioning_card(simulation_->problem(), rank.tolerance);
  std::vector<char> touched(problem_.mass.rows, 0);
  for (const SparseMatrix* rows : {&problem_.jacobian, &problem_.joint_jacobian})
    for (int dof : rows->column) touched[dof] = 1;
  card.velocities = static_cast<int>(std::count(touched.begin(), touched.end(), 1));
  card.contact_density = card.velocities > 0 ? 3.0 * card.contacts / card.velocities : NAN;
  card.mass_ratio = problem_judge_.mass_ratio();
  return card;
}

nlohmann::json ProblemModel::resolved_options() {
  auto* solver = dynamic_cast<SnesStepSolver*>(&simulation_->solver());
  nlohmann::json out = options_record([&](OptionVisitor& v) {
    law_.describe(v);
    options_.describe(v);
    infeasibility_options_.describe(v);
    contacts_->law().describe(v);
    if (joint_law_) joint_law_->describe(v);
    fallbacks_.describe(v);
    if (solver) solver->describe(v);
  });
  if (solver) out.update(solver_record(solver->snes()));
  return out;
}

}  // namespace clarke
