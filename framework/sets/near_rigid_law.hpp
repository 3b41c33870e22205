#pragma once
// The law of near-rigid contacts, pure functions of an impulse [docs/theory.md, eq. N1c;
// physics/contact/near_rigid.hpp].
//
//   D(Λ) = v₀ ln(1 + a Λ/v₀) for Λ > 0,  a Λ else         [m/s]
//   a [1/kg] `compliance`      v₀ [m/s] `fold`: with every e-fold of the load D grows by as much      Λ [N s] `impulse`

#include <Kokkos_Core.hpp>

#include <cmath>

namespace clarke {

/// What is taken for the deepest that a contact may give way, in v₀: under 5·10⁸ times the load that makes one.
inline constexpr double kNearRigidFolds = 20;

/// D and its slope at an impulse.
struct NearRigidGive {
  double velocity, slope;  // [m/s], [1/kg]
};

/// ln(1 + x) for x ≥ 0 to some ulp: std::log is three times as fast as std::log1p, which only a small x needs.
KOKKOS_INLINE_FUNCTION double log_of_one_and(double x) { return x > 0.25 ? std::log(1 + x) : std::log1p(x); }

KOKKOS_INLINE_FUNCTION NearRigidGive near_rigid_give(double compliance, double fold, double impulse) {
  if (!(impulse > 0)) return {compliance * impulse, compliance};
  const double x = compliance * impulse / fold;
  return {fold * log_of_one_and(x), compliance / (1 + x)};
}

/// The slope of D alone, without its logarithm.
KOKKOS_INLINE_FUNCTION double near_rigid_slope(double compliance, double fold, double impulse) {
  return impulse > 0 ? compliance / (1 + compliance * impulse / fold) : compliance;
}

/// The impulse of a proximal step, of either sign: e (Λ − r) + v + D(Λ) − D(r) = 0, with v at r, has
///   e Λ + D(Λ) = K,     K = e r − v + D(r),     e > 0
/// with x = a Λ/v₀ a root of κ x + ln(1 + x) = k, by Halley's iteration: for a small x from the left, else in
/// y = ln(1 + x), from the right where κ (eʸ − 1) + y − k is convex. A step of s leaves an error below s³/12.
KOKKOS_INLINE_FUNCTION double near_rigid_impulse(double compliance, double fold, double e, double K) {
  if (!(K > 0)) return K / (e + compliance);  // NaN stays
  constexpr int kMost = 60;
  constexpr double kCubeIsRounding = 1e-5;
  const double kappa = e / compliance, k = K / fold;
  double x = k / (kappa + 1);
  if (x < 0.25) {
    for (int i = 0; i < kMost; ++i) {
      const double s = 1 / (1 + x), f = kappa * x + std::log1p(x) - k, slope = kappa + s;
      const double step = 2 * f * slope / (2 * slope * slope + f * s * s);
      x -= step;
      if (!(std::fabs(step) > kCubeIsRounding * x)) break;
    }
    return x * fold / compliance;
  }
  const double most = 1 + k / kappa;  // of eʸ, and so is eᵏ
  double y = std::log(most), power = most;
  if (k < y) power = std::exp(y = k);
  for (int i = 0; i < kMost; ++i) {
    const double t = kappa * power, f = (y - k) + (t - kappa), slope = t + 1;
    const double step = 2 * f * slope / (2 * slope * slope - f * t);
    y -= step;
    if (!(std::fabs(step) > kCubeIsRounding)) return (power * (1 - step * (1 - 0.5 * step)) - 1) * fold / compliance;
    power = std::exp(y);
  }
  return (power - 1) * fold / compliance;
}

/// ∫ D dΛ from 0 to an impulse ≥ 0 [J].
KOKKOS_INLINE_FUNCTION double near_rigid_integral(double compliance, double fold, double impulse) {
  if (!(impulse > 0) || !(compliance > 0)) return 0;
  const double x = compliance * impulse / fold;
  return x < 1e-4 ? compliance * impulse * impulse * (0.5 - x / 6)
                  : fold * fold / compliance * ((1 + x) * log_of_one_and(x) - x);
}

/// What the spring stores: ∫ Λ/h ds over the overlap s = b D [J].
KOKKOS_INLINE_FUNCTION double near_rigid_energy(double compliance, double fold, double impulse, double h, double b) {
  if (!(impulse > 0) || !(compliance > 0)) return 0;
  const double x = compliance * impulse / fold;
  return b * fold * fold / (compliance * h) * (x - log_of_one_and(x));
}

}  // namespace clarke
