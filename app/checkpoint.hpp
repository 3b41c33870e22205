#pragma once
// Checkpoints of `clarke run`: when they are due, what they say of the run they belong to, and how a run begins from
// one. The state itself is told by its owners (framework/state_archive.hpp).

#include "framework/state_archive.hpp"
#include "scene/scene.hpp"

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>

namespace clarke {

/// -checkpoint_every: so many steps, or so many seconds of the clock.
class CheckpointSchedule {
 public:
  /// "100", "600s", "0". Throws InputError.
  explicit CheckpointSchedule(const std::string& every);
  /// After step number `step` was done.
  bool due(int step) const;
  /// From time to time at all.
  bool wanted() const { return steps_ > 0 || seconds_ > 0; }
  void written() { last_ = Clock::now(); }

 private:
  using Clock = std::chrono::steady_clock;
  int steps_ = 0;
  double seconds_ = 0;
  Clock::time_point last_ = Clock::now();
};

/// What a checkpoint says beside the state: scene, options that were given, program. All paths as they were given, and
/// whole.
class RunOrigin {
 public:
  /// Of this run, with the options that are in the database now. To be made before the scene adds its own.
  explicit RunOrigin(std::string scene_file);
  /// Of the run a checkpoint is from.
  explicit RunOrigin(StateArchive& archive) { carry_over(archive); }

  void set_scene(const Scene& scene);
  void carry_over(StateArchive& archive);
  /// Puts the options in force that the command line does not override. Returns what it does override and what the
  /// results depend on, a warning each.
  std::vector<std::string> restore_options() const;
  /// Where the scene is now.
  std::string scene_file() const;
  /// Throws InputError where it is another scene than then; `file` is the checkpoint. Returns a warning where another
  /// program wrote it, or "".
  std::string check(const Scene& scene, const std::string& file) const;

 private:
  std::string file_, whole_path_, hash_, program_;
  std::vector<std::string> option_names_, option_values_, other_files_, other_hashes_;
};

/// "clarke 0.1.0 (1234abc)"
std::string program_name();

}  // namespace clarke
