#pragma once
// Test support: worlds with soft bodies.

#include "tests/jointed.hpp"

namespace clarke::test {

/// A box of nx × ny × nz bricks with a corner at the origin; 0.45 and 1,000 kg/m³ unless changed.
inline SoftDescription soft_box(const std::string& name, Vec3 size, std::array<int, 3> bricks, double young) {
  SoftDescription body;
  body.name = name;
  body.mesh = tet_box({}, size, bricks[0], bricks[1], bricks[2]);
  body.young = young;
  return body;
}

inline World world_of(const SoftDescription& body, Vec3 gravity = {}) {
  World w;
  w.gravity = gravity;
  add_soft_body(w, body);
  return w;
}

/// Nodes at X[axis] = value, exactly.
inline std::vector<int> nodes_at(const SoftDescription& body, int axis, double value) {
  std::vector<int> out;
  for (std::size_t n = 0; n < body.mesh.nodes.size(); ++n)
    if (std::fabs(body.mesh.nodes[n][axis] - value) < 1e-12) out.push_back(static_cast<int>(n));
  return out;
}

}  // namespace clarke::test
