#include "app/petsc_errors.hpp"

#include "linear/preconditioners/zero_pivot.hpp"

#include <petscsys.h>

namespace clarke {
namespace {

std::string& message_of_first() {
  static std::string message;
  return message;
}

std::string& function_of_first() {
  static std::string function;
  return function;
}

/// PETSc breaks long messages into lines.
std::string one_line(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool blank = c == '\n' || c == ' ' || c == '\t';
    if (!blank || (!out.empty() && out.back() != ' ')) out += blank ? ' ' : c;
  }
  return out;
}

PetscErrorCode keep_first(MPI_Comm, int, const char* function, const char*, PetscErrorCode code, PetscErrorType type,
                          const char* message, void*) {
  // A matrix without an inverse fails a solve, not the program (inner_solve.hpp): no other error is to blame it.
  if (type == PETSC_ERROR_INITIAL && message_of_first().empty() && !is_zero_pivot(code)) {
    function_of_first() = function ? function : "an unknown function";
    message_of_first() =
        one_line(message && *message ? message : "error " + std::to_string(code)) + ", in " + function_of_first();
  }
  return code;
}

}  // namespace

void keep_petsc_errors_quiet() { PetscPushErrorHandler(keep_first, nullptr); }

std::string first_petsc_error() { return message_of_first(); }

std::string petsc_hint() {
  const std::string& function = function_of_first();
  struct Part {
    const char *begins, *take;
  };
  for (const Part& part :
       {Part{"PC", "-pc_type (or -sub_pc_type, …): block_jacobi, jacobi, gamg, cholesky and lu always run"},
        Part{"KSP", "-ksp_type: gmres takes any system, preonly with -pc_type lu solves it directly"},
        Part{"SNES", "-snes_type: ssnal, nonsmooth_newton, newtonls, newtontr and nsgs run"}})
    if (function.rfind(part.begins, 0) == 0) return std::string("; take another ") + part.take;
  return "";
}

}  // namespace clarke
