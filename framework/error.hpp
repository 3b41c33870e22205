#pragma once
// What the program says when it cannot go on. Three kinds, three exit codes (docs/architecture.md, "Errors").

#include <cstddef>
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

inline constexpr std::size_t kShortList = 12;  // names that still fit in one line of a message

/// "; did you mean 'x'?" or, when nothing is near and there are at most `most`, "; one of a, b, c", or "".
std::string suggestion(const std::string& name, const std::vector<std::string>& candidates,
                       std::size_t most = kShortList);

}  // namespace clarke
