#pragma once
// The steps of a run that were captured (assembly/problem_capture.hpp), as problem files.

#include "app/session.hpp"

#include <string>
#include <vector>

namespace clarke {

/// Writes them into <output_dir>/problems: "box_pile-step000012-c345.hdf5"; with -capture_local each in the local form,
/// too. Returns the files.
std::vector<std::string> write_captured_problems(Session& session, const std::vector<CapturedStep>& steps);

}  // namespace clarke
