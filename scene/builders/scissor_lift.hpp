#pragma once
// A scissor lift in the x-z plane: n stages of two crossed bars, hinged at their middles and ends, its lower left end
// hinged to the world, its lower right end sliding along x. A spindle pulls the slider; the height follows in closed
// form:
//
//   half width of a stage w = l cos α,  height of a stage H = 2 l sin α,  top z = n H        l half the length of a bar
//
// All hinges are parallel to y: in space this loops over and over and each loop has redundant rows, which the shift of
// the constraint block or a rank-revealing method must bear (clarke check names them).

#include "scene/builders/builder.hpp"

namespace clarke {

class ScissorLift final : public Builder {
 public:
  const char* summary() const override { return "stages of crossed bars, driven by a slider at the foot"; }
  void describe(SceneVisitor& v) override;
  void add_to(World& world) const override;

 private:
  int stages_ = 3;
  double half_length_ = 0.5, angle_ = 0.3;           // [m], [rad]
  double bar_mass_ = 2, foot_mass_ = 1, load_ = 50;  // [kg]
  TimeFunction motion_ = 0.0;                        // [m]
  std::string name_ = "lift";
};

}  // namespace clarke
