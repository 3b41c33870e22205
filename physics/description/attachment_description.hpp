#pragma once
// Attachments as plain host data: points of bodies and particles whose weighted sum is held at zero, rigidly or by a
// spring.

#include "framework/math/vec3.hpp"

#include <string>
#include <vector>

namespace clarke {

struct AttachedPoint {
  std::string thing;  // body, particle or "world"
  double weight;      // w
  Vec3 point{};       // [m] world frame at the start; of a particle: its position
};

/// c = Σ w_i x_i [m], three rows: with weights 1 and −1 two points coincide; with barycentric weights one of them is a
/// point inside an element; with 1, −2, 1 three points in a row stay straight.
struct AttachmentDescription {
  std::string name;
  std::vector<AttachedPoint> points;  // 1 to 8
  double compliance = 0;              // [m/N]; 0 is rigid
  double damping = 0;                 // [N s/m] of a compliant one
};

}  // namespace clarke
