#include "cases/ladder.hpp"

#include "framework/text.hpp"

#include <algorithm>
#include <sstream>

namespace clarke {

/// file:line of the option that a message begins with, else the file.
static std::string place_of(const Recipe& recipe, const std::string& message) {
  for (const Recipe::Option& option : recipe.options)
    if (message.starts_with("-" + option.name + ":")) return recipe.file + ":" + std::to_string(option.line);
  return recipe.file;
}

void Ladder::set_up(const std::function<void(Rung&)>& make) {
  read_options(options_);
  std::istringstream names(options_.ladder);
  for (std::string name; std::getline(names, name, ',');) {
    Rung rung;
    try {
      rung.recipe = read_recipe(name);
    } catch (const InputError& error) {
      throw InputError(std::string("-ladder: ") + error.what());
    }
    for (const Rung& other : rungs_)
      if (other.recipe.file == rung.recipe.file) throw InputError("-ladder: '" + name + "' a second time");
    const ScopedRecipe scope(rung.recipe);
    const std::vector<std::string> described = described_option_names();
    try {
      check_option_names();
      make(rung);
    } catch (const InputError& error) {
      throw InputError(place_of(rung.recipe, error.what()) + ": " + error.what());
    }
    for (const Recipe::Option& option : scope.unread()) {
      const bool own = std::find(described.begin(), described.end(), lower_case(option.name)) != described.end();
      if (own)  // PETSc's may be read later, when matrices are there
        throw InputError(rung.recipe.file + ":" + std::to_string(option.line) + ": -" + option.name +
                         " is read by neither the contact law nor the solver of this recipe");
    }
    rungs_.push_back(std::move(rung));
  }
}

}  // namespace clarke
