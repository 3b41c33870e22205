#pragma once
// An options database of its own for a while: what runs under a ScopedOptions sees its options and no others.

#include <petscsys.h>

#include <stdexcept>
#include <string>

namespace clarke {

/// The options database holds exactly `options` ("-a 1 -b 2") during the life of this object.
class ScopedOptions {
 public:
  explicit ScopedOptions(const std::string& options) {
    require(PetscOptionsCreate(&database_));
    require(PetscOptionsPush(database_));
    require(PetscOptionsInsertString(nullptr, options.c_str()));
  }
  ~ScopedOptions() {
    (void)PetscOptionsPop();
    (void)PetscOptionsDestroy(&database_);
  }
  ScopedOptions(const ScopedOptions&) = delete;
  ScopedOptions& operator=(const ScopedOptions&) = delete;

 private:
  static void require(PetscErrorCode error) {
    if (error) throw std::runtime_error("PETSc refused the options");
  }
  PetscOptions database_ = nullptr;
};

}  // namespace clarke
