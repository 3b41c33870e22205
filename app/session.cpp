#include "app/session.hpp"

#include "app/option_sources.hpp"
#include "app/provenance.hpp"
#include "framework/error.hpp"
#include "framework/option_origins.hpp"
#include "framework/printable.hpp"
#include "physics/register.hpp"

#include <nlohmann/json.hpp>

#include <iostream>

namespace clarke {
namespace {

RunOptions run_options(const Scene& scene) {
  RunOptions options;
  options.output_dir = scene.output.directory;
  options.output_every = scene.output.every;
  options.output_contacts = scene.output.contacts;
  options.output_bodies = scene.output.bodies;
  if (!scene.output.fields.empty()) options.output_fields.clear();
  for (const std::string& field : scene.output.fields)
    options.output_fields += (options.output_fields.empty() ? "" : ",") + field;
  options.time_step = scene.time_step;
  options.time_end = scene.time_end;
  read_options(options);
  return options;
}

/// Calls act(); what it refuses is said with the line of the scene that asked for it.
template <class Act>
auto with_places(const Scene& scene, const Act& act) {
  try {
    return act();
  } catch (const InputError& error) {
    throw InputError(with_place(scene, error.what()));
  }
}

}  // namespace

Session::Session(const std::string& scene_file) : scene_(read_scene(scene_file, constraint_registry().names())) {
  for (const std::string& warning : scene_.warnings)
    std::cerr << "clarke: warning: " << printable(warning) << std::endl;
  with_places(scene_, [this] { build(); });
}

void Session::build() {
  add_scene_options(scene_);
  options_ = run_options(scene_);
  read_options(capture_);
  steps_ = step_count(options_.time_step, options_.time_end);
  selection_.contacts = options_.output_contacts;
  selection_.poses = options_.output_bodies == "poses";
  select_fields(selection_, options_.output_fields);
  model_ = std::make_unique<Model>(scene_.world, options_.time_step);
}

Session::~Session() = default;

int Session::prepare() {
  return with_places(scene_, [this] { return model_->prepare(); });
}

StepReport Session::step() {
  stepped_ = false;
  StepReport report = with_places(scene_, [this] { return model_->step(); });
  stepped_ = true;
  return report;
}

std::vector<std::string> Session::unused_options() const {
  std::vector<std::string> warnings = with_places(scene_, check_unused_options);
  for (std::string& warning : warnings) warning = with_place(scene_, warning);
  return warnings;
}

ConditioningCard Session::conditioning() const {
  ConstraintRankOptions options;
  read_options(options);
  return conditioning_card(model_->problem(), options.tolerance);
}

Frame Session::frame() const { return model_->frame(); }

std::vector<Surface> Session::surfaces() const { return model_->surfaces(); }

OutputEstimate Session::output_estimate(double contacts) const {
  return estimate_output(frame(), surfaces(), selection_, steps_, options_.output_every, contacts,
                         scene_.sensors.size());
}

nlohmann::json Session::provenance() {
  RunOptions run = options_;
  nlohmann::json out = program_provenance();
  out["scene"] = {
      {"file", scene_.file}, {"sha256", scene_.hash}, {"seed", scene_.seed}, {"build_options", scene_.build_options}};
  out["other_files"] = scene_.other_files;
  out["run"] = options_record([&run](OptionVisitor& v) { run.describe(v); });
  out["options"] = model_->resolved_options();
  if (nlohmann::json origins = option_origins_record(); !origins.empty()) out["option_origins"] = std::move(origins);
  return out;
}

}  // namespace clarke
