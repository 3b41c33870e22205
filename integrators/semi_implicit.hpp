#pragma once
// Semi-implicit Euler: one Newton step of implicit Euler in the velocity, from the last one [docs/theory.md, eq. T4].
//
//   H(u⁻) (u⁺ − u⁻) = −R(u⁻),   q⁺ = q⁻ + h G(q⁻) u⁺        R, H of eq. D6, positions in them q⁻ + h G u⁻
//
// First order. Where forces are linear it is implicit Euler, stable for every h; else stable as long as H, which is
// kept positive definite, is not below the curvature of the potential: a contact that is open at q⁻ + h G u⁻ and closes
// within the step is not seen in it, and may be h |u⁺ − u⁻| deep. The velocity error of a step says how far it is from
// implicit Euler's.
//
// With -primal_ksp_type mpcg and prescribed velocities it is the scheme of Baraff and Witkin, who take H at q⁻, which
// is the same to first order. Rigid rows are refused. Source: Baraff Witkin 1998.

#include "framework/fixed_scheme.hpp"
#include "integrators/implicit_euler.hpp"

namespace clarke {

class SemiImplicit final : public ImplicitEuler, public FixedScheme {
 public:
  bool rigid_rows() const override { return false; }
  const FixedScheme* fixed_scheme() const override { return this; }
  bool laws_at_start() const override { return false; }
  bool one_newton_step() const override { return true; }
  std::vector<std::pair<std::string, std::string>> solver_options() const override {
    return {{"snes_type", "primal"}, {"primal_snes_type", "newtonls"}, {"primal_snes_linesearch_type", "basic"},
            {"snes_max_it", "1"},    {"newton_start", "previous"},     {"keep_best_iterate", "false"}};
  }
};

}  // namespace clarke
