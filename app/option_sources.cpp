#include "app/option_sources.hpp"

#include "assembly/presets.hpp"
#include "assembly/recipes.hpp"
#include "assembly/run_options.hpp"
#include "framework/error.hpp"
#include "framework/option_database.hpp"
#include "framework/options.hpp"
#include "framework/renamed_options.hpp"
#include "framework/text.hpp"

#include <petscsys.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <set>

namespace clarke {
namespace {

/// The database holds what is stronger, so only what is not there yet is added.
/// Returns the names that were added.
std::vector<std::string> add_weaker(const std::vector<std::pair<std::string, std::string>>& options) {
  std::set<std::string> given;
  std::vector<std::string> added;
  for (const DatabaseOption& option : database_options()) given.insert(lower_case(option.name));
  for (const auto& [name, value] : options) {
    if (given.count(lower_case(name))) continue;
    set_database_option(name, value);
    added.push_back(name);
  }
  return added;
}

/// Options of a scene that has names of an earlier release.
void rename_scene_options(Scene& scene) {
  for (auto& [name, value] : scene.options) {
    const auto place = scene.places.extract("-" + name);
    const std::string warning = rename_old_option(name, value);
    if (!warning.empty())
      std::cerr << "warning: " << (place ? place.mapped() + ": " : std::string()) << warning << std::endl;
    if (place) scene.places["-" + name] = place.mapped();
  }
}

/// What -recipe says and nothing stronger has said, with its places.
std::map<std::string, std::string> add_recipe() {
  std::map<std::string, std::string> places;
  const std::string name = database_value("recipe").value_or("");
  if (name.empty()) return places;
  const Recipe recipe = read_recipe(name);
  for (const Recipe::Option& option : recipe.options)
    if (!add_weaker({{option.name, option.value}}).empty())
      places["-" + option.name] = recipe.file + ":" + std::to_string(option.line);
  return places;
}

}  // namespace

void add_scene_options(Scene& scene) {
  rename_scene_options(scene);
  const std::map<std::string, std::string> recipe_places = add_recipe();
  const std::vector<std::string> in_force = add_weaker(scene.options);
  for (const auto& [name, value] : scene.options)
    if (std::find(in_force.begin(), in_force.end(), name) == in_force.end()) scene.places.erase("-" + name);
  scene.places.insert(recipe_places.begin(), recipe_places.end());
  const bool penalty = database_value("contact_penalty").value_or("none") != "none";
  add_preset(penalty ? "smooth" : RunOptions().preset);
}

void add_preset(const std::string& standard, bool problems) {
  end_given_options();
  if (problems) (void)add_recipe();
  const std::string preset = database_value("preset").value_or(standard);
  if (problems)
    for (const std::string& name : add_weaker(find_preset(preset).of_problems)) (void)database_value(name);
  // A preset speaks to every solver: that the one selected does not read all of it is no mistake of the user's.
  const std::vector<std::string> names = add_weaker(find_preset(preset).options);
  for (const std::string& name : names) (void)database_value(name);
  set_preset_options(names);
  check_option_names();
}

bool help_wanted() {
  PetscBool wanted = PETSC_FALSE;
  if (PetscOptionsHasHelp(nullptr, &wanted)) return false;
  return wanted == PETSC_TRUE;
}

}  // namespace clarke
