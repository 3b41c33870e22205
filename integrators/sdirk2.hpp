#pragma once
// Two singly diagonally implicit stages [docs/theory.md, eq. T3]:
//
//   γ = 1 − 1/√2,  b = γ h of both
//   û = u⁻,  q̂ = q⁻   to t + γ h;      û = u⁻ + (1 − γ)/γ (u₁ − u⁻),  q̂ = q⁻ + (1 − γ) h u₁
//
// Second order, L-stable; needs nothing of the past. Source: Alexander 1977.

#include "integrators/stage_integrator.hpp"

#include <cmath>

namespace clarke {

struct Sdirk2 {
  static constexpr const char* kName = "sdirk2";
  static constexpr const char* kSummary = "two diagonally implicit stages: second order, L-stable";
  static constexpr const char* kWarning = "";
  static constexpr bool kRigidRows = true;
  static constexpr double kContactWeight = 1;

  static std::vector<Stage> stages(double h, const StepHistory&) {
    const double gamma = 1 - 1 / std::sqrt(2.0);
    Stage first, second;
    first.length = first.end = second.length = gamma * h;
    second.velocity_first = (1 - gamma) / gamma;
    second.drift_first = (1 - gamma) * h;
    second.end = h;
    return {first, second};
  }
};

}  // namespace clarke
