// clarke options [--markdown]

#include "app/commands.hpp"
#include "framework/options.hpp"

#include <iostream>

namespace clarke {

int command_options(const Arguments& arguments) {
  std::cout << (arguments.has_flag("--markdown") ? options_markdown() : options_help());
  return 0;
}

}  // namespace clarke
