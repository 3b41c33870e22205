#pragma once
// Marbles that run through a funnel onto the ground.
//
//   the funnel is static: `segments` convex plates around the vertical, from `hole` [m] radius at the height `height`
//   [m] to `rim` radius at `height` + (rim − hole) tan slope; a short spout below. It is one compound body,
//   <name>_funnel. marbles start on a cubic lattice of 2.5 radii above the rim, within 0.7 of its radius, moved by up
//   to a tenth of a radius by the seed of the scene
//
// Radii are those of the corners; the plates' inner faces are flat, so the hole is narrower by cos(π/segments).
// Marbles jam where the hole is less than about four of their diameters wide; that is not checked. Mass from the
// density of the material.

#include "scene/builders/builder.hpp"

namespace clarke {

class MarbleFunnel final : public Builder {
 public:
  const char* summary() const override { return "marbles that run through a funnel of convex plates"; }
  void describe(SceneVisitor& v) override;
  void add_to(World& world) const override;

 private:
  ShapeDescription funnel_shape() const;

  int count_ = 60, segments_ = 12;
  double radius_ = 0.008;                            // [m] of a marble
  double hole_ = 0.035, rim_ = 0.15, height_ = 0.1;  // [m]
  double slope_ = 0.7, wall_ = 0.01;                 // [rad], [m]
  Vec3 position_{};                                  // [m] of the ground below the hole
  std::string material_, funnel_material_, name_ = "marble";
};

}  // namespace clarke
