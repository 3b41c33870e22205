// clarke_fork_server: commands of the program, thousands of them, without its start of 0.1 s for each.
//
// PETSc, Kokkos and all libraries are started once. Then every line of stdin is a request
//
//   {"folder": "/scratch/7", "words": ["check", "input.yaml"], "seconds": 10, "wait": 300, "bytes": 8e9}
//
// which a child process carries out as `clarke check input.yaml` in that folder, with stdout and stderr into files of
// these names in it. `seconds` limits the processor's time [s], `wait` the clock's [s], `bytes` the address space
// beyond what is taken already [byte]. The answer is one line: "exit 2", or "signal 11".
//
// What differs from the program: options come into PETSc's database after its start, and a child ends without
// PetscFinalize(). tests/fuzz/mutants.py --start process starts the program itself instead.

#include "app/commands.hpp"
#include "app/petsc_errors.hpp"
#include "framework/device.hpp"
#include "framework/error.hpp"
#include "framework/option_origins.hpp"
#include "framework/printable.hpp"
#include "framework/single_process.hpp"

#include <Kokkos_Core.hpp>
#include <nlohmann/json.hpp>
#include <petscsys.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <iostream>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

using namespace clarke;

/// [byte] address space of this process.
double address_space() {
  std::ifstream file("/proc/self/statm");
  double pages = 0;
  file >> pages;
  return pages * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

void limit(const nlohmann::json& request) {
  const auto seconds = request.at("seconds").get<rlim_t>();
  const rlimit time{seconds, seconds + 1};
  (void)::setrlimit(RLIMIT_CPU, &time);
  (void)::alarm(request.at("wait").get<unsigned>());
#if !defined(__SANITIZE_ADDRESS__)  // whose shadow is terabytes of address space
  const auto bytes = static_cast<rlim_t>(address_space() + request.at("bytes").get<double>());
  const rlimit room{bytes, bytes};
  (void)::setrlimit(RLIMIT_AS, &room);
#endif
  const rlimit no_core{0, 0};
  (void)::setrlimit(RLIMIT_CORE, &no_core);
}

/// Makes `name` in the current folder what `descriptor` writes to.
void redirect(const char* name, int descriptor) {
  const int file = ::open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0 || ::dup2(file, descriptor) < 0) ::_exit(126);
}

int carry_out(const std::vector<std::string>& words) {
  ArgumentVector vector("clarke", words);
  try {
    const Arguments arguments = parse_arguments(vector.argc(), vector.argv());
    const Command& command = find_command(arguments);
    check_usage(command, arguments);
    ArgumentVector petsc(arguments.program, arguments.petsc);
    if (PetscOptionsInsert(nullptr, &petsc.argc(), &petsc.argv(), nullptr)) return 2;
    note_option_origins(arguments.petsc);
    return run_guarded(command, arguments);
  } catch (const InputError& error) {
    std::cerr << "clarke: " << error_line(error.what()) << std::endl;
    return 2;
  }
}

[[noreturn]] void be_the_program(const nlohmann::json& request) {
  const int nothing = ::open("/dev/null", O_RDONLY);
  if (nothing < 0 || ::dup2(nothing, STDIN_FILENO) < 0) ::_exit(126);
  if (::chdir(request.at("folder").get<std::string>().c_str()) != 0) ::_exit(126);
  redirect("stdout", STDOUT_FILENO);
  redirect("stderr", STDERR_FILENO);
  limit(request);
  const int code = carry_out(request.at("words").get<std::vector<std::string>>());
  std::cout.flush();
  std::fflush(nullptr);
  ::_exit(code);
}

int serve() {
  for (std::string line; std::getline(std::cin, line);) {
    const nlohmann::json request = nlohmann::json::parse(line);
    const pid_t child = ::fork();
    if (child == 0) be_the_program(request);
    int status = 0;
    while (child > 0 && ::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (child < 0) {
      std::perror("clarke_fork_server");
      return 1;
    }
    if (WIFSIGNALED(status))
      std::cout << "signal " << WTERMSIG(status) << std::endl;
    else
      std::cout << "exit " << WEXITSTATUS(status) << std::endl;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 1) {
    std::fputs("usage: clarke_fork_server; requests on stdin (tests/fuzz/fork_server/main.cpp)\n", stderr);
    return 2;
  }
  keep_petsc_errors_quiet();
  start_as_single_process();
  if (PetscOptionsSetValue(nullptr, "-no_signal_handler", "true") || PetscInitialize(&argc, &argv, nullptr, nullptr))
    return 1;
  int code = 1;
  {
    ArgumentVector kokkos("clarke", {"--kokkos-disable-warnings"});  // which would stand between the answers
    const Kokkos::ScopeGuard guard(kokkos.argc(), kokkos.argv());
    count_transfers();
    code = serve();
  }
  return PetscFinalize() ? 1 : code;
}
