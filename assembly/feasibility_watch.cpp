#include "assembly/feasibility_watch.hpp"

#include "framework/state_archive.hpp"

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
  const Infeasibility found = examine(problem);
  // That there is a solution is no news of a step whose budget was used up, nor is friction's second doubt.
  if (!report.failed && found.finding != Finding::impossible && (found.finding != Finding::friction || found_))
    return true;
  found_ = found;
  step_ = report.step;
  report.feasibility = found.text();
  if (!report.failed)
    report.warnings.push_back("warning: step " + std::to_string(report.step) + ": " + report.feasibility);
  return true;
}

Infeasibility FeasibilityWatch::examine(StepProblem& problem) const {
  Infeasibility out = examine_feasibility(problem, options_.above);
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

namespace {

void carry_over_finding(Infeasibility& found, StateArchive& archive) {
  int finding = static_cast<int>(found.finding);
  archive.integer("finding", finding);
  found.finding = static_cast<Infeasibility::Finding>(finding);
  archive.real("amount", found.amount);
  archive.real("margin", found.margin);
  archive.flag("angles", found.angles);
  archive.real("existence_lower", found.existence.lower);
  archive.real("existence_upper", found.existence.upper);
  archive.texts("motions", found.motions);
  std::vector<std::string> names;
  std::vector<std::int64_t> places;
  for (const BlamedItem& item : found.items) {
    names.push_back(item.name);
    places.insert(places.end(), {item.contributor, item.item});
  }
  archive.texts("names", names);
  archive.integers("places", places);
  if (places.size() != 2 * names.size()) throw InputError("checkpoint: another number of items in a contradiction");
  found.items.clear();
  for (std::size_t i = 0; i < names.size(); ++i)
    found.items.push_back({static_cast<int>(places[2 * i]), static_cast<int>(places[2 * i + 1]), names[i]});
}

}  // namespace

void FeasibilityWatch::carry_over(StateArchive& archive) {
  archive.integer("step", step_);
  archive.integer("examinations", examinations_);
  archive.real("worst", worst_);
  bool found = found_.has_value();
  archive.flag("found", found);
  if (!found) return;
  if (!found_) found_.emplace();
  carry_over_finding(*found_, archive);
}

nlohmann::json FeasibilityWatch::record() const {
  if (!found_) return nullptr;
  nlohmann::json out = found_->record();
  out["step"] = step_;
  return out;
}

}  // namespace clarke
