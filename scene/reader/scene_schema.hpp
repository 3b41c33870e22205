#pragma once
// JSON schema (draft 2020-12) of scene files for editors, written from the declarations that also read them.

#include <string>
#include <vector>

namespace clarke {

/// Builders must be registered before.
std::string scene_schema(const std::vector<std::string>& joint_types);

}  // namespace clarke
