// clarke list [KIND [NAME]]: what can be selected by name, in the order of registration. With --compatibility a table,
// made by running every combination.

#include "app/commands.hpp"
#include "assembly/compatibility.hpp"
#include "assembly/presets.hpp"
#include "framework/error.hpp"
#include "framework/registry.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <unistd.h>

namespace clarke {
namespace {

std::vector<std::string> registered_kinds() {
  std::vector<std::string> kinds;
  for (const Registration& registration : registrations()) {
    if (std::find(kinds.begin(), kinds.end(), registration.kind) == kinds.end()) kinds.push_back(registration.kind);
  }
  return kinds;
}

void print_preset(const std::string& name) {
  const Preset& preset = find_preset(name);
  for (const auto& [option, value] : preset.options) std::cout << "      -" << option << " " << value << "\n";
  for (const auto& [option, value] : preset.of_problems)
    std::cout << "      -" << option << " " << value << " in clarke solve\n";
}

/// `only`: empty, or one name of them.
void print_kind(const std::string& kind, const std::string& only = "") {
  std::size_t width = 0;
  for (const Registration& r : registrations()) {
    if (r.kind == kind) width = std::max(width, r.name.size());
  }
  std::cout << kind << "\n";
  for (const Registration& r : registrations()) {
    if (r.kind != kind || (!only.empty() && r.name != only)) continue;
    std::cout << "  " << r.name << std::string(width - r.name.size() + 2, ' ') << r.summary
              << (r.citation.empty() ? "" : " [" + r.citation + "]") << "\n";
    if (kind == "preset") print_preset(r.name);
  }
}

/// Half a minute of runs: who waits at a terminal sees how far they are.
std::string table_with_progress() {
  if (isatty(fileno(stderr)) == 0) return compatibility_table();
  const std::string table = compatibility_table([](int done, int total) {
    std::fprintf(stderr, "\r\033[K%d of %d cells", done, total);
    std::fflush(stderr);
  });
  std::fputs("\r\033[K", stderr);
  return table;
}

}  // namespace

int command_list(const Arguments& arguments) {
  if (arguments.has_flag("--compatibility")) {
    std::cout << table_with_progress();
    return 0;
  }
  const std::vector<std::string> kinds = registered_kinds();
  if (arguments.positionals.empty()) {
    for (const std::string& kind : kinds) print_kind(kind);
    return 0;
  }
  const std::string& kind = arguments.positionals[0];
  if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) {
    std::string known = suggestion(kind, kinds);
    if (known.empty())
      for (const std::string& name : kinds) known += (known.empty() ? "; the kinds are " : ", ") + name;
    throw InputError("unknown kind '" + kind + "'" + known);
  }
  if (arguments.positionals.size() < 2) {
    print_kind(kind);
    return 0;
  }
  const std::string& name = arguments.positionals[1];
  std::vector<std::string> names;
  for (const Registration& r : registrations())
    if (r.kind == kind) names.push_back(r.name);
  if (std::find(names.begin(), names.end(), name) == names.end())
    throw InputError("unknown " + kind + " '" + name + "'" + suggestion(name, names));
  print_kind(kind, name);
  return 0;
}

}  // namespace clarke
