#pragma once
// N boxes that fall into a bin from a staggered lattice and come to rest in a pile.
//
//   n = ⌈√(count / layers)⌉ boxes along each side of a layer, in cells of c × c × 1.2 c,
//   c = (w + 2 offset + 0.01) edge,  w = cos t + √2 sin t for t = min(tilt, atan √2): a turned box's width in edges
//   odd layers are moved by half a cell along x and y against even ones; the bin is n + ½ cells wide inside
//
// So the pile stays about as deep whatever N is: with five layers some three to four boxes. Every box is turned by
// up to `tilt` about an axis of any direction and moved by up to `offset` edges along each axis, by the seed of
// the scene; none overlap at the start. With the small tilt of the default most land flat; with 3 rad the pile has
// no order. Lowest centres are one cell above the floor, the walls are as high as the lattice. Mass from the
// density of the material.

#include "scene/builders/builder.hpp"

namespace clarke {

class BoxPile final : public Builder {
 public:
  const char* summary() const override { return "boxes that fall into a bin"; }
  void describe(SceneVisitor& v) override;
  void add_to(World& world) const override;

 private:
  int count_ = 100, layers_ = 5;
  double edge_ = 0.2;                  // [m]
  double tilt_ = 0.1, offset_ = 0.05;  // [rad], [edges]
  Vec3 position_{};                    // [m] of the middle of the floor
  std::string material_, name_ = "box";
};

}  // namespace clarke
