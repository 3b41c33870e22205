// clarke options [WORD] [--markdown]

#include "app/commands.hpp"
#include "framework/error.hpp"
#include "framework/options.hpp"

#include <iostream>
#include <sstream>

namespace clarke {
namespace {

/// The options with that word in their name or help, under the headings of their groups.
std::string options_with(const std::string& word) {
  std::istringstream all(options_help());
  std::string heading, found;
  for (std::string line; std::getline(all, line);) {
    if (!line.starts_with("  ")) {
      heading = line + "\n";
    } else if (line.find(word) != std::string::npos) {
      found += heading + line + "\n";
      heading.clear();
    }
  }
  return found;
}

}  // namespace

int command_options(const Arguments& arguments) {
  // `-snes_max_it` is an option on the command line, and a word to look for here.
  const std::vector<std::string>& words = arguments.positionals.empty() ? arguments.petsc : arguments.positionals;
  if (!words.empty() && !arguments.has_flag("--markdown")) {
    const std::string found = options_with(words.front());
    if (found.empty())
      throw InputError("no option has '" + words.front() + "' in its name or help; `clarke options` lists all");
    std::cout << found;
    return 0;
  }
  std::cout << (arguments.has_flag("--markdown") ? options_markdown() : options_help());
  return 0;
}

}  // namespace clarke
