#pragma once
// Forces and torques that a scene prescribes, on bodies and particles, as functions of time.
//
//   ũ += h M⁻¹ (f, τ + r × f)    f, τ at t + θ h (implicit Euler: θ = 1); r = R p the point of attack at q⁻   [eq. M3]
//
// f and τ are in the world frame, or in that of the body at q⁻ (`body_frame`: they turn with it). p is in the body
// frame, relative to the centre of mass. First order in h for loads that turn or whose point does. Not on particles:
// torque, point, body frame. Not on what has no velocity of its own.
//
// Several loads on one body are summed in their order in the world. Nothing is allocated after construction, and
// nothing is evaluated or copied when all loads are constant.

#include "framework/state.hpp"
#include "framework/system.hpp"
#include "physics/description/world.hpp"

#include <vector>

namespace clarke {

/// What one load is during a step.
struct LoadValue {
  Vec3 force, torque;  // [N], [N m]
  Vec3 point;          // [m] body frame
  bool body_frame;
};

class Loads {
 public:
  Loads() = default;
  /// `entity`: the one each load acts on. Throws InputError for loads that cannot act there.
  Loads(const Entities& entities, std::vector<LoadDescription> loads, const std::vector<int>& entity);

  /// Values at time t, for add_to().
  void evaluate(double t);
  /// Adds to ũ; M⁻¹ must be there.
  void add_to(const StepContext& context, const State& state, SaddlePointSystem& system) const;

 private:
  void fill(double t);

  std::vector<LoadDescription> loads_;
  std::vector<int> order_;  // the loads sorted by entity
  bool constant_ = true;
  Entities entities_;
  View<int> entity_, first_;  // entities with loads; where those begin in values_, with the end
  View<LoadValue> values_;
  HostView<LoadValue> host_values_;
};

}  // namespace clarke
