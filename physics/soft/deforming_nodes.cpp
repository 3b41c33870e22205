#include "physics/soft/deforming_nodes.hpp"

#include <algorithm>
#include <cmath>

namespace clarke {

std::vector<int> nodes_of_sides(const std::vector<Vec3>& nodes, const std::vector<std::string>& sides) {
  constexpr double kOnSide = 1e-6;  // of the extent
  Vec3 low{INFINITY, INFINITY, INFINITY}, high = -low;
  for (const Vec3& x : nodes)
    for (int k = 0; k < 3; ++k) low[k] = std::fmin(low[k], x[k]), high[k] = std::fmax(high[k], x[k]);
  std::vector<int> out;
  for (const std::string& name : sides) {
    std::vector<std::string> parts{name};
    if (name.size() == 11 && name[5] == ' ') parts = {name.substr(0, 5), name.substr(6)};
    for (const std::string& part : parts)
      if (part.size() != 5 || part[0] < 'x' || part[0] > 'z' || (part.substr(1) != "_min" && part.substr(1) != "_max"))
        throw InputError(
            "expected x_min, x_max, y_min, y_max, z_min or z_max, or two of them, as 'x_min y_max', got '" + name +
            "'");
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      const bool there = std::all_of(parts.begin(), parts.end(), [&](const std::string& part) {
        const int axis = part[0] - 'x';
        const double side = part.substr(1) == "_min" ? low[axis] : high[axis];
        return std::fabs(nodes[n][axis] - side) <= kOnSide * (high[axis] - low[axis]);
      });
      if (there) out.push_back(static_cast<int>(n));
    }
  }
  return out;
}

}  // namespace clarke
