#include "app/petsc_errors.hpp"

#include <petscsys.h>

namespace clarke {
namespace {

std::string& message_of_first() {
  static std::string message;
  return message;
}

PetscErrorCode keep_first(MPI_Comm, int, const char* function, const char*, PetscErrorCode code, PetscErrorType type,
                          const char* message, void*) {
  if (type == PETSC_ERROR_INITIAL && message_of_first().empty())
    message_of_first() = (message && *message ? std::string(message) : "error " + std::to_string(code)) + ", in " +
                         (function ? function : "an unknown function");
  return code;
}

}  // namespace

void keep_petsc_errors_quiet() { PetscPushErrorHandler(keep_first, nullptr); }

std::string first_petsc_error() { return message_of_first(); }

}  // namespace clarke
