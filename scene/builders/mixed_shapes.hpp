#pragma once
// Bodies of all shapes in turn that fall into a bin: sphere, box, convex (a skew wedge), compound (a cross of three
// bars), capsule, cylinder. All fit into a sphere of `radius`.
//
//   n × n to a layer, n = ⌈√(count / layers)⌉, cells of 2.2 radii; any orientation, by the seed of the scene: none
//   overlap at the start the bin is as wide as a layer inside and as high as the lattice

#include "scene/builders/builder.hpp"

namespace clarke {

class MixedShapes final : public Builder {
 public:
  const char* summary() const override { return "bodies of all shapes that fall into a bin"; }
  void describe(SceneVisitor& v) override;
  void add_to(World& world) const override;

 private:
  int count_ = 40, layers_ = 4;
  double radius_ = 0.1;  // [m]
  Vec3 position_{};      // [m] of the middle of the floor
  std::string material_, name_ = "body";
};

}  // namespace clarke
