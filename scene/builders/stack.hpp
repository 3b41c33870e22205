#pragma once
// A tower of boxes, one exactly on top of the other, with masses that may grow from box to box.
//
//   mass of box i = mass · mass_ratio^(i−1)  [kg],  i = 1 at the bottom
//   centre of box i at position + (0, 0, (2 i − 1) half.z)  [m]
//
// Macklin et al. 2019 use 8, 64, … 32768 kg with the heaviest on top: mass 8, mass_ratio 8.

#include "scene/builders/builder.hpp"

namespace clarke {

class Stack final : public Builder {
 public:
  const char* summary() const override { return "tower of boxes with masses in geometric progression"; }
  void describe(SceneVisitor& v) override;
  void add_to(World& world) const override;

 private:
  int count_ = 1;
  Vec3 half_{0.5, 0.5, 0.5};     // [m]
  double mass_ = 1, ratio_ = 1;  // [kg], [1]
  std::vector<double> masses_;   // [kg] instead of mass and ratio
  Vec3 position_{};              // [m] of the middle of the foot
  std::string material_, name_ = "box";
};

}  // namespace clarke
