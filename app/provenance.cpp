#include "app/provenance.hpp"

#include "clarke_version.hpp"

#include <nlohmann/json.hpp>
#include <petscsys.h>

#include <string>

namespace clarke {

nlohmann::json program_provenance() {
  return {{"version", kVersion},
          {"git_hash", kGitHash},
          {"backends", kBackends},
          {"build_type", kBuildType},
          {"compiler", kCompiler},
          {"petsc", std::to_string(PETSC_VERSION_MAJOR) + "." + std::to_string(PETSC_VERSION_MINOR) + "." +
                        std::to_string(PETSC_VERSION_SUBMINOR)}};
}

}  // namespace clarke
