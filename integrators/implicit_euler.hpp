#pragma once
// Implicit Euler in velocity–impulse form [docs/theory.md, eq. T1]:
//
//   M (u⁺ − ũ) = Jᵀ Λ,   ũ = u⁻ + h M⁻¹ f,   q⁺ = q⁻ + h G(q⁻) u⁺     (quaternions renormalised)
//
// First order in h, dissipative. Laws are imposed at the end of the step: σ = ∂q⁺/∂u = h.

#include "framework/integrator.hpp"

namespace clarke {

class ImplicitEuler : public Integrator {
 public:
  StepContext begin_step(const State& state, double h, int step) const override;
  void configuration(const StepContext& context, const Entities& entities, const State& state, const View<Vec3>& u,
                     const View<Vec3>& x, const View<Quat>& orientation) const override;
};

}  // namespace clarke
