// Is every option that was given one that exists? Before PETSc sees them (check_option_names), and after the first
// step, when everybody has read what concerns him (check_unused_options).

#include "framework/error.hpp"
#include "framework/option_database.hpp"
#include "framework/option_values.hpp"
#include "framework/options.hpp"
#include "framework/petsc_names.hpp"
#include "framework/text.hpp"

#include <algorithm>
#include <set>

namespace clarke {
namespace {

/// As they are written on the command line.
std::vector<std::string> names_to_suggest() {
  std::vector<std::string> names = described_option_names();
  const std::vector<std::string> petsc = known_petsc_names();
  names.insert(names.end(), petsc.begin(), petsc.end());
  for (std::string& name : names) name.insert(0, 1, '-');
  return names;
}

/// The pc_type that goes with "<prefix>pc_factor_mat_solver_type".
std::string pc_type_beside(const std::string& option, const std::vector<DatabaseOption>& options) {
  const std::string base = "pc_factor_mat_solver_type";
  if (!has_base_name(option, base)) return "";
  const std::string selector = option.substr(0, option.size() - base.size()) + "pc_type";
  for (const DatabaseOption& other : options) {
    if (lower_case(other.name) == selector) return other.value;
  }
  return "";
}

/// A well-known PETSc option with a prefix in front ("outer_ksp_rtol"), or without.
bool is_known_petsc_name(const std::string& option) {
  const std::vector<std::string> names = known_petsc_names();
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return has_base_name(option, name); });
}

std::string nearest_option(const std::string& name) {
  const std::string found = suggestion("-" + name, names_to_suggest());
  return found.empty() ? "; see clarke options, and -help for PETSc's" : found;
}

/// One message for all names that are no options.
void refuse(const std::vector<std::string>& unknown) {
  if (unknown.empty()) return;
  std::string message = unknown.front();
  for (std::size_t k = 1; k < unknown.size(); ++k) message += (message.back() == '?' ? " And " : ". And ") + unknown[k];
  throw InputError(message);
}

/// Whether somebody has selected this type by option; a type selected as a default is not seen here.
bool is_selected(const TypeOwner& owner, const std::vector<DatabaseOption>& options) {
  return std::any_of(options.begin(), options.end(), [&](const DatabaseOption& option) {
    return option.read && has_base_name(lower_case(option.name), owner.selector) && option.value == owner.type;
  });
}

}  // namespace

void check_option_names() {
  const std::vector<std::string> described = described_option_names();
  const std::set<std::string> own(described.begin(), described.end());
  const std::vector<DatabaseOption> options = database_options();
  std::vector<std::string> unknown;
  for (const DatabaseOption& option : options) {
    const std::string name = lower_case(option.name);
    if (own.count(name)) continue;
    if (!is_petsc_family(name) && !is_known_petsc_name(name)) {
      unknown.push_back("-" + option.name + ": unknown option" + nearest_option(name));
      continue;
    }
    check_petsc_value(name, option.value, pc_type_beside(name, options));
  }
  refuse(unknown);
  check_described_values();
}

std::vector<std::string> check_unused_options() {
  const std::vector<std::string> described = described_option_names();
  const std::set<std::string> own(described.begin(), described.end());
  const std::vector<DatabaseOption> options = database_options();
  std::vector<std::string> warnings = unheeded_options(), unknown;
  for (const DatabaseOption& option : options) {
    const std::string name = lower_case(option.name);
    if (option.read || is_read_elsewhere(name)) continue;
    if (own.count(name) || is_known_petsc_name(name)) {
      const std::string owners = owners_of(name);
      warnings.push_back("-" + option.name + " has no effect: nothing that is selected reads it" +
                         (owners.empty() ? "" : " (it is of " + owners + ")"));
      continue;
    }
    const std::optional<TypeOwner> owner = type_owner(name);
    if (owner && !is_selected(*owner, options)) {
      warnings.push_back("-" + option.name + " has no effect: it belongs to -" + owner->selector + " " + owner->type +
                         ", which is not selected");
      continue;
    }
    unknown.push_back("-" + option.name + ": no such option (nothing has read it)" + nearest_option(name));
  }
  refuse(unknown);
  return warnings;
}

}  // namespace clarke
