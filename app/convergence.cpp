#include "app/convergence.hpp"

#include "framework/state_archive.hpp"

#include <cstdio>

namespace clarke {
namespace {

std::string figure(const char* what, double value, const char* unit, const std::string& where) {
  char text[96];
  std::snprintf(text, sizeof text, ", %s up to %.1e%s", what, value, unit);
  return text + (where.empty() ? "" : " (" + where + ")");
}

std::string at(int step, const std::string& where) {
  return "step " + std::to_string(step) + (where.empty() ? "" : ", " + where);
}

}  // namespace

void Convergence::Worst::observe(double found, int at_step, const std::string& place) {
  if (!(found <= value)) *this = {found, at_step, place};  // NaN wins
}

void Convergence::observe(const StepReport& report) {
  ++steps_;
  if (report.failed) return;
  halved_ += report.substeps > 1;
  const Verdict& verdict = report.verdict;
  const bool converged = report.reason == "converged";
  ++(converged ? converged_ : unconverged_);
  map_.observe(verdict.natural_map_relative, report.step, verdict.natural_map.where);
  joints_.observe(verdict.bilateral_violation.value, report.step, verdict.bilateral_violation.where);
  if (!converged) error_.observe(verdict.velocity_error.value, report.step, verdict.velocity_error.where);
  if (!verdict.geometric_penetration) return;
  looked_ = true;
  overlap_.observe(verdict.geometric_penetration->value, report.step, verdict.geometric_penetration->where);
}

void Convergence::Worst::carry_over(StateArchive& archive) {
  archive.real("value", value);
  archive.integer("step", step);
  archive.text("where", where);
}

void Convergence::carry_over(StateArchive& archive) {
  archive.integer("steps", steps_);
  archive.integer("converged", converged_);
  archive.integer("unconverged", unconverged_);
  archive.integer("halved", halved_);
  archive.flag("looked", looked_);
  for (const auto& [name, worst] :
       {std::pair{"error", &error_}, {"map", &map_}, {"joints", &joints_}, {"overlap", &overlap_}})
    archive.group(name, [&archive, at = worst] { at->carry_over(archive); });
}

std::string Convergence::text() const {
  constexpr double kNotable = 1e-9;  // [m] below it an overlap is rounding
  std::string out = std::to_string(converged_) + " of " + std::to_string(steps_) + " steps converged";
  if (halved_ > 0) out += ", " + std::to_string(halved_) + " of them not in one (-step_halvings)";
  if (error_.step > 0) out += figure("error", error_.value, " m/s", at(error_.step, error_.where));
  if (map_.step > 0) out += figure("natural map", map_.value, "", at(map_.step, map_.where));
  if (joints_.step > 0) out += figure("joint violation", joints_.value, " m or rad", at(joints_.step, joints_.where));
  if (!looked_) return out;
  if (overlap_.value <= kNotable) return out + ", no overlap";
  return out + figure("overlap", overlap_.value, " m", at(overlap_.step, overlap_.where));
}

}  // namespace clarke
