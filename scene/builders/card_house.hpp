#pragma once
// A house of cards: rows of pairs of leaning cards, with a flat card over each gap between two pairs.
//
//   a card is a box of half extents (half_thickness, half_width, half_length) less the rounding, thickened by it: round
//   edges leaning by ±tilt from the vertical, two cards of a pair touch at their upper edges; the next row stands on
//   the flat cards
//
// Coordinates: the rows are along x, the ground is z = 0; the middle of the first row is at position.

#include "scene/builders/builder.hpp"

namespace clarke {

class CardHouse final : public Builder {
 public:
  const char* summary() const override { return "house of leaning cards"; }
  void describe(SceneVisitor& v) override;
  void add_to(World& world) const override;

 private:
  int levels_ = 3;
  double half_length_ = 0.05, half_width_ = 0.03, half_thickness_ = 0.0015, rounding_ = 0.001;  // [m]
  double tilt_ = 20 * 3.14159265358979323846 / 180;                                             // [rad]
  double mass_ = 0.01;                                                                          // [kg] of a card
  Vec3 position_{};
  std::string material_, name_ = "card";
};

}  // namespace clarke
