#include "cases/problem_model.hpp"

#include "cases/problem_file.hpp"
#include "cases/solver_record.hpp"
#include "integrators/implicit_euler.hpp"
#include "ncp/contact_laws/scalar.hpp"
#include "ncp/joint_laws/mixed_complementarity.hpp"
#include "ncp/register.hpp"
#include "ncp/strategies/snes_step_solver.hpp"
#include "physics/given/given_contributors.hpp"

#include <Kokkos_Timer.hpp>
#include <nlohmann/json.hpp>

namespace clarke {

void ProblemOptions::describe(OptionVisitor& v) {
  v.choice("contact_law", contact_law, contact_law_registry().names(),
           {"", "how contact and friction become equations"});
  v.choice("solve_measure", measure, {"siconos", "fclib", "scaled"},
           {"", "normalisation of the natural map that says whether a problem is solved: by max(q, r, u) as Siconos does, by q, "
                "or by max(q, r, u) in variables of equal units"});
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

constexpr double kStepLength = 1;  // [s] of a problem in velocities and impulses, which has none of its own

}  // namespace

ProblemModel::~ProblemModel() = default;

ProblemModel::ProblemModel(const ContactProblem& problem)
    : problem_(problem), given_(problem), problem_judge_(problem) {
  read_options(options_);
  asymmetry_ = problem.local() ? asymmetry(problem.delassus) : 0;
  const int blocks = given_.blocks();
  const Entities entities = block_entities(blocks);
  state_.x = View<Vec3>("x", blocks);
  state_.orientation = View<Quat>("orientation", 0);
  state_.u = View<Vec3>("u-", blocks);

  const ProblemSolution guess = problem.guesses.empty() ? ProblemSolution() : problem.guesses.back();
  std::vector<std::unique_ptr<Contributor>> contributors;
  contributors.push_back(std::make_unique<GivenMass>(given_));
  if (given_.joints().items() > 0) {
    if (!problem.joint_lower.empty()) joint_law_ = std::make_shared<MixedComplementarity>();
    auto joints = std::make_unique<GivenJoints>(given_.joints(), problem, joint_law_);
    joints->set_guess(guess.joint_impulse);
    contributors.push_back(std::move(joints));
  }
  auto contacts = std::make_unique<GivenContacts>(given_.contacts(), problem.friction, problem.compliance,
                                                  problem.contact_names,
                                                  contact_law_registry().create(options_.contact_law),
                                                  asymmetry_ <= kSymmetricUpTo);
  contacts->set_guess(guess.contact_impulse);
  law_ = &contacts->law();
  contributors.push_back(std::move(contacts));

  std::vector<std::string> names;
  for (int b = 0; b < blocks; ++b) names.push_back("velocity block " + std::to_string(b));
  judge_ = std::make_unique<Judge>(std::move(names));
  step_ = std::make_unique<StepProblem>(entities, std::move(contributors), std::make_unique<ImplicitEuler>());
  step_->figures = [this](const StepProblem& p) {
    ResidualFigures figures = judge_->figures(p);
    std::vector<double> contact, joint;
    split_impulse(p.point().impulse, contact, joint);
    const ProblemResiduals r = problem_judge_.judge(contact, joint);
    history_.push_back(r.siconos);
    figures.natural_map_relative = r.scaled;
    figures.solved = solved(r);
    return figures;
  };
  solver_ = std::make_unique<SnesStepSolver>();
  u_ = View<Vec3>("u", blocks);
}

bool ProblemModel::solved(const ProblemResiduals& r) const {
  const double found = options_.measure == "siconos" ? r.siconos : options_.measure == "fclib" ? r.fclib : r.scaled;
  return found <= options_.tolerance;
}

/// Rows of joints come first.
void ProblemModel::split_impulse(const View<double>& impulse, std::vector<double>& contact,
                                 std::vector<double>& joint) const {
  std::vector<double> all;
  to_host(impulse, all);
  joint.assign(all.begin(), all.begin() + problem_.joint_rows());
  contact.assign(all.begin() + problem_.joint_rows(), all.end());
}

ProblemReport ProblemModel::solve() {
  ProblemReport out;
  out.contacts = problem_.contacts;
  out.velocities = problem_.local() ? 0 : problem_.mass.rows;
  out.joint_rows = problem_.joint_rows();
  out.asymmetry = asymmetry_;
  history_.clear();
  const Kokkos::Timer timer;
  step_->begin_step(state_, kStepLength, 1);
  impulse_ = View<double>("impulse", step_->system().pattern.rows);
  out.result = solver_->solve(*step_, u_, impulse_);
  out.seconds = timer.seconds();
  out.siconos_history = history_;
  split_impulse(impulse_, contact_impulse_, joint_impulse_);
  out.residuals = problem_judge_.judge(contact_impulse_, joint_impulse_);
  out.solved = solved(out.residuals);
  return out;
}

ProblemSolution ProblemModel::solution() { return problem_judge_.solution(contact_impulse_, joint_impulse_); }

nlohmann::json ProblemModel::resolved_options() {
  auto* solver = dynamic_cast<SnesStepSolver*>(solver_.get());
  nlohmann::json out = options_record([&](OptionVisitor& v) {
    options_.describe(v);
    law_->describe(v);
    if (joint_law_) joint_law_->describe(v);
    if (solver) solver->describe(v);
  });
  if (solver) out.update(solver_record(solver->snes()));
  return out;
}

}  // namespace clarke
