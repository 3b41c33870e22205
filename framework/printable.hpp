#pragma once
// Names and values come from files of other people, and end on terminals: what would steer a terminal is shown instead.

#include <string>

namespace clarke {

/// Control characters as \n, \t, \x1b, …, and so bytes that are no UTF-8; everything else as it is. `lines`: line
/// breaks stay.
std::string printable(const std::string& text, bool lines = false);

}  // namespace clarke
