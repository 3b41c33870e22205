#pragma once
// The second backward difference formula as one stage [docs/theory.md, eq. T3]:
//
//   b = 2 h/3,   û = (4 u⁻ − u_last)/3,   q̂ = (4 q⁻ − q_last)/3
//
// Second order, L-stable. The first step, and the first after a change of h, is one of implicit Euler: the formula is
// for steps of equal length. Source: Curtiss Hirschfelder 1952.

#include "integrators/stage_integrator.hpp"

namespace clarke {

struct Bdf2 {
  static constexpr const char* kName = "bdf2";
  static constexpr const char* kSummary = "second backward difference: second order, L-stable, one stage";
  static constexpr const char* kWarning = "";
  static constexpr bool kRigidRows = true;
  static constexpr double kContactWeight = 1;

  static std::vector<Stage> stages(double h, const StepHistory& last) {
    Stage s;
    s.length = s.end = h;
    if (last.h != h) return {s};
    s.length = 2 * h / 3;
    s.velocity_last = s.position_last = 1.0 / 3;
    return {s};
  }
};

}  // namespace clarke
