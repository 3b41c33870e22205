#include "framework/error.hpp"

#include <algorithm>
#include <numeric>

namespace clarke {
namespace {

constexpr std::size_t kShortStem = 3;  // fewer letters are the beginning of anything

/// Letters to change, add, drop or swap with their neighbour to get from a to b (optimal string alignment).
std::size_t edit_distance(const std::string& a, const std::string& b) {
  const std::size_t columns = b.size() + 1;
  std::vector<std::size_t> before_previous(columns), previous(columns), current(columns);
  std::iota(previous.begin(), previous.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({change, previous[j] + 1, current[j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        current[j] = std::min(current[j], before_previous[j - 2] + 1);
    }
    before_previous.swap(previous);
    previous.swap(current);
  }
  return previous[b.size()];
}

}  // namespace

std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates) {
  std::string nearest;
  std::size_t least = 0;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(name, candidate);
    if (3 * distance > std::max(name.size(), candidate.size())) continue;
    if (nearest.empty() || distance < least) {
      nearest = candidate;
      least = distance;
    }
  }
  if (!nearest.empty() || name.size() < kShortStem) return nearest;
  // Nothing is near: the first that goes on where the name ends, as ncp_function does after ncp.
  for (const std::string& candidate : candidates)
    if (candidate.starts_with(name)) return candidate;
  return "";
}

std::string suggestion(const std::string& name, const std::vector<std::string>& candidates, std::size_t most) {
  const std::string nearest = nearest_name(name, candidates);
  if (!nearest.empty()) return "; did you mean '" + nearest + "'?";
  if (candidates.empty() || candidates.size() > most) return "";
  std::string list = "; one of ";
  for (std::size_t i = 0; i < candidates.size(); ++i) list += (i ? ", " : "") + candidates[i];
  return list;
}

}  // namespace clarke
