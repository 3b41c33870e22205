#include "assembly/fallback_sequence.hpp"

#include "framework/error.hpp"
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

void FallbackSequence::set_up(const std::function<void(const Recipe&)>& make) {
  read_options(options_);
  std::istringstream names(options_.sequence);
  std::vector<Recipe> recipes;
  for (std::string name; std::getline(names, name, ',');) {
    Recipe recipe;
    try {
      recipe = read_recipe(name);
    } catch (const InputError& error) {
      throw InputError(std::string("-fallback_sequence: ") + error.what());
    }
    for (const Recipe& other : recipes)
      if (other.file == recipe.file) throw InputError("-fallback_sequence: '" + name + "' a second time");
    const ScopedRecipe scope(recipe);
    const std::vector<std::string> described = described_option_names();
    try {
      check_option_names();
      make(recipe);
    } catch (const InputError& error) {
      throw InputError(place_of(recipe, error.what()) + ": " + error.what());
    }
    for (const Recipe::Option& option : scope.unread()) {
      const bool own = std::find(described.begin(), described.end(), lower_case(option.name)) != described.end();
      if (own)  // PETSc's may be read later, when matrices are there
        throw InputError(recipe.file + ":" + std::to_string(option.line) + ": -" + option.name +
                         " is read by neither the contact law nor the solver of this recipe");
    }
    recipes.push_back(std::move(recipe));
  }
}

Fallback fallback_of(const Recipe& recipe, std::unique_ptr<StepSolver> solver, ContactLawChoice law,
                     std::function<std::unique_ptr<RowLaw>(std::unique_ptr<RowLaw>)> exchange) {
  read_options(law);
  // The law that is not in force waits where both sides can reach it.
  auto waiting = std::make_shared<std::unique_ptr<RowLaw>>(law.create());
  const auto swap = [waiting, exchange = std::move(exchange)] { *waiting = exchange(std::move(*waiting)); };
  return {recipe.name, std::move(solver), [recipe, swap] {
            auto scope = std::make_shared<ScopedRecipe>(recipe);
            swap();
            return std::shared_ptr<void>(nullptr, [scope, swap](void*) { swap(); });
          }};
}

}  // namespace clarke
