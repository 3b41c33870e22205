#pragma once
// What the program says when it cannot go on. Three kinds, three exit codes (docs/architecture.md, "Errors").

#include <stdexcept>
#include <string>
#include <vector>

namespace clarke {

/// Bad input (exit code 2): one message, `file:line: key: what was expected` where there is a file.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A time step failed: NaN, divergence, or a limit set by option exceeded (exit code 1).
class StepError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The candidate nearest to `name` by edit distance, else (more than a third of the letters off) one that begins with
/// it, or "".
std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates);

/// "; did you mean 'x'?" or, when nothing is near and the list is short, "; one of a, b, c", or "".
std::string suggestion(const std::string& name, const std::vector<std::string>& candidates);

}  // namespace clarke
