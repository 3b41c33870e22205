#include "framework/renamed_options.hpp"

#include "framework/option_database.hpp"
#include "framework/text.hpp"

#include <iostream>

namespace clarke {

namespace {

struct RenamedOption {
  const char *old_name, *name;
};
constexpr RenamedOption kOptions[] = {
    {"shift_relative", "regularisation_relative"},
    {"shift_absolute", "regularisation_absolute"},
    {"shift_rule", "regularisation_rule"},
    {"shift_gain", "regularisation_gain"},
    {"shift_power", "regularisation_power"},
    {"shift_min", "regularisation_min"},
    {"shift_max", "regularisation_max"},
    {"ladder", "fallback_sequence"},
    {"hardness", "conditioning"},
};

struct RenamedValue {
  const char *option, *old_value, *value;
};
constexpr RenamedValue kValues[] = {
    {"contact_law", "scalar", "decoupled"},
    {"friction_map", "tangent", "disc_projection"},
    {"friction_map", "tangent_coupled", "disc_projection_coupled"},
    {"r_factor", "effective_mass", "delassus_diagonal"},
    {"r_factor", "effective_mass_contact", "delassus_trace"},
};

}  // namespace

std::string rename_old_option(std::string& name, std::string& value) {
  std::string warning;
  const std::string given = "-" + name;
  for (const RenamedOption& option : kOptions)
    if (lower_case(name) == option.old_name) {
      name = option.name;
      warning = given + " is called -" + name + " now";
    }
  for (const RenamedValue& renamed : kValues)
    if (lower_case(name) == renamed.option && value == renamed.old_value) {
      value = renamed.value;
      warning += (warning.empty() ? given : ", and") + std::string(" ") + renamed.old_value + " is called " + value +
                 (warning.empty() ? " now" : "");
    }
  return warning.empty() ? warning : warning + "; the old name goes with the next release";
}

void rename_old_options() {
  for (const DatabaseOption& option : database_options()) {
    std::string name = option.name, value = option.value;
    const std::string warning = rename_old_option(name, value);
    if (warning.empty()) continue;
    std::cerr << "warning: " << warning << std::endl;
    clear_database_option(option.name);
    set_database_option(name, value);
  }
}

}  // namespace clarke
