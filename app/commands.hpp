#pragma once
// The subcommands. Each gets the arguments after PETSc and Kokkos have started, where it needs them, and everything is
// registered, and returns the exit code: 0 success, 1 a step failed or an expectation did not hold, 2 bad input (thrown
// as InputError).

#include "app/arguments.hpp"

#include <string>
#include <vector>

namespace clarke {

struct Command {
  const char* name;
  const char* usage;
  const char* summary;
  std::vector<std::string> flags;  // understood "--" words
  std::size_t min_positionals, max_positionals;
  int (*run)(const Arguments&);
  bool needs_solvers = true;  // PETSc and Kokkos are started for it
};

int command_run(const Arguments& arguments);
int command_check(const Arguments& arguments);
int command_list(const Arguments& arguments);
int command_options(const Arguments& arguments);
int command_study(const Arguments& arguments);
int command_solve(const Arguments& arguments);

const std::vector<Command>& commands();
/// The one that the command line names; throws InputError where there is none.
const Command& find_command(const Arguments& arguments);
/// Throws InputError for flags that the command does not know and for too many or too few positionals.
void check_usage(const Command& command, const Arguments& arguments);
/// Registers everything and runs the command; what it throws becomes one line on stderr and an exit code.
int run_guarded(const Command& command, const Arguments& arguments);
/// Text of `clarke --help`.
std::string usage();
/// Text of `clarke --version`.
std::string version_text();

}  // namespace clarke
