#pragma once
// An inclined plane with a box that rests on it exactly.
//
//   plane through the origin, normal n = (sin α cos β, sin α sin β, cos α); downhill d = (cos α cos β, cos α sin β,
//   −sin α) box: z axis along n, x axis along d, centre at half.z n
//
// For a box at rest at the start, friction μ and backward Euler with the step h, after k steps [method of the tests]:
//   displacement along d   a h² k (k + 1) / 2,   speed   a h k,   a = g max(0, sin α − μ cos α)
// The box slides without tipping as long as μ < half.x / half.z.

#include "scene/builders/builder.hpp"

namespace clarke {

class Slope final : public Builder {
 public:
  const char* summary() const override { return "inclined plane with a box resting on it"; }
  void describe(SceneVisitor& v) override;
  void add_to(World& world) const override;

 private:
  double angle_deg_ = 30, heading_deg_ = 0;
  Vec3 half_{0.5, 0.5, 0.25};  // [m]
  double mass_ = 10;           // [kg]
  double speed_ = 0;           // [m/s] downhill at the start
  std::string material_, name_ = "box", plane_name_ = "slope";
};

}  // namespace clarke
