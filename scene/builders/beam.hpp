#pragma once
// A flexible beam as a row of boxes along x, welded by compliant joints: stiff against stretching and shear, with
// finite stiffness against bending and torsion.
//
//   k boxes of length ℓ = length/k; at each joint a moment k_b θ against a bend of θ, k_t against a twist [N m/rad]
//   E I = k_b ℓ of the equivalent continuous beam
//
// Macklin 2020, figure 10: sixteen boxes of 3 g with k_b = 250 N m/rad.

#include "scene/builders/builder.hpp"

namespace clarke {

class Beam final : public Builder {
 public:
  const char* summary() const override { return "row of boxes joined with bending stiffness"; }
  void describe(SceneVisitor& v) override;
  void add_to(World& world) const override;

 private:
  int parts_ = 16;
  double length_ = 0.8, part_mass_ = 0.003;  // [m], [kg]
  double bending_ = 250, torsion_ = 250;     // [N m/rad]
  double damping_ = 0;                       // [N m s/rad]
  Vec3 section_{0, 0.01, 0.01};              // [m] half extents; x unused
  Vec3 position_{};
  std::string material_, name_ = "beam";
};

}  // namespace clarke
