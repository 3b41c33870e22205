#include "cases/presets.hpp"

#include "framework/error.hpp"

namespace clarke {

const std::vector<Preset>& presets() {
  static const std::vector<Preset> all = {
      {"interactive",
       "the defaults: warm start, fixed iteration budgets of interactive use",
       "",
       {}},
      {"accurate",
       "full steps, as many iterations as it takes for residuals near round-off",
       "",
       {{"newton_damping", "1"},
        {"snes_max_it", "100"},
        {"ksp_max_it", "1000"},
        {"ksp_rtol", "1e-10"}}},
      {"paper",
       "friction by the fixed point W, damped steps from zero, 6 Newton by 20 linear iterations",
       "Macklin Erleben Mueller Chentanez Jeschke Makoviychuk 2019",
       {{"contact_law", "scalar"},
        {"ncp_function", "fischer_burmeister"},
        {"friction_map", "fixed_point"},
        {"ncp_corner", "inactive"},
        {"newton_damping", "0.75"},
        {"newton_start", "zero"},
        {"shift_relative", "0"},
        {"shift_absolute", "1e-6"},
        {"snes_max_it", "6"},
        {"ksp_max_it", "20"}}},
  };
  return all;
}

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const Preset& preset : presets()) names.push_back(preset.name);
  return names;
}

const Preset& find_preset(const std::string& name) {
  for (const Preset& preset : presets()) {
    if (preset.name == name) return preset;
  }
  throw InputError("-preset: unknown preset '" + name + "'" + suggestion(name, preset_names()));
}

}  // namespace clarke
