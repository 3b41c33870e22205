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

KOKKOS_INLINE_FUNCTION NearRigidGive near_rigid_give(double compliance, double fold, double impulse) {
  if (!(impulse > 0)) return {compliance * impulse, compliance};
  const double x = compliance * impulse / fold;
  return {fold * std::log1p(x), compliance / (1 + x)};
}

/// The impulse of a proximal step, of either sign: e (Λ − r) + v + D(Λ) − D(r) = 0, with v at r, has
///   e Λ + D(Λ) = K,     K = e r − v + D(r),     e > 0
/// with x = a Λ/v₀ a root of κ x + ln(1 + x) = k, concave: Newton's iteration comes from the left.
KOKKOS_INLINE_FUNCTION double near_rigid_impulse(double compliance, double fold, double e, double K) {
  if (!(K > 0)) return K / (e + compliance);  // NaN stays
  constexpr int kMost = 60;
  constexpr double kRounding = 1e-15;
  const double kappa = e / compliance, k = K / fold;
  double x = k / (kappa + 1);
  for (int i = 0; i < kMost; ++i) {
    const double step = (k - kappa * x - std::log1p(x)) / (kappa + 1 / (1 + x));
    x += step;
    if (!(std::fabs(step) > kRounding * x)) break;
  }
  return x * fold / compliance;
}

/// ∫ D dΛ from 0 to an impulse ≥ 0 [J].
KOKKOS_INLINE_FUNCTION double near_rigid_integral(double compliance, double fold, double impulse) {
  if (!(impulse > 0) || !(compliance > 0)) return 0;
  const double x = compliance * impulse / fold;
  return x < 1e-4 ? compliance * impulse * impulse * (0.5 - x / 6)
                  : fold * fold / compliance * ((1 + x) * std::log1p(x) - x);
}

/// What the spring stores: ∫ Λ/h ds over the overlap s = b D [J].
KOKKOS_INLINE_FUNCTION double near_rigid_energy(double compliance, double fold, double impulse, double h, double b) {
  if (!(impulse > 0) || !(compliance > 0)) return 0;
  const double x = compliance * impulse / fold;
  return b * fold * fold / (compliance * h) * (x - std::log1p(x));
}

}  // namespace clarke
