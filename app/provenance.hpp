#pragma once
// Which program a result comes from; part of the provenance in every summary.

#include <nlohmann/json_fwd.hpp>

namespace clarke {

/// Version, git hash, backends, build type, compiler, PETSc.
nlohmann::json program_provenance();

}  // namespace clarke
