#pragma once
// A SceneVisitor that reads from YAML and can say the file and line of everything.

#include "scene/scene_visitor.hpp"

#include <string>

namespace clarke {

/// Reads the file and runs `describe` on its top-level map. Throws InputError `file:line: key: what was expected` for
/// unreadable files, YAML syntax errors, files with no or several documents, and everything that `describe` does not
/// accept. `text` receives the bytes of the file.
void read_yaml(const std::string& file, const SceneVisitor::Describe& describe, std::string& text);

}  // namespace clarke
