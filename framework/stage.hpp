#pragma once
// A step in stages, each of them a step of implicit Euler of its own length b from a start that is made of what is
// known [docs/theory.md, eq. T3]:
//
//   M (u − û) = b f(q, u) + JᵀΛ,   q = q̂ + b G u,   Λ = b λ
//   û = u⁻ + α (u⁻ − u_last) + β (u₁ − u⁻) + s u̇⁻
//   q̂ = q⁻ ⊕ d u⁻ ⊕ d₁ u₁ ⊕ α_q (q⁻ ⊖ q_last) ⊕ β_q (q₁ ⊖ q⁻)
//
//   u_last, q_last   at the start of the last step      u₁, q₁   at the end of this step's first stage
//   u̇⁻ = (u − û)/b   of the stage that led to u⁻: all that acts there, joints included, and no new evaluation
//   ⊕, ⊖             sums of positions; of orientations turns about world axes: advance() for times, and for shares of
//                    what lies between two orientations the same axis and a share of the angle
//
// Contributors see a step from (q̂, û) of length b, and none of them knows of stages. What two turns leave by not
// commuting is of third order in a step, as every stage here is. M, loads and gyroscopic terms are those of where û and
// the torques at the start of the step lead (mass_at_end): those of q̂ and û would cost an order.

#include "framework/state.hpp"

#include <vector>

namespace clarke {

struct Stage {
  double length = 0;          // b [s]
  double end = 0;             // [s] from the start of the step
  bool probe = false;         // nothing of it is kept but u̇⁻
  double velocity_last = 0;   // α
  double velocity_first = 0;  // β
  double acceleration = 0;    // s [s]
  double drift = 0;           // d [s]
  double drift_first = 0;     // d₁ [s]
  double position_last = 0;   // α_q
  double position_first = 0;  // β_q
};

/// What a step may know of the one before it. All of it is state: with it and State a run goes on as it would have.
struct StepHistory {
  double h = 0;                   // [s] length of the last step; 0: there was none
  bool accelerated = false;       // `acceleration` is known
  View<Vec3> x, u, acceleration;  // q_last, u_last; u̇⁻ [m/s², rad/s²] per block
  View<Vec3> turning;             // of u̇⁻ what torques do, per angular block; zero of others
  View<Quat> orientation;
};

/// û and q̂ of a stage: `start` of the step, `first` the end of its first stage, `out` what is filled.
void start_of_stage(const Stage& stage, const Entities& entities, const State& start, const StepHistory& last,
                    const State& first, const State& out);
/// u̇ = (u − û)/b.
void acceleration_of_stage(const Stage& stage, const View<Vec3>& u, const View<Vec3>& u_hat, const View<Vec3>& out);

/// What torques do of u̇: M ω̇ + ω × M ω by M, per angular block.
void turning_of_stage(const Entities& entities, const View<Mat3>& mass, const View<Vec3>& u,
                      const View<Vec3>& acceleration, const View<Vec3>& out);

/// A first stage whose acceleration stands for that of the start. What it is off, this share of a step, costs the first
/// step alone; the shorter it is, the larger rounding of rigid rows, c/b.
inline constexpr double kProbe = 1e-2;
inline Stage probe_stage(double h) {
  Stage s;
  s.length = s.end = kProbe * h;
  s.probe = true;
  return s;
}

}  // namespace clarke
