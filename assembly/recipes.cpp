#include "assembly/recipes.hpp"

#include "framework/error.hpp"
#include "framework/option_database.hpp"
#include "framework/renamed_options.hpp"
#include "framework/text.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

namespace clarke {

namespace {

namespace fs = std::filesystem;

constexpr const char* kEnding = ".options";

/// Where the program's own are: beside an installed program, or in the source tree.
std::vector<fs::path> folders() {
  std::vector<fs::path> out;
  std::error_code none;
  const fs::path program = fs::read_symlink("/proc/self/exe", none);
  if (!program.empty()) out.push_back(program.parent_path() / "../share/clarke/recipes");
#ifdef CLARKE_RECIPES
  out.emplace_back(CLARKE_RECIPES);
#endif
  return out;
}

fs::path file_of(const std::string& name) {
  std::error_code none;
  if (name.find('/') != std::string::npos || fs::path(name).extension() == kEnding) {
    if (fs::is_regular_file(name, none)) return name;
    throw InputError(name + ": no such recipe file");
  }
  for (const fs::path& folder : folders())
    if (fs::is_regular_file(folder / (name + kEnding), none)) return folder / (name + kEnding);
  throw InputError("unknown recipe '" + name + "'" + suggestion(name, recipe_names()) +
                   "; a file of your own is given with its path");
}

}  // namespace

std::vector<std::string> recipe_names() {
  std::set<std::string> names;
  std::error_code none;
  for (const fs::path& folder : folders())
    for (const auto& entry : fs::directory_iterator(folder, none))
      if (entry.path().extension() == kEnding) names.insert(entry.path().stem().string());
  return {names.begin(), names.end()};
}

Recipe read_recipe(const std::string& name) {
  const fs::path file = file_of(name);
  std::ifstream in(file);
  if (!in) throw InputError(file.string() + ": cannot be read");
  Recipe recipe{name, file.string(), {}};
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    std::istringstream words(line.substr(0, line.find('#')));
    std::string option, value, more;
    if (!(words >> option)) continue;
    words >> value;
    if (!is_option_word(option) || (words >> more) || is_option_word(value))
      throw InputError(recipe.file + ":" + std::to_string(number) + ": expected '-option value', got '" + line + "'");
    option.erase(0, 1);
    if (const std::string warning = rename_old_option(option, value); !warning.empty())
      std::cerr << "warning: " << recipe.file << ":" << number << ": " << warning << std::endl;
    for (const Recipe::Option& other : recipe.options)
      if (other.name == option)
        throw InputError(recipe.file + ":" + std::to_string(number) + ": -" + option + " a second time");
    recipe.options.push_back({option, value, number});
  }
  if (recipe.options.empty()) throw InputError(recipe.file + ": has no options");
  return recipe;
}

ScopedRecipe::ScopedRecipe(const Recipe& recipe) : recipe_(recipe) {
  const std::vector<DatabaseOption> present = database_options();
  for (const Recipe::Option& option : recipe.options) {
    const auto found = std::find_if(present.begin(), present.end(), [&](const DatabaseOption& p) {
      return lower_case(p.name) == lower_case(option.name);
    });
    const bool given = found != present.end();
    saved_.push_back({option.name, given ? found->value : "", given, given && found->read});
    clear_database_option(option.name);
    set_database_option(option.name, option.value);
  }
}

ScopedRecipe::~ScopedRecipe() {
  for (const Saved& saved : saved_) {
    clear_database_option(saved.name);
    if (!saved.given) continue;
    set_database_option(saved.name, saved.value);
    if (saved.read) (void)database_value(saved.name);
  }
}

std::vector<Recipe::Option> ScopedRecipe::unread() const {
  std::vector<Recipe::Option> out;
  for (const DatabaseOption& present : database_options())
    for (const Recipe::Option& option : recipe_.options)
      if (!present.read && lower_case(present.name) == lower_case(option.name)) out.push_back(option);
  return out;
}

}  // namespace clarke
