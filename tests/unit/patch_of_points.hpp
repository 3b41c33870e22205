#pragma once
// The patch that the points of a manifold span, for tests of what it leaves out.

#include "framework/math/vec3.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace clarke::test {

/// How far a place is from the hull of the points, seen along n [m], in sixteen directions.
inline double beyond(const std::vector<Vec3>& points, const Vec3& n, const Vec3& place) {
  constexpr int kDirections = 16;
  Vec3 t1, t2;
  tangent_frame(n, t1, t2);
  double most = -1e300;
  for (int k = 0; k < kDirections; ++k) {
    const double angle = 2 * M_PI * k / kDirections;
    const Vec3 d = std::cos(angle) * t1 + std::sin(angle) * t2;
    double reach = -1e300;
    for (const Vec3& p : points) reach = std::max(reach, dot(d, p));
    most = std::max(most, dot(d, place) - reach);
  }
  return most;
}

}  // namespace clarke::test
