#pragma once
// What one row of a joint asks for, whatever the element: a spring and damper between rigid and slack, with bounds on
// its force.
//
//   force      λ = −k (c − c*) − d (J u − w*),     λ ∈ [lower, upper]            k [N/m, N m/rad], d [N s/m, N m s/rad]
//   row        v = (k (c(q⁺) − c*) + d (J u⁺ − w*) + Λ/h) / s,   s = b k + d     [m/s, rad/s]       [eq. B2]
//              so that ∂v/∂u = J and ∂v/∂Λ = γ = 1/(h s)
//   limits     k = ∞ (rigid): v = (c − c*)/b, γ = 0        d = ∞ (k finite): v = J u − w*, γ = 0
//
// With k = 1/E, d = τ k and b = h this is (c/h + τ/h J u + E/h² Λ)/(1 + τ/h), which is eq. B1 for τ = 0. At velocity
// level (Moreau-Jean, eq. T2) a rigid row is v = J u⁺ − w* + β (c(q⁻) − c*⁻)/h, c*⁻ the target at the start of the
// step.

#include "framework/state.hpp"

#include <limits>

namespace clarke {

inline constexpr double kInfinite = std::numeric_limits<double>::infinity();

struct RowMechanics {
  double stiffness = kInfinite;                  // k
  double damping = 0;                            // d
  double lower = -kInfinite, upper = kInfinite;  // bounds of the force λ [N, N m]
  bool passive = true;                           // false: a drive, whose spring stores no energy of the mechanism
  bool bounded() const { return lower > -kInfinite || upper < kInfinite; }
  bool rigid() const { return stiffness == kInfinite; }
};

/// v = position · (c − c*) + velocity · (J u − w*) + γ Λ
struct RowWeights {
  double position, velocity, compliance;
};

KOKKOS_INLINE_FUNCTION RowWeights row_weights(double k, double d, const StepContext& context) {
  if (k == kInfinite && context.level.velocity) return {0, 1, 0};
  if (k == kInfinite) return {1 / context.b, 0, 0};
  if (d == kInfinite) return {0, 1, 0};
  const double s = context.b * k + d;
  return {k / s, d / s, 1 / (context.h * s)};
}

}  // namespace clarke
