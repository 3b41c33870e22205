#pragma once
// A look at a YAML text before it becomes nodes. Some lines of anchors and aliases can stand for billions of nodes, and
// brackets can be nested deeper than any reader's stack. Bytes that are no text bring the parser into endless loops.

#include <string>

namespace clarke {

/// Throws InputError `file:line: …` for what is not UTF-8, for control characters, for aliases that stand for much more
/// than is written, for one inside of what it stands for, and for nesting deeper than kMostLevels. Errors of syntax are
/// the parser's to say.
void check_yaml(const std::string& file, const std::string& text);

}  // namespace clarke
