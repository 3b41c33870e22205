#pragma once
// A time discretisation: what one step asks of the laws, and how velocity becomes configuration.
// A stage is q⁺ = q̂ + b G(q̂) u⁺ with its own b; implicit Euler has one stage with q̂ = q⁻ and b = h.

#include "framework/options.hpp"
#include "framework/registry.hpp"
#include "framework/stage.hpp"
#include "framework/state.hpp"

#include <string>

namespace clarke {

class FixedScheme;  // framework/fixed_scheme.hpp

class Integrator {
 public:
  virtual ~Integrator() = default;
  /// Context of the step that starts at `state`.
  virtual StepContext begin_step(const State& state, double h, int step) const = 0;
  /// q⁺(u): a pure function of u, evaluated from q⁻ at every iterate.
  virtual void configuration(const StepContext& context, const Entities& entities, const State& state,
                             const View<Vec3>& u, const View<Vec3>& x, const View<Quat>& orientation) const = 0;
  /// The stages of a step of length h, each a step of its own for begin_step() and configuration(); none: the step is
  /// one.
  virtual std::vector<Stage> stages(double /*h*/, const StepHistory& /*last*/) const { return {}; }
  /// M is that of the orientation to which the velocities at the start of a stage lead, not of the start itself.
  virtual bool mass_at_end() const { return false; }
  /// Takes rows that do not give way.
  virtual bool rigid_rows() const { return true; }
  /// Of those with stages: impulses of contacts act over this many lengths of a stage. Where it is not 1, contacts are
  /// implicit, and have no part in u̇⁻.
  virtual double contact_weight() const { return 1; }
  /// Registered name of those with stages, and what their users are told; may be "".
  virtual std::string name() const { return ""; }
  virtual std::string warning() const { return ""; }
  /// How its steps are solved, where there is one way only; null: by any solver.
  virtual const FixedScheme* fixed_scheme() const { return nullptr; }
  /// Whether laws see velocities (with restitution) instead of positions.
  virtual bool velocity_level() const { return false; }
  /// Options of the scheme, for reading and for the record.
  virtual void describe(OptionVisitor& /*visitor*/) {}
};

Registry<Integrator>& integrator_registry();

}  // namespace clarke
