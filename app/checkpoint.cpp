#include "app/checkpoint.hpp"

#include "clarke_version.hpp"
#include "framework/error.hpp"
#include "framework/option_database.hpp"
#include "framework/text.hpp"

#include <algorithm>
#include <set>

namespace clarke {
namespace {

/// Options that say how a run is watched or where it ends, and change no number of a step.
bool changes_nothing(const std::string& name) {
  static const std::set<std::string> all = {
      "restart",         "checkpoint_every",   "output_dir",       "time_end",
      "progress",        "check_expectations", "fail_unconverged", "output_every",
      "output_contacts", "output_bodies",      "output_fields",    "output_linear",
      "until_rest",      "rest_energy",        "rest_duration",    "conditioning",
      "explain",         "capture_problems",   "capture_by",       "capture_step",
      "capture_local",   "no_signal_handler",  "options_left",     "help"};
  return all.count(name) > 0 || name.starts_with("log_") || name.ends_with("_view") || name.ends_with("_monitor");
}

}  // namespace

CheckpointSchedule::CheckpointSchedule(const std::string& every) {
  const bool seconds = every.ends_with('s');
  const std::string digits = seconds ? every.substr(0, every.size() - 1) : every;
  if (seconds) {
    const std::optional<double> value = parse_real(digits);
    if (value && *value > 0) {
      seconds_ = *value;
      return;
    }
  } else if (const std::optional<long long> value = parse_integer(digits); value && in_range(double(*value), 0, 2e9)) {
    steps_ = static_cast<int>(*value);
    return;
  }
  throw InputError("-checkpoint_every: expected a number of steps like 100, of seconds like 600s, or 0, got '" + every +
                   "'");
}

bool CheckpointSchedule::due(int step) const {
  if (steps_ > 0) return step % steps_ == 0;
  return seconds_ > 0 && std::chrono::duration<double>(Clock::now() - last_).count() >= seconds_;
}

std::string program_name() { return std::string("clarke ") + kVersion + " (" + kGitHash + ")"; }

RunOrigin::RunOrigin(std::string scene_file)
    : file_(std::move(scene_file)), whole_path_(std::filesystem::absolute(file_).string()), program_(program_name()) {
  for (const DatabaseOption& option : database_options()) {
    if (option.name == "restart" || option.name == "no_signal_handler" || option.name == "help") continue;
    option_names_.push_back(option.name);
    option_values_.push_back(option.value);
  }
}

void RunOrigin::set_scene(const Scene& scene) {
  hash_ = scene.hash;
  for (const auto& [file, hash] : scene.other_files) {
    other_files_.push_back(file);
    other_hashes_.push_back(hash);
  }
}

void RunOrigin::carry_over(StateArchive& archive) {
  archive.group("run", [&] {
    archive.text("program", program_);
    archive.text("scene", file_);
    archive.text("scene_path", whole_path_);
    archive.text("scene_sha256", hash_);
    archive.texts("option_names", option_names_);
    archive.texts("option_values", option_values_);
    archive.texts("other_files", other_files_);
    archive.texts("other_sha256", other_hashes_);
  });
  if (option_names_.size() != option_values_.size() || other_files_.size() != other_hashes_.size())
    throw InputError("checkpoint: lists of options or files that do not belong together");
}

std::vector<std::string> RunOrigin::restore_options() const {
  std::vector<std::string> warnings;
  std::set<std::string> known;
  const std::vector<DatabaseOption> given = database_options();
  for (std::size_t i = 0; i < option_names_.size(); ++i) {
    const std::string& name = option_names_[i];
    known.insert(name);
    const auto same = [&name](const DatabaseOption& o) { return lower_case(o.name) == lower_case(name); };
    const auto at = std::find_if(given.begin(), given.end(), same);
    if (at == given.end()) {
      if (name != "output_dir") set_database_option(name, option_values_[i]);
    } else if (at->value != option_values_[i] && name == "time_step") {
      throw InputError("-time_step: was " + option_values_[i] + " when the checkpoint was written, and stays so; got " +
                       at->value);
    } else if (at->value != option_values_[i] && !changes_nothing(name)) {
      warnings.push_back("-" + name + " was " + option_values_[i] + " and is now " + at->value);
    }
  }
  for (const DatabaseOption& option : given) {
    if (known.count(option.name) || changes_nothing(option.name)) continue;
    if (option.name == "time_step")
      throw InputError("-time_step: was not given when the checkpoint was written, and the scene's stays; got " +
                       option.value);
    warnings.push_back("-" + option.name + " was not given and is now " + option.value);
  }
  for (std::string& warning : warnings) warning += ": from here on it is another run than the one that is continued";
  return warnings;
}

std::string RunOrigin::scene_file() const {
  return std::filesystem::exists(file_) || !std::filesystem::exists(whole_path_) ? file_ : whole_path_;
}

std::string RunOrigin::check(const Scene& scene, const std::string& file) const {
  if (scene.hash != hash_)
    throw InputError(file + ": belongs to another scene: " + scene.file +
                     " is not what it was when the checkpoint was written");
  for (std::size_t i = 0; i < other_files_.size(); ++i) {
    const auto same = [&](const auto& other) { return other.second == other_hashes_[i]; };
    if (std::none_of(scene.other_files.begin(), scene.other_files.end(), same))
      throw InputError(file + ": belongs to another scene: " + other_files_[i] +
                       " is not what it was when the checkpoint was written");
  }
  if (program_ == program_name()) return "";
  return file + " was written by " + program_ + ", this is " + program_name() +
         ": the run goes on, but perhaps not with the same bits";
}

}  // namespace clarke
