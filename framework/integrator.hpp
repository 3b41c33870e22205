#pragma once
// A time discretisation: what one step asks of the laws, and how velocity becomes configuration.
// A stage is q⁺ = q̂ + b G(q̂) u⁺ with its own b; implicit Euler has one stage with q̂ = q⁻ and b = h.

#include "framework/options.hpp"
#include "framework/registry.hpp"
#include "framework/state.hpp"

namespace clarke {

class Integrator {
 public:
  virtual ~Integrator() = default;
  /// Context of the step that starts at `state`.
  virtual StepContext begin_step(const State& state, double h, int step) const = 0;
  /// q⁺(u): a pure function of u, evaluated from q⁻ at every iterate.
  virtual void configuration(const StepContext& context, const Entities& entities, const State& state,
                             const View<Vec3>& u, const View<Vec3>& x, const View<Quat>& orientation) const = 0;
  /// Whether laws see velocities (with restitution) instead of positions.
  virtual bool velocity_level() const { return false; }
  /// Options of the scheme, for reading and for the record.
  virtual void describe(OptionVisitor& /*visitor*/) {}
};

Registry<Integrator>& integrator_registry();

}  // namespace clarke
