#pragma once
// The command line, taken apart before PETSc and Kokkos start:
//
//   clarke <command> [positional ...] [--flag ...] [-option [value]] ...
//
// Positionals stand before the first word that begins with '-', because PETSc would take them for the value of the
// option in front of them. `--kokkos-…` and `-threads N` go to Kokkos and are never seen by PETSc; everything else with
// one '-' goes to PETSc's options database.

#include <string>
#include <vector>

namespace clarke {

struct Arguments {
  std::string program, command;
  std::vector<std::string> positionals;
  std::vector<std::string> flags;   // "--markdown", without Kokkos'
  std::vector<std::string> petsc;   // words for PetscInitialize, without the program
  std::vector<std::string> kokkos;  // words for Kokkos::ScopeGuard, without the program

  bool has_flag(const std::string& flag) const;
};

/// Throws InputError for words that belong nowhere, e.g. a second value after an option.
Arguments parse_arguments(int argc, char** argv);

/// The words of a command line as main() gets them: pointers into strings that this object owns.
class ArgumentVector {
 public:
  ArgumentVector(const std::string& program, const std::vector<std::string>& words);
  int& argc() { return argc_; }
  char**& argv() { return argv_; }

 private:
  std::vector<std::string> words_;
  std::vector<char*> pointers_;
  int argc_ = 0;
  char** argv_ = nullptr;
};

}  // namespace clarke
