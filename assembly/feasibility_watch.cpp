#include "assembly/feasibility_watch.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace clarke {

FeasibilityWatch::FeasibilityWatch(const World& world, const Entities& entities, const std::vector<std::string>& names,
                                   const ContactContributor& contacts)
    : world_(world), entities_(entities), names_(names), contacts_(contacts) {
  read_options(options_);
}

bool FeasibilityWatch::observe(StepProblem& problem, StepReport& report) {
  using Finding = Infeasibility::Finding;
  if (!wanted() || report.reason == "converged") return false;
  if (!report.failed) {
    const double error = report.verdict.velocity_error.value;
    const bool known = found_ && found_->finding == Finding::impossible;
    if (known || examinations_ == kExaminations || !(error > kWorse * worst_) ||
        problem.system().pattern.rows > kRowsOfBudget)
      return false;
    worst_ = error;
    ++examinations_;
  }
  const Infeasibility found =
      examine(problem, report.failed ? InfeasibilityDepth::with_friction : InfeasibilityDepth::frictionless);
  if (!report.failed && found.finding != Finding::impossible) return true;
  found_ = found;
  step_ = report.step;
  report.feasibility = found.text();
  if (!report.failed)
    report.warnings.push_back("warning: step " + std::to_string(report.step) + ": " + report.feasibility);
  return true;
}

Infeasibility FeasibilityWatch::examine(StepProblem& problem, InfeasibilityDepth depth) const {
  Infeasibility out = examine_feasibility(problem, options_.above, depth);
  name_motions(problem, out);
  return out;
}

void FeasibilityWatch::name_motions(const StepProblem& problem, Infeasibility& found) const {
  const auto prescribed = host_copy(entities_.prescribed);
  std::set<int> moved;
  const auto touches = [&](int e) {
    if (e < 0 || e >= entities_.bodies || world_.bodies[e].motion != Motion::prescribed) return;
    if (norm2(prescribed(e).v) + norm2(prescribed(e).w) > 0) moved.insert(e);
  };
  const auto entity = [this](const std::string& name) {
    const auto at = std::find(names_.begin(), names_.end(), name);
    return at == names_.end() ? -1 : static_cast<int>(at - names_.begin());
  };
  const ContactSet& contacts = contacts_.contacts();
  const auto a = host_copy(contacts.a), b = host_copy(contacts.b);
  for (const BlamedItem& item : found.items) {
    if (&problem.contributor(item.contributor) == &contacts_) {
      touches(a(item.item)), touches(b(item.item));
      continue;
    }
    for (const JointDescription& joint : world_.joints) {
      const std::string name = joint.type + " " + joint.name;
      if (item.name != name && item.name.rfind(name + ":", 0) != 0) continue;
      touches(entity(joint.a)), touches(entity(joint.b));
    }
  }
  for (const int e : moved) found.motions.push_back("motion of " + names_[e]);
}

nlohmann::json FeasibilityWatch::record() const {
  if (!found_) return nullptr;
  nlohmann::json out = found_->record();
  out["step"] = step_;
  return out;
}

}  // namespace clarke
