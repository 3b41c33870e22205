#pragma once
// A chain of point masses on springs without a direction, for questions to solvers: each is n springs k in one
// dimension, three times over.
//
//   node i = 1 … n of mass m, spring i between nodes i − 1 and i with k 1, node 0 does not move; all at rest, in
//   one place
//   k₁ ← r k₁ (`first_stiffness_ratio`), k_n ← r k_n (`last_stiffness_ratio`), m_n ← r m_n (`end_mass_ratio`)
//
// Springs are `ball` joints that give way, so that forces are linear in positions and J does not turn.
// [Macklin Erleben Müller Chentanez Jeschke Kim 2020, figure 6]

#include "scene/builders/builder.hpp"

namespace clarke {

class SpringChain final : public Builder {
 public:
  const char* summary() const override { return "chain of point masses on springs, linear, for condition numbers"; }
  void describe(SceneVisitor& v) override;
  void add_to(World& world) const override;

 private:
  std::string name_ = "spring_chain";
  int count_ = 10;
  double mass_ = 1;         // [kg]
  double stiffness_ = 100;  // [N/m]
  double first_ratio_ = 1, last_ratio_ = 1, end_ratio_ = 1;
};

}  // namespace clarke
