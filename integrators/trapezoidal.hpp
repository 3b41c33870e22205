#pragma once
// The trapezoidal rule as one stage [docs/theory.md, eq. T3]:
//
//   b = h/2,   û = u⁻ + b u̇⁻,   q̂ = q⁻ + b u⁻
//
// Second order, and damps nothing: what a step cannot resolve rings on for ever, and where a contact opens or closes it
// may gain energy. Rigid rows are refused: J u⁺ = −J u⁻ there, of any size. Source: Crank Nicolson 1947.

#include "integrators/stage_integrator.hpp"

namespace clarke {

struct Trapezoidal {
  static constexpr const char* kName = "trapezoidal";
  static constexpr const char* kSummary = "trapezoidal rule: second order, damps nothing, may gain energy at contacts";
  static constexpr const char* kWarning =
      "warning: -integrator trapezoidal damps nothing: what h does not resolve rings on, and contacts that open and "
      "close "
      "may gain energy; tr_bdf2 and sdirk2 are of second order, too";
  static constexpr bool kRigidRows = false;
  static constexpr double kContactWeight = 1;

  static std::vector<Stage> stages(double h, const StepHistory& last) {
    std::vector<Stage> out;
    if (!last.accelerated) out.push_back(probe_stage(h));
    Stage s;
    s.length = s.acceleration = s.drift = h / 2;
    s.end = h;
    out.push_back(s);
    return out;
  }
};

}  // namespace clarke
