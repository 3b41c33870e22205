#include "framework/option_origins.hpp"

#include "framework/option_database.hpp"
#include "framework/text.hpp"

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace clarke {
namespace {

/// Beside PETSc's database, which knows no origins, and global as it is.
std::map<std::string, std::string>& origins() {
  static std::map<std::string, std::string> all;
  return all;
}

std::set<std::string> options_in(std::istream& text) {
  std::set<std::string> names;
  for (std::string word; text >> word;)
    if (is_option_word(word)) names.insert(lower_case(word.substr(1)));
  return names;
}

}  // namespace

void note_option_origins(const std::vector<std::string>& command_line) {
  std::set<std::string> given;
  for (const std::string& word : command_line)
    if (is_option_word(word)) given.insert(lower_case(word.substr(1)));
  // The strongest first. [PETSc 3.18, PetscOptionsInsert]
  std::vector<std::pair<std::string, std::set<std::string>>> places;
  const char* const variable = std::getenv("PETSC_OPTIONS");
  std::istringstream text(variable ? variable : "");
  places.emplace_back("PETSC_OPTIONS", options_in(text));
  const char* const home = std::getenv("HOME");
  for (const std::string& file :
       {std::string("petscrc"), std::string(".petscrc"), std::string(home ? home : "") + "/.petscrc"})
    if (std::ifstream stream(file); stream) places.emplace_back(file, options_in(stream));
  for (const DatabaseOption& option : database_options()) {
    const std::string name = lower_case(option.name);
    if (given.count(name) || name == "no_signal_handler") continue;
    for (const auto& [place, names] : places) {
      if (!names.count(name)) continue;
      origins()[option.name] = place;
      break;
    }
  }
}

nlohmann::json option_origins_record() {
  nlohmann::json record = nlohmann::json::object();
  for (const auto& [name, place] : origins()) record[name] = place;
  return record;
}

}  // namespace clarke
