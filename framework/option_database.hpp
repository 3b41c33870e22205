#pragma once
// Reading access to PETSc's options database: one place that knows its calls and its traps. Names are written without
// the leading '-'. PETSc compares names without regard to case.

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace clarke {

struct DatabaseOption {
  std::string name;
  std::string value;  // "" when the option was given without a value
  bool read = false;  // somebody has asked for it
};

/// Everything that is in the database, without marking anything as read.
std::vector<DatabaseOption> database_options();

/// The value of an option, "" when it was given without one, nothing when it was not given. Marks it as read.
std::optional<std::string> database_value(const std::string& name);

/// Sets or replaces an option; an empty value means "given without a value".
void set_database_option(const std::string& name, const std::string& value);

/// Removes an option if it is there.
void clear_database_option(const std::string& name);

/// Whether a word of the command line begins an option: PETSc's rule, by which "-1.5", "-1e5" and "-inf" are values.
bool is_option_word(const std::string& word);

}  // namespace clarke
