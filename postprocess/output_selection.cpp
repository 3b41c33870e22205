#include "postprocess/output_selection.hpp"

#include "framework/error.hpp"

#include <algorithm>
#include <sstream>

namespace clarke {

const std::vector<std::string>& output_fields() {
  static const std::vector<std::string> names{"angular_velocity",
                                              "axis",
                                              "coefficients",
                                              "cone_axis_1",
                                              "cone_axis_2",
                                              "cone_usage",
                                              "coordinate",
                                              "displacement",
                                              "effort",
                                              "force",
                                              "friction_force",
                                              "gap",
                                              "geometric_penetration",
                                              "id",
                                              "name",
                                              "name_a",
                                              "name_b",
                                              "normal",
                                              "normal_force",
                                              "quality",
                                              "rate",
                                              "residual",
                                              "slip_velocity",
                                              "speed",
                                              "status",
                                              "structure",
                                              "torque",
                                              "velocity",
                                              "violation",
                                              "volumetric_strain",
                                              "von_mises"};
  return names;
}

bool OutputSelection::wants(const std::string& field) const {
  if (all_fields) return true;
  const std::vector<std::string>& optional = output_fields();
  if (std::find(optional.begin(), optional.end(), field) == optional.end()) return true;
  return std::find(fields.begin(), fields.end(), field) != fields.end();
}

void select_fields(OutputSelection& selection, const std::string& text) {
  selection.all_fields = text == "all";
  selection.fields.clear();
  if (text == "all" || text == "none") return;
  std::vector<std::string> known = output_fields();
  std::istringstream names(text);
  for (std::string name; std::getline(names, name, ',');) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      known.insert(known.end(), {"all", "none"});
      throw InputError("-output_fields: unknown field '" + name + "'" + suggestion(name, known));
    }
    selection.fields.push_back(name);
  }
}

}  // namespace clarke
