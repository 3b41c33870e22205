#pragma once
// A column of equal spheres in a square tube with a weight on top, at rest in a lattice whose height is known
// exactly: how far a solver lets the weight sink is its error.
//
//   layers of side × side and (side − 1) × (side − 1) spheres in turn, each sphere in the pocket of four below: the
//   face-centred cubic packing, its square layers horizontal. Spheres of one layer touch each other, and every second
//   layer the walls.
//
//   height of the weight's foot   2 r + (layers − 1) √2 r,  layers: the least, all whole, with `count` spheres or more
//   force on the floor            (spheres · mass + weight) g,  when the walls have no friction (`wall_material`)
//
// The weight is a cylinder that leaves 0.1 r free at the walls, so that spheres in the corners of a layer carry
// nothing. Weight = mass_ratio · mass of a sphere; Macklin et al. 2020, figure 1, have 256,000 spheres of 5 mm and 5 g,
// friction 0.3, and 80,000:1, poured instead of laid.

#include "scene/builders/builder.hpp"

namespace clarke {

class SpheresColumn final : public Builder {
 public:
  const char* summary() const override { return "spheres in a square tube under a heavy weight"; }
  void describe(SceneVisitor& v) override;
  void add_to(World& world) const override;

 private:
  int count_ = 200, side_ = 5;
  double radius_ = 0.005, mass_ = 0.005;  // [m], [kg]
  double mass_ratio_ = 80000;             // weight over sphere
  Vec3 position_{};                       // [m] of the middle of the floor
  std::string material_, wall_material_, name_ = "sphere";
};

}  // namespace clarke
