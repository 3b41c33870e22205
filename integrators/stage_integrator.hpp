#pragma once
// What integrators that are lists of stages have in common: each stage is a step of implicit Euler
// (framework/stage.hpp). A scheme says its name and its stages.

#include "integrators/implicit_euler.hpp"

#include <string>

namespace clarke {

template <class Scheme>
class StageIntegrator final : public Integrator {
 public:
  StepContext begin_step(const State& state, double h, int step) const override { return {state.t, h, h, step, {}}; }
  void configuration(const StepContext& context, const Entities& entities, const State& state, const View<Vec3>& u,
                     const View<Vec3>& x, const View<Quat>& orientation) const override {
    stage_.configuration(context, entities, state, u, x, orientation);
  }
  std::vector<Stage> stages(double h, const StepHistory& last) const override { return Scheme::stages(h, last); }
  bool mass_at_end() const override { return true; }
  bool rigid_rows() const override { return Scheme::kRigidRows; }
  double contact_weight() const override { return Scheme::kContactWeight; }
  std::string name() const override { return Scheme::kName; }
  std::string warning() const override { return Scheme::kWarning; }

 private:
  ImplicitEuler stage_;
};

}  // namespace clarke
