#include "framework/option_database.hpp"

#include "framework/text.hpp"

#include <petscsys.h>

#include <cctype>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>

namespace clarke {
namespace {

void check(PetscErrorCode code) {
  if (code) throw std::runtime_error("PETSc's options database failed (code " + std::to_string(code) + ")");
}

/// Name and value of the options nobody has read. PetscOptionsLeftGet keeps values whole; PetscOptionsGetAll does not.
std::map<std::string, std::string> unread_options() {
  PetscInt count = 0;
  char **names = nullptr, **values = nullptr;
  check(PetscOptionsLeftGet(nullptr, &count, &names, &values));
  std::map<std::string, std::string> unread;
  for (PetscInt i = 0; i < count; ++i) unread[names[i]] = values[i] ? values[i] : "";
  check(PetscOptionsLeftRestore(nullptr, &count, &names, &values));
  return unread;
}

}  // namespace

bool is_option_word(const std::string& word) {
  std::size_t start = 1;
  if (word.size() < 2 || word[0] != '-') return false;
  if (word[1] == '-') start = 2;
  if (start >= word.size() || !std::isalpha(static_cast<unsigned char>(word[start]))) return false;
  char* end = nullptr;  // "-inf", "-nan" and the like are numbers
  std::strtod(word.c_str(), &end);
  const bool number = end != word.c_str() && *end != '_' && !std::isalnum(static_cast<unsigned char>(*end));
  return !number;
}

std::vector<DatabaseOption> database_options() {
  const std::map<std::string, std::string> unread = unread_options();
  std::vector<DatabaseOption> options;
  options.reserve(unread.size());
  for (const auto& [name, value] : unread) options.push_back({name, value, false});

  // The read ones: PETSc lists their names only in one long text, in which a value may look like an option. A word
  // counts when PETSc knows it as read; asking for its value then changes nothing.
  char* all = nullptr;
  check(PetscOptionsGetAll(nullptr, &all));
  std::istringstream words(all ? all : "");
  check(PetscFree(all));
  std::map<std::string, std::string> read;
  for (std::string word; words >> word;) {
    if (!is_option_word(word)) continue;
    const std::string name = word.substr(1);
    PetscBool used = PETSC_FALSE;
    check(PetscOptionsUsed(nullptr, name.c_str(), &used));
    if (used && !unread.count(name)) read[name] = database_value(name).value_or("");
  }
  for (const auto& [name, value] : read) options.push_back({name, value, true});
  return options;
}

std::optional<std::string> database_value(const std::string& name) {
  const char* value = nullptr;
  PetscBool found = PETSC_FALSE;
  check(PetscOptionsFindPair(nullptr, nullptr, ("-" + name).c_str(), &value, &found));
  if (!found) return std::nullopt;
  return value ? std::string(value) : std::string();
}

void set_database_option(const std::string& name, const std::string& value) {
  check(PetscOptionsSetValue(nullptr, ("-" + name).c_str(), value.empty() ? nullptr : value.c_str()));
}

void clear_database_option(const std::string& name) { check(PetscOptionsClearValue(nullptr, ("-" + name).c_str())); }

namespace {

struct Unheeded {
  std::set<std::string> given, of_preset;
  std::vector<std::string> names;
  std::string why;
};

/// Beside PETSc's database, which knows no origins, and global as it is.
Unheeded& unheeded() {
  static Unheeded all;
  return all;
}

}  // namespace

void end_given_options() {
  unheeded().given.clear();
  for (const DatabaseOption& option : database_options()) unheeded().given.insert(lower_case(option.name));
}

void set_preset_options(const std::vector<std::string>& names) { unheeded().of_preset = {names.begin(), names.end()}; }

bool only_preset_says(const std::string& name) { return unheeded().of_preset.count(name) > 0; }

void set_unheeded_options(const std::vector<std::string>& names, const std::string& why) {
  unheeded().names = names;
  unheeded().why = why;
}

std::vector<std::string> unheeded_options() {
  std::vector<std::string> warnings;
  for (const std::string& name : unheeded().names)
    if (unheeded().given.count(name)) warnings.push_back("-" + name + " has no effect: " + unheeded().why);
  return warnings;
}

}  // namespace clarke
