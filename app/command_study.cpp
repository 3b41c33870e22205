// clarke study STUDY.yaml [-option value ...]: hands over to the study bench, a Python package in postprocess/study. It
// starts this program again for every run, so it is told where the program is. PETSc and Kokkos are not started for it:
// this process becomes Python's.

#include "app/commands.hpp"
#include "framework/error.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace clarke {
namespace {

namespace fs = std::filesystem;

/// Debian's Python, because that one sees Debian's packages (docs/dependencies.md).
constexpr const char* kPython = "/usr/bin/python3";

/// Beside an installed program, else in the source tree that the program was built from.
fs::path study_package(const fs::path& program) {
  const fs::path installed = program.parent_path().parent_path() / "share/clarke/postprocess/study";
  for (const fs::path& package : {installed, fs::path(CLARKE_SOURCE_DIR) / "postprocess/study"})
    if (fs::exists(package / "__main__.py")) return package;
  throw InputError("study: the study bench is not there: expected " + (installed / "__main__.py").string());
}

}  // namespace

int command_study(const Arguments& arguments) {
  if (!arguments.kokkos.empty())
    throw InputError("study: -threads is of a run: expected the key 'threads' in the study file");
  const fs::path program = fs::read_symlink("/proc/self/exe");
  std::vector<std::string> words = {study_package(program).string(), "--program", program.string()};
  words.insert(words.end(), arguments.positionals.begin(), arguments.positionals.end());
  words.insert(words.end(), arguments.petsc.begin(), arguments.petsc.end());
  ArgumentVector vector(kPython, words);
  execv(kPython, vector.argv());
  throw InputError("study: " + std::string(kPython) + ": " + std::strerror(errno));
}

}  // namespace clarke
