#include "assembly/initial_configuration.hpp"

#include "assembly/joint_projection.hpp"
#include "framework/error.hpp"

#include <nlohmann/json.hpp>

#include <cmath>

namespace clarke {
namespace {

std::string contradictions(const ConstraintRank& rank) {
  std::string out;
  for (const DependentJoint& j : rank.contradictory) out += (out.empty() ? "" : "; ") + j.text();
  return out;
}

}  // namespace

void InitialOptions::describe(OptionVisitor& v) {
  v.flag("check_constraints", check_constraints,
         {"", "report redundant and contradictory joints before the first step"});
  v.real("initial_violation_max", violation_max,
         {"m or rad",
          "a joint that is violated by more at the start is refused; also what counts as a "
          "contradiction",
          0.0});
  v.flag("project_initial", project,
         {"", "move the assembly to the nearest configuration on its joints before the first step"});
  v.real("project_initial_max", project_max, {"m or rad", "largest violation that -project_initial accepts", 0.0});
}

std::string InitialProjection::text() const {
  std::string out = "project_initial: ";
  if (moved_name.empty() && turned_name.empty()) return out + "nothing to move";
  if (moved_name.empty() || turned_name.empty() || moved_name == turned_name) {
    out += "moved " + (moved_name.empty() ? turned_name : moved_name) + " by " + violation_text(moved, false) +
           " and " + violation_text(turned, true);
  } else {
    out += "moved " + moved_name + " by " + violation_text(moved, false) + ", turned " + turned_name + " by " +
           violation_text(turned, true);
  }
  return out + " (largest), violation " + violation_text(violation_before, is_angle) + " at " + where + " -> " +
         violation_text(violation_after, is_angle);
}

nlohmann::json InitialProjection::record() const {
  return {{"violation_before", violation_before},
          {"violation_after", violation_after},
          {"where", where},
          {"iterations", iterations},
          {"moved", {{"of", moved_name}, {"value", moved}}},
          {"turned", {{"of", turned_name}, {"value", turned}}}};
}

InitialConfiguration::InitialConfiguration() {
  read_options(options_);
  read_options(rank_options_);
}

void InitialConfiguration::describe(OptionVisitor& v) {
  options_.describe(v);
  rank_options_.describe(v);
}

void InitialConfiguration::settle(StepProblem& problem, State& state, const std::vector<std::string>& names) {
  JointConfiguration joints(problem);
  RigidRows rows = joints.evaluate(state);
  if (options_.project) {
    int worst = -1;
    const double violation = rows.largest_violation(&worst);
    if (!(violation <= options_.project_max))
      throw InputError("joint '" + rows.names[rows.item[worst]] + "' is violated by " +
                       violation_text(violation, rows.is_angle[worst]) +
                       " at the start, more than -project_initial_max accepts (" +
                       violation_text(options_.project_max, rows.is_angle[worst]) + ")");
    projection_ = project_onto_joints(joints, problem.entities(), state, names);
    rows = joints.evaluate(state);
    joints.remember(state);
  }
  if (!(rows.largest_violation() <= options_.violation_max)) refuse_violated(rows);
  refuse_beyond_bounds(joints.beyond_bounds());
  if (!options_.check_constraints) return;
  rank_ = constraint_rank(rows, rank_options_, options_.violation_max);
  require_consistent(*rank_);
}

void InitialConfiguration::refuse_violated(const RigidRows& rows) const {
  int worst = -1;
  const double violation = rows.largest_violation(&worst);
  std::string text =
      "joint '" + rows.names[rows.item[worst]] + "' is violated by " + violation_text(violation, rows.is_angle[worst]);
  if (rows.finite()) {
    const ConstraintRank rank = constraint_rank(rows, rank_options_, options_.violation_max);
    if (!rank.contradictory.empty())
      throw InputError(text + (options_.project ? " after -project_initial: " : " at the start: ") +
                       contradictions(rank));
  }
  if (options_.project)
    throw InputError(text + " after -project_initial, which found no nearer configuration on all joints");
  throw InputError(text + " at the start; -initial_violation_max allows " +
                   violation_text(options_.violation_max, rows.is_angle[worst]) +
                   ", -project_initial moves the assembly onto its joints" +
                   (violation > options_.project_max ? " (with a -project_initial_max as large as that)" : ""));
}

void InitialConfiguration::refuse_beyond_bounds(const std::vector<OneSidedRow>& rows) const {
  for (const OneSidedRow& row : rows)
    if (!(row.violation <= options_.violation_max))
      throw InputError("joint '" + row.name + "' is beyond its bound by " +
                       violation_text(row.violation, row.is_angle) +
                       (options_.project ? " after -project_initial" : " at the start") +
                       "; -initial_violation_max allows " + violation_text(options_.violation_max, row.is_angle));
}

ConstraintRank InitialConfiguration::rank(StepProblem& problem, const State& state) const {
  return constraint_rank(JointConfiguration(problem).evaluate(state), rank_options_, options_.violation_max);
}

std::string InitialConfiguration::explain(StepProblem& problem, const State& state) const {
  const RigidRows rows = JointConfiguration(problem).evaluate(state);
  if (rows.count() == 0) return "";
  if (!rows.finite()) return "  constraints: not examined, the configuration is not finite\n";
  std::string out;
  for (const std::string& line : constraint_rank(rows, rank_options_, options_.violation_max).lines())
    out += "  " + line + "\n";
  return out;
}

std::vector<std::string> InitialConfiguration::lines() const {
  std::vector<std::string> out;
  if (projection_) out.push_back(projection_->text());
  if (rank_)
    for (const std::string& line : rank_->lines()) out.push_back(line);
  return out;
}

nlohmann::json InitialConfiguration::record() const {
  nlohmann::json out = nlohmann::json::object();
  if (rank_) out["constraints"] = rank_->record();
  if (projection_) out["initial_projection"] = projection_->record();
  return out;
}

void require_consistent(const ConstraintRank& rank) {
  if (!rank.contradictory.empty()) throw InputError("joints contradict each other: " + contradictions(rank));
}

}  // namespace clarke
