#pragma once
// The law of near-rigid contacts, pure functions of an impulse [docs/theory.md, eq. N1c; physics/contact/near_rigid.hpp].
//
//   D(Λ) = a Λ/(1 + a Λ/D_max) for Λ > 0,  a Λ else         [m/s]
//   a [1/kg] `compliance`      D_max [m/s] `most`      Λ [N s] `impulse`

#include <Kokkos_Core.hpp>

#include <cmath>

namespace clarke {

/// D and its slope at an impulse.
struct NearRigidGive {
  double velocity, slope;  // [m/s], [1/kg]
};

KOKKOS_INLINE_FUNCTION NearRigidGive near_rigid_give(double compliance, double most, double impulse) {
  if (!(impulse > 0)) return {compliance * impulse, compliance};
  const double x = 1 + compliance * impulse / most;
  return {compliance * impulse / x, compliance / (x * x)};
}

/// The impulse of a proximal step, of either sign: e (Λ − r) + v + D(Λ) − D(r) = 0, with v at r, has
///   e Λ + D(Λ) = K,     K = e r − v + D(r),     e > 0
KOKKOS_INLINE_FUNCTION double near_rigid_impulse(double compliance, double most, double e, double K) {
  if (!(K > 0)) return K / (e + compliance);  // NaN stays
  const double s = compliance / most, B = e + compliance - K * s, root = std::sqrt(B * B + 4 * e * s * K);
  return B > 0 ? 2 * K / (B + root) : (root - B) / (2 * e * s);
}

/// ∫ D dΛ from 0 to an impulse ≥ 0 [J].
KOKKOS_INLINE_FUNCTION double near_rigid_integral(double compliance, double most, double impulse) {
  if (!(impulse > 0) || !(compliance > 0)) return 0;
  const double x = compliance * impulse / most;
  return x < 1e-4 ? compliance * impulse * impulse * (0.5 - x / 3) : most * most / compliance * (x - std::log1p(x));
}

/// What the spring stores: ∫ Λ/h ds over the overlap s = b D [J].
KOKKOS_INLINE_FUNCTION double near_rigid_energy(double compliance, double most, double impulse, double h, double b) {
  if (!(impulse > 0) || !(compliance > 0)) return 0;
  const double x = compliance * impulse / most;
  return b * most * most / (compliance * h) * (std::log1p(x) - x / (1 + x));
}

}  // namespace clarke
