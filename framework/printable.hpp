#pragma once
// Names and values come from files of other people, and end on terminals: what would steer a terminal is shown instead.

#include <string>

namespace clarke {

/// Control characters as \n, \t, \x1b, …, and so bytes that are no UTF-8; everything else as it is. `lines`: line
/// breaks stay.
std::string printable(const std::string& text, bool lines = false);

/// An error as the one line that a terminal gets: printable, and of a text of megabytes, which a file held in the place
/// of a name, the beginning and the end, with how much was left out between them.
std::string error_line(const std::string& message);

}  // namespace clarke
