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

/// What is in the database now was asked for by name; what comes is a preset's, which speaks to every solver.
void end_given_options();
/// Replaces the options that nobody but the preset says.
void set_preset_options(const std::vector<std::string>& names);
bool only_preset_says(const std::string& name);

/// Replaces the options that are read but heed nothing, because of `why`: warned of where they were asked for.
void set_unheeded_options(const std::vector<std::string>& names, const std::string& why);
/// A warning for each of them.
std::vector<std::string> unheeded_options();

/// Whether a word of the command line begins an option: PETSc's rule, by which "-1.5", "-1e5" and "-inf" are values.
bool is_option_word(const std::string& word);

}  // namespace clarke
