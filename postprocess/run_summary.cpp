#include "postprocess/run_summary.hpp"

#include "framework/error.hpp"
#include "framework/state_archive.hpp"
#include "postprocess/csv_records.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace clarke {
namespace {

using nlohmann::json;

/// A figure of one step and the place where it is largest.
struct Figure {
  const char* name;
  double value;
  const std::string& where;
};

std::vector<Figure> largest_figures(const Verdict& v) {
  static const Residual nothing;
  const Residual& geometric = v.geometric_penetration ? *v.geometric_penetration : nothing;
  return {{"momentum_residual", v.momentum_residual.value, v.momentum_residual.where},
          {"bilateral_violation", v.bilateral_violation.value, v.bilateral_violation.where},
          {"penetration", v.penetration.value, v.penetration.where},
          {"geometric_penetration", geometric.value, geometric.where},
          {"complementarity", v.complementarity.value, v.complementarity.where},
          {"cone_excess", v.cone_excess.value, v.cone_excess.where},
          {"natural_map_relative", v.natural_map_relative, v.natural_map.where},
          {"velocity_error", v.velocity_error.value, v.velocity_error.where},
          {"scaled_residual", v.scaled_residual, v.natural_map.where},
          {"strict_residual", v.strict_residual, v.velocity_error.where},
          {"impulse_growth", v.impulse_growth, nothing.where}};
}

/// The first figure of the step that is not finite, or nullptr.
const char* undefined_figure(const StepReport& r) {
  const Verdict& v = r.verdict;
  for (const Figure& figure : largest_figures(v))
    if (!std::isfinite(figure.value)) return figure.name;
  if (!std::isfinite(v.desaxce_gap.value)) return "desaxce_gap";
  if (!std::isfinite(v.natural_map.value)) return "natural_map";
  if (!std::isfinite(v.kinetic_energy)) return "kinetic_energy";
  if (!std::isfinite(v.potential_energy)) return "potential_energy";
  if (!std::isfinite(v.elastic_energy)) return "elastic_energy";
  return nullptr;
}

/// Larger, where "not a number" is larger than everything: once undefined, a maximum stays so.
bool exceeds(double a, double b) { return !std::isnan(b) && (std::isnan(a) || a > b); }

/// Calls `replace` with the place and the number for each one that is not finite.
template <class Replace>
void for_each_undefined(json& node, const std::string& place, const Replace& replace) {
  if (node.is_number_float() && !std::isfinite(node.get<double>())) {
    node = replace(place, node.get<double>());
  } else if (node.is_object()) {
    for (auto& [key, value] : node.items()) for_each_undefined(value, place.empty() ? key : place + '.' + key, replace);
  } else if (node.is_array()) {
    for (std::size_t i = 0; i < node.size(); ++i)
      for_each_undefined(node[i], place + '[' + std::to_string(i) + ']', replace);
  }
}

json mean(long sum, long steps) { return steps == 0 ? 0.0 : static_cast<double>(sum) / static_cast<double>(steps); }

}  // namespace

RunSummary::RunSummary(std::string case_name, json provenance)
    : case_name_(std::move(case_name)), provenance_(std::move(provenance)) {
  const Verdict nothing;
  for (const Figure& figure : largest_figures(nothing)) maxima_[figure.name];
}

void RunSummary::add(const StepReport& report) {
  ++steps_;
  if (report.failed)
    ++failed_steps_;
  else if (report.reason == "converged")
    ++converged_steps_;
  newton_iterations_ += report.newton_iterations;
  linear_iterations_ += report.linear_iterations;
  newton_per_row_ += report.newton_iterations_per_row;
  linear_per_row_ += report.linear_iterations_per_row;
  islands_max_ = std::max(islands_max_, report.islands);
  contacts_max_ = std::max(contacts_max_, report.contacts);
  contacts_last_ = report.contacts;
  time_end_ = report.time;
  kinetic_energy_last_ = report.verdict.kinetic_energy;
  seconds_.detect += report.seconds.detect;
  seconds_.assemble += report.seconds.assemble;
  seconds_.solve += report.seconds.solve;
  seconds_.verdict += report.seconds.verdict;
  seconds_.geometry += report.seconds.geometry;
  seconds_.output += report.seconds.output;
  for (const auto& [option, count] : report.safeguards) safeguards_[option] += count;
  for (const Figure& figure : largest_figures(report.verdict)) {
    Maximum& largest = maxima_[figure.name];
    if (exceeds(figure.value, largest.value)) largest = {figure.value, report.step, report.time, figure.where};
  }
  if (const char* figure = undefined_figure(report); figure != nullptr && !report.failed)
    throw StepError("step " + std::to_string(report.step) + " was accepted (" + report.reason + ") although its " +
                    figure + " is not a finite number");
}

void RunSummary::carry_over(StateArchive& archive) {
  for (auto& [name, largest] : maxima_)
    archive.group("maxima/" + name, [&, &worst = largest] {
      archive.real("value", worst.value);
      archive.integer("step", worst.step);
      archive.real("time", worst.time);
      archive.text("where", worst.where);
    });
  archive.integer("steps", steps_);
  archive.integer("converged_steps", converged_steps_);
  archive.integer("failed_steps", failed_steps_);
  archive.integer("newton_iterations", newton_iterations_);
  archive.integer("linear_iterations", linear_iterations_);
  archive.real("newton_per_row", newton_per_row_);
  archive.real("linear_per_row", linear_per_row_);
  archive.integer("islands_max", islands_max_);
  archive.integer("contacts_max", contacts_max_);
  archive.integer("contacts_last", contacts_last_);
  archive.real("time_end", time_end_);
  archive.real("kinetic_energy_last", kinetic_energy_last_);
  std::vector<double> seconds{seconds_.detect,  seconds_.assemble, seconds_.solve,
                              seconds_.verdict, seconds_.geometry, seconds_.output};
  archive.reals("seconds", seconds);
  if (seconds.size() != 6) throw InputError("checkpoint: another number of phases");
  seconds_ = {seconds[0], seconds[1], seconds[2], seconds[3], seconds[4], seconds[5]};
  std::vector<std::string> options;
  std::vector<std::int64_t> counts;
  for (const auto& [option, count] : safeguards_) options.push_back(option), counts.push_back(count);
  archive.texts("safeguards", options);
  archive.integers("safeguard_counts", counts);
  if (options.size() != counts.size()) throw InputError("checkpoint: another number of safeguards");
  safeguards_.clear();
  for (std::size_t i = 0; i < options.size(); ++i) safeguards_[options[i]] = static_cast<long>(counts[i]);
}

json RunSummary::document(const json& extra) const {
  if (!extra.is_object() && !extra.is_null())
    throw std::logic_error("summary.json: what the caller adds is not an object");
  const double total =
      seconds_.detect + seconds_.assemble + seconds_.solve + seconds_.verdict + seconds_.geometry + seconds_.output;
  json result = {{"case", case_name_},
                 {"steps", steps_},
                 {"dt", nullptr},
                 {"time_end", time_end_},
                 {"bodies", nullptr},
                 {"particles", nullptr},
                 {"soft_bodies", nullptr},
                 {"tetrahedra", nullptr},
                 {"cloths", nullptr},
                 {"triangles", nullptr},
                 {"joints", nullptr},
                 {"attachments", nullptr},
                 {"contacts_max", contacts_max_},
                 {"contacts_last", contacts_last_},
                 {"newton_iterations_mean", mean(newton_iterations_, steps_)},
                 {"linear_iterations_mean", mean(linear_iterations_, steps_)},
                 {"newton_iterations_per_row_mean", steps_ > 0 ? newton_per_row_ / double(steps_) : 0},
                 {"linear_iterations_per_row_mean", steps_ > 0 ? linear_per_row_ / double(steps_) : 0},
                 {"islands_max", islands_max_},
                 {"converged_steps", converged_steps_},
                 {"unconverged_steps", steps_ - converged_steps_ - failed_steps_},
                 {"failed_steps", failed_steps_},
                 {"kinetic_energy_last", kinetic_energy_last_},
                 {"seconds_total", total},
                 {"seconds_detect", seconds_.detect},
                 {"seconds_assemble", seconds_.assemble},
                 {"seconds_solve", seconds_.solve},
                 {"seconds_verdict", seconds_.verdict},
                 {"seconds_geometry", seconds_.geometry},
                 {"seconds_output", seconds_.output},
                 {"expectations", json::array()},
                 {"safeguards", safeguards_}};
  json worst = json::object();
  for (const auto& [name, largest] : maxima_) {
    result[name + "_max"] = largest.value;
    if (largest.step > 0) worst[name] = {{"step", largest.step}, {"time", largest.time}, {"where", largest.where}};
  }
  result["worst"] = std::move(worst);
  if (extra.is_object()) result.update(extra);

  // Figures first, while provenance is not there: for settings the rule is another one.
  json provenance = provenance_;
  if (const auto given = result.find("provenance"); given != result.end()) {
    provenance = *given;
    result.erase(given);
  }
  for_each_undefined(result, "", [this](const std::string& place, double) -> json {
    if (failed_steps_ > 0) return nullptr;
    throw std::runtime_error("summary.json: " + place + " is not a finite number although no step failed");
  });
  for_each_undefined(provenance, "", [](const std::string&, double value) -> json { return shortest_number(value); });
  result["provenance"] = std::move(provenance);
  return result;
}

std::string json_text(const json& document) {
  // Names come from files of users: a byte that is no UTF-8 is replaced, not a reason to lose the summary.
  return document.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

}  // namespace clarke
