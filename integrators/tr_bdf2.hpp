#pragma once
// The trapezoidal rule and then the second backward difference, in one step [docs/theory.md, eq. T3]:
//
//   γ = 2 − √2,  b = γ h/2 of both
//   û = u⁻ + b u̇⁻,  q̂ = q⁻ + b u⁻   to t + γ h;      û = u⁻ + c (u₁ − u⁻),  q̂ = q⁻ + c (q₁ − q⁻),  c = 1/(γ (2 − γ))
//
// Second order, L-stable. Source: Bank Coughran Fichtner Grosse Rose Smith 1985.

#include "integrators/stage_integrator.hpp"

#include <cmath>

namespace clarke {

struct TrBdf2 {
  static constexpr const char* kName = "tr_bdf2";
  static constexpr const char* kSummary =
      "trapezoidal rule, then backward difference: second order, L-stable, two stages";
  static constexpr const char* kWarning = "";
  static constexpr bool kRigidRows = true;
  static constexpr double kContactWeight = 1;

  static std::vector<Stage> stages(double h, const StepHistory& last) {
    const double gamma = 2 - std::sqrt(2.0);
    std::vector<Stage> out;
    if (!last.accelerated) out.push_back(probe_stage(h));
    Stage first, second;
    first.length = first.acceleration = first.drift = gamma * h / 2;
    first.end = gamma * h;
    second.length = gamma * h / 2;
    second.velocity_first = second.position_first = 1 / (gamma * (2 - gamma));
    second.end = h;
    out.push_back(first);
    out.push_back(second);
    return out;
  }
};

}  // namespace clarke
