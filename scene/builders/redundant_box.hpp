#pragma once
// A box that touches the ground at n × n points of its lower face, where four would do: the contact problem has n²
// normal forces for three equations, so that the forces are not unique and the Delassus operator is singular. The
// points lie on a regular grid that reaches the corners.

#include "scene/builders/builder.hpp"

namespace clarke {

class RedundantBox final : public Builder {
 public:
  const char* summary() const override { return "box touching planes at a grid of points of its lower face"; }
  void describe(SceneVisitor& v) override;
  void add_to(World& world) const override;

 private:
  int points_ = 3;             // along each edge
  Vec3 half_{0.5, 0.5, 0.25};  // [m]
  double mass_ = 10;           // [kg]
  Vec3 position_{};            // [m] of the middle of the lower face
  std::string material_, name_ = "box";
};

}  // namespace clarke
