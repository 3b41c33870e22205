#pragma once
// Tables that fall in layers and pile up: five boxes each, one compound body.
//
//   top   0.7 × 0.5 × 0.02 m           0.0070 m³
//   legs  4 of 0.025 × 0.025 × 0.4 m   0.0010 m³, flush with the corners of the top
//   mass  587.5 kg/m³ · 0.008 m³ = 4.7 kg, the mass and friction (0.7) of Macklin et al. 2019, figure 20;
//         they state no dimensions
//
// `columns` × `columns` tables to a layer, on a lattice of cells `pitch` × pitch × 0.6 m; odd layers are moved by
// `stagger` cells along x and y. Each is turned about the vertical by up to `turn` and then tilted by up to
// `tilt`, by the seed of the scene: none overlap at the start with a pitch of 0.95 m and more.

#include "scene/builders/builder.hpp"

namespace clarke {

class TablePile final : public Builder {
 public:
  const char* summary() const override { return "tables of five boxes that fall in layers"; }
  void describe(SceneVisitor& v) override;
  void add_to(World& world) const override;

 private:
  int count_ = 54, columns_ = 3;
  double pitch_ = 0.95, stagger_ = 0.5;  // [m], [cells]
  double turn_ = 3.1416, tilt_ = 0.1;    // [rad]
  double density_ = 587.5;               // [kg/m^3]
  Vec3 position_{};                      // [m] of the ground below the middle
  std::string material_, name_ = "table";
};

}  // namespace clarke
