#pragma once
// Mass, gravity, loads and gyroscopic terms of particles and rigid bodies: everything of M and ũ that no joint or
// contact brings.
//
//   M = diag(m 1, R I_body Rᵀ) at q⁻, constant over the step
//   ũ = u⁻ + h M⁻¹ f,  f = (m g, −ω × I ω) + loads          g at t + θ h (implicit Euler: θ = 1)          [eq. M1, M2]

#include "framework/contributor.hpp"
#include "framework/options.hpp"
#include "physics/description/world.hpp"
#include "physics/rigid/loads.hpp"

namespace clarke {

struct BodyOptions {
  std::string gyroscopic = "implicit";
  void describe(OptionVisitor& v) {
    v.choice("gyroscopic", gyroscopic, {"implicit", "explicit", "none"},
             {"", "gyroscopic term: implicit never gains energy, explicit as in the papers, none"});
  }
};

class Bodies final : public Contributor {
 public:
  /// `mass` per entity (0 where it has no velocity block), `inertia` per body in its own frame; `damping` per entity:
  /// Rayleigh's α [1/s].
  Bodies(const Entities& entities, const std::vector<double>& mass, const std::vector<Mat3>& inertia,
         const std::vector<double>& damping, VectorFunction gravity, Loads loads, BodyOptions options);

  std::string kind() const override { return "bodies"; }
  void begin_step(const StepContext& context, const State& state) override;
  void pattern(PatternBuilder&) const override {}
  void evaluate(const StepContext&, const StepPoint&, const SystemSlice&, bool) override {}
  std::string item_name(int) const override { return ""; }
  void inverse_mass(const State& state, const View<Mat3>& inverse_mass) const override;
  void fill_mass(const StepContext& context, const State& state, SaddlePointSystem& system) override;

  MechanicalState mechanical_state(const State& state) const override;

 private:
  Entities entities_;
  View<double> mass_, damping_;
  View<Mat3> inertia_;
  VectorFunction gravity_;
  Loads loads_;
  Vec3 gravity_now_{};  // [m/s^2] of the step
  BodyOptions options_;
  mutable SumScratch<8> scratch_;
};

}  // namespace clarke
