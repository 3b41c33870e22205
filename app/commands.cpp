#include "app/commands.hpp"

#include "app/petsc_errors.hpp"
#include "assembly/register.hpp"
#include "clarke_version.hpp"
#include "framework/error.hpp"
#include "framework/printable.hpp"
#include "framework/renamed_options.hpp"

#include <algorithm>
#include <exception>
#include <iostream>
#include <limits>
#include <new>
#include <stdexcept>

namespace clarke {

const std::vector<Command>& commands() {
  static const std::vector<Command> all = {
      {"run",
       "SCENE.yaml [-option value ...]",
       "simulate a scene and check what it expects; -restart FILE instead of the scene goes on from a checkpoint",
       {},
       0,
       1,
       command_run},
      {"check",
       "SCENE.yaml [-option value ...]",
       "read a scene and its options, build it, say what is in it; "
       "--schema prints the JSON schema of scenes",
       {"--schema"},
       0,
       1,
       command_check},
      {"solve",
       "PROBLEM.hdf5 ... [-option value ...]",
       "solve contact problems from files in the layout of FCLIB; several make a table",
       {},
       1,
       std::numeric_limits<std::size_t>::max(),
       command_solve},
      {"list",
       "[KIND [NAME]] [--compatibility]",
       "everything that can be selected by name; --compatibility: which friction cones go with which laws and "
       "strategies, "
       "found by running each",
       {"--compatibility"},
       0,
       2,
       command_list},
      {"options",
       "[WORD] [--markdown]",
       "all options with their defaults, or those with a word in their name or help",
       {"--markdown"},
       0,
       1,
       command_options},
      {"study",
       "STUDY.yaml [-study_jobs N] [-study_timing] [-study_quick] [-output_dir DIR]",
       "run what a study lists, each run in a process of its own, and write tables and a report",
       {},
       1,
       1,
       command_study,
       false},
  };
  return all;
}

std::string usage() {
  std::string text = "usage: clarke COMMAND ...\n\n";
  for (const Command& command : commands())
    text += "  clarke " + std::string(command.name) + " " + command.usage + "\n      " + command.summary + "\n";
  return text +
         "  clarke --version\n\n"
         "Options for run, check and solve: `clarke options` lists ours, `-help` with a scene adds those "
         "of the selected\n"
         "PETSc solvers. -threads N sets the number of threads. File names stand before the first "
         "option.\n"
         "Exit code 0: finished, all expectations held, all problems solved; 1: not so; 2: bad input.\n";
}

std::string version_text() {
  return std::string("clarke ") + kVersion + " (" + kGitHash + ")\nbackends: " + kBackends + "\n";
}

const Command& find_command(const Arguments& arguments) {
  std::vector<std::string> names;
  for (const Command& command : commands()) {
    if (arguments.command == command.name) return command;
    names.emplace_back(command.name);
  }
  if (arguments.command.empty())
    throw InputError("expected a command" + suggestion("", names) + " (see clarke --help)");
  if (arguments.command.ends_with(".yaml"))
    throw InputError("'" + arguments.command + "' is no command; to run a scene: clarke run " + arguments.command);
  throw InputError("unknown command '" + arguments.command + "'" + suggestion(arguments.command, names));
}

void check_usage(const Command& command, const Arguments& arguments) {
  const std::string expected = "usage: clarke " + std::string(command.name) + " " + command.usage;
  for (const std::string& flag : arguments.flags) {
    if (std::find(command.flags.begin(), command.flags.end(), flag) == command.flags.end())
      throw InputError("unknown flag '" + flag + "'; " + expected);
  }
  const std::size_t count = arguments.positionals.size();
  if (count > command.max_positionals)
    throw InputError("unexpected '" + arguments.positionals[command.max_positionals] +
                     "' (an option begins with '-' and its value is a word of its own: -time_end 1); " + expected);
  if (count < command.min_positionals) throw InputError("a file name is missing; " + expected);
}

namespace {

/// One line, with what PETSc had to say about it.
int report_error(const std::exception& error, int code) {
  const std::string petsc = first_petsc_error();
  std::cerr << "clarke: " << error_line(error.what()) << (petsc.empty() ? "" : " (PETSc: " + petsc + ")" + petsc_hint())
            << std::endl;
  return code;
}

}  // namespace

int run_guarded(const Command& command, const Arguments& arguments) {
  try {
    register_all();
    rename_old_options();
    return command.run(arguments);
  } catch (const InputError& error) {
    return report_error(error, 2);
  } catch (const std::bad_alloc&) {
    return report_error(std::runtime_error("out of memory"), 1);
  } catch (const std::exception& error) {
    return report_error(error, 1);
  }
}

}  // namespace clarke
