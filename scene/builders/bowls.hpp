#pragma once
// Bowls of convex pieces that fall into each other and form a stack.
//
//   outside   radius R sin θ, height R (1 − cos θ);  inside the same about the same centre with R − thickness
//   θ from 25° (rim of the flat foot) to 65° (the rim) in `rings` steps of `segments` plates each; the foot is one disc
//
// One above the other with `gap` [m] beyond what nested bowls need, thickness / cos 65°; bowl i is turned by half
// a segment against bowl i − 1 and tilted by up to 0.02 rad, by the seed of the scene. After Xu and Barbič's
// plates in Macklin et al. 2020, figure 2 (512 bowls of 1160 triangles each).

#include "scene/builders/builder.hpp"

namespace clarke {

class Bowls final : public Builder {
 public:
  const char* summary() const override { return "bowls of convex pieces that fall into each other"; }
  void describe(SceneVisitor& v) override;
  void add_to(World& world) const override;

 private:
  ShapeDescription bowl_shape() const;

  int count_ = 4, segments_ = 12, rings_ = 2;
  double radius_ = 0.1, thickness_ = 0.006, gap_ = 0.01;  // [m]
  Vec3 position_{};                                       // [m] of the middle of the lowest foot
  std::string material_, name_ = "bowl";
};

}  // namespace clarke
