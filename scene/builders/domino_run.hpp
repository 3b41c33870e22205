#pragma once
// Rows of dominoes along arcs; the first of each row is pushed and all fall, one after the other.
//
//   a domino is 48 × 24 × 7.5 mm; `spacing` [m] apart along the arc, centre to centre; turned with the arc
//   heading of domino k of a row: (k − 1) · spacing / arc_radius  [rad]
//   `rows` rows on a square lattice, 2.5 arc radii apart: groups that never touch each other, an island each
//   push: the first domino turns about its lower front edge with `push` [rad/s]; it tips from about 2.7 rad/s on
//
// Row i starts at its point of the lattice, along x. A row of more than π · arc_radius / spacing dominoes would meet
// itself or its neighbours and is refused.

#include "scene/builders/builder.hpp"

namespace clarke {

class DominoRun final : public Builder {
 public:
  const char* summary() const override { return "rows of dominoes along arcs, of which the first is pushed"; }
  void describe(SceneVisitor& v) override;
  void add_to(World& world) const override;

 private:
  int rows_ = 4, count_ = 12;                  // dominoes: of a row
  double spacing_ = 0.02, arc_radius_ = 0.12;  // [m]
  double push_ = 6;                            // [rad/s]
  Vec3 position_{};                            // [m] of the first domino's foot
  std::string material_, name_ = "domino";
};

}  // namespace clarke
