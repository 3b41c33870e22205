#pragma once
// Frustum: a regular pyramid about z without its top; a prism where both ends are alike, a pyramid where the top is a
// point.
//
//   volume   h/3 (A + √(A A') + A'),   A = n/2 r² sin(2π/n), A' likewise of the top

#include "physics/description/polyhedra/polyhedron.hpp"

#include <cmath>
#include <numbers>

namespace clarke {

struct Frustum {
  static constexpr const char* kName = "frustum";
  static constexpr const char* kSummary = "a regular pyramid cut off, a prism or a whole pyramid, about z";
  static constexpr std::array<PolyhedronKey, 4> kKeys{
      {{"sides", "of both ends", "", 2, 32, true},
       {"radius", "of the corners of the lower end"},
       {"top_radius", "of the upper end; 0: a point", "m", 0, std::numeric_limits<double>::infinity(), false, true},
       {"height", "along z"}}};
  int sides;
  double radius, top_radius, height;  // [m]

  static Frustum of(const PolyhedronNumbers& k) { return {static_cast<int>(k[0]), k[1], k[2], k[3]}; }
  std::vector<Vec3> corners() const {
    std::vector<Vec3> out;
    for (int i = 0; i < sides; ++i) {
      const double angle = 2 * std::numbers::pi * i / sides, c = std::cos(angle), s = std::sin(angle);
      out.push_back({radius * c, radius * s, 0});
      if (top_radius > 0) out.push_back({top_radius * c, top_radius * s, height});
    }
    if (!(top_radius > 0)) out.push_back({0, 0, height});
    return out;
  }
};

}  // namespace clarke
