#pragma once
// A straight chain of slender links joined by ball joints, hung up at one end, with a weight at the other.
//
//   link i = 1 … n reaches from position + (i − 1) L d to position + i L d, d the direction; its mass is in its middle
//   the weight, a ball, is joined at the end of the last link: its centre is one radius beyond
//
// Heavy weights are hard: with a mass ratio of 10,000 relaxation methods drift or blow up, see cases/chain.yaml.

#include "scene/builders/builder.hpp"

namespace clarke {

class Chain final : public Builder {
 public:
  const char* summary() const override { return "chain of links with a weight at its end"; }
  void describe(SceneVisitor& v) override;
  void add_to(World& world) const override;

 private:
  int links_ = 10;
  double link_mass_ = 1, weight_ = 10000;                  // [kg]
  double length_ = 0.2, thickness_ = 0.02, radius_ = 0.1;  // [m]
  Vec3 position_{}, direction_{1, 0, 0};
  std::string name_ = "link";
};

}  // namespace clarke
