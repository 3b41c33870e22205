#pragma once
// Named sets of options, selected by `-preset NAME` on the command line or `preset: NAME` in a scene. A preset is the
// weakest source: a scene, PETSC_OPTIONS and the command line override it, in this order. `clarke list preset` shows
// what each sets.

#include <string>
#include <utility>
#include <vector>

namespace clarke {

struct Preset {
  std::string name, summary, citation;
  std::vector<std::pair<std::string, std::string>> options;      // names without '-'
  std::vector<std::pair<std::string, std::string>> of_problems;  // stronger than these in `clarke solve`
};

const std::vector<Preset>& presets();
std::vector<std::string> preset_names();
/// Throws InputError with the nearest name.
const Preset& find_preset(const std::string& name);

}  // namespace clarke
