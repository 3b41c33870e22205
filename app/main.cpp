// The `clarke` program: starts PETSc, then Kokkos, runs one subcommand, ends them in reverse order, and turns what was
// thrown into one line on stderr and an exit code.

#include "app/commands.hpp"
#include "app/petsc_errors.hpp"
#include "framework/device.hpp"
#include "framework/device_probe.hpp"
#include "framework/error.hpp"
#include "framework/option_origins.hpp"
#include "framework/printable.hpp"
#include "framework/single_process.hpp"
#include "framework/thread_waiting.hpp"

#include <Kokkos_Core.hpp>
#include <petscsys.h>

#include <exception>
#include <iostream>

namespace clarke {
namespace {

int start_and_run(const Command& command, const Arguments& arguments) {
  if (const std::string missing = missing_device(); !missing.empty()) {
    std::cerr << "clarke: " << missing << std::endl;
    return 1;
  }
  ArgumentVector petsc(arguments.program, arguments.petsc);
  std::vector<std::string> kokkos_words = arguments.kokkos;
  kokkos_words.emplace_back("--kokkos-disable-warnings");
  ArgumentVector kokkos(arguments.program, kokkos_words);

  // Signals stay ours: an interrupt ends a run after the current step (command_run.cpp).
  keep_petsc_errors_quiet();
  start_as_single_process();
  if (PetscOptionsSetValue(nullptr, "-no_signal_handler", "true") ||
      PetscInitialize(&petsc.argc(), &petsc.argv(), nullptr, nullptr)) {
    std::cerr << "clarke: PETSc could not be started with these options: " << first_petsc_error() << std::endl;
    return 2;
  }
  note_option_origins(arguments.petsc);
  int code = 1;
  {
    const Kokkos::ScopeGuard guard(kokkos.argc(), kokkos.argv());
    count_transfers();
    code = run_guarded(command, arguments);
  }
  return PetscFinalize() ? 1 : code;
}

}  // namespace
}  // namespace clarke

int main(int argc, char** argv) {
  try {
    const clarke::Arguments arguments = clarke::parse_arguments(argc, argv);
    if (arguments.has_flag("--version") || arguments.command == "version") {
      std::cout << clarke::version_text();
      return 0;
    }
    if (arguments.has_flag("--help") || arguments.has_flag("-h") || arguments.command == "help") {
      std::cout << clarke::usage();
      return 0;
    }
    const clarke::Command& command = clarke::find_command(arguments);
    clarke::check_usage(command, arguments);
    if (!command.needs_solvers) return command.run(arguments);
    clarke::wait_briefly(argv);
    return clarke::start_and_run(command, arguments);
  } catch (const clarke::InputError& error) {
    std::cerr << "clarke: " << clarke::error_line(error.what()) << std::endl;
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "clarke: " << clarke::error_line(error.what()) << std::endl;
    return 1;
  }
}
