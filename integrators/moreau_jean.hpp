#pragma once
// Moreau-Jean time stepping at velocity level, with restitution [Moreau 1988; Jean 1999; docs/theory.md, eq. T2]:
//
//   M (u⁺ − u⁻) = h f(t + θ h) + Jᵀ Λ,      q⁺ = q⁻ + h G(q⁻) (θ u⁺ + (1 − θ) u⁻)
//   contacts whose gap is predicted closed, C(q⁻) + ½ h Ċ⁻ ≤ 0:  0 ≤ v_n⁺ + e v_n⁻  ⊥  Λ_n ≥ 0  (Newton's impact law)
//   joints:   J u⁺ + β c(q⁻)/h = 0
//
// The convention of Siconos: the same laws as in implicit_euler, of velocities instead of gaps; contacts predicted open
// have no row. First order wherever a row acts, because J is that of q⁺; free motion with θ = 1/2 is of second order.
//
// Limits: positions drift by O(h) — joints are pulled back by β per step (-moreau_jean_joint_correction), contacts keep
// the small penetration in which they were caught. Compliant rows are implicit in q⁺.

#include "framework/integrator.hpp"
#include "framework/options.hpp"

namespace clarke {

struct MoreauJeanOptions {
  double theta = 0.5;
  double joint_correction = 0.2;
  void describe(OptionVisitor& v) {
    v.real("moreau_jean_theta", theta,
           {"1", "share of the end of the step in forces and motion; 1/2 conserves, 1 damps", 0.5, 1.0});
    v.real("moreau_jean_joint_correction", joint_correction,
           {"1", "share of a joint's position error that is removed per step", 0.0, 1.0});
  }
};

class MoreauJean final : public Integrator {
 public:
  /// Reads its options from the database.
  MoreauJean();
  StepContext begin_step(const State& state, double h, int step) const override;
  void configuration(const StepContext& context, const Entities& entities, const State& state, const View<Vec3>& u,
                     const View<Vec3>& x, const View<Quat>& orientation) const override;
  bool velocity_level() const override { return true; }
  void describe(OptionVisitor& visitor) override { options_.describe(visitor); }

 private:
  MoreauJeanOptions options_;
};

}  // namespace clarke
