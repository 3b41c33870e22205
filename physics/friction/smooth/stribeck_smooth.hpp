#pragma once
// Static and kinetic friction, smooth: the numbers of static_kinetic.hpp with a fall that ends [docs/theory.md,
// eq. F10]:
//
//   m(v) = k + (1 − k) g(v/v_s) + c v,   g(x) = 1 − 3 x² + 2 x³ for x < 1, else 0       k = μ_k/μ_s, c [s/m]
//
// All parts are proportional to the normal force, so nothing drags without contact. Two surfaces: m of both, paired as
// their coefficients are.
//
// Limit: where m falls, one step has several solutions from b = v_s M/(1.5 (μ_s − μ_k) λ) on, M the mass that slides:
// for a weight b = v_s/(1.5 (μ_s − μ_k) g). Longer steps are the user's risk.

#include "physics/friction/pair_coefficient.hpp"
#include "physics/friction/smooth/smooth_friction.hpp"
#include "physics/friction/static_kinetic.hpp"

namespace clarke {

/// m in any scalar.
template <class T>
KOKKOS_INLINE_FUNCTION T stribeck_weight(T v, const StaticKinetic& surface) {
  const T x = v / T(surface.speed), sliding = T(surface.kinetic) + T(surface.viscous) * v;
  return x >= T(1) ? sliding : sliding + T(1 - surface.kinetic) * (T(1) + x * x * (T(2) * x - T(3)));
}

KOKKOS_INLINE_FUNCTION FrictionWeight stribeck_smooth(double v, const StaticKinetic& surface) {
  const double x = v / surface.speed, fall = 1 - surface.kinetic;
  return {stribeck_weight(v, surface), surface.viscous + (x < 1 ? fall * 6 * x * (x - 1) / surface.speed : 0.0)};
}

/// m of a pair in any scalar.
template <class T>
KOKKOS_INLINE_FUNCTION T stribeck_weight(T v, Pairing rule, const StaticKinetic& a, const StaticKinetic& b) {
  using std::sqrt;
  const T ma = stribeck_weight(v, a), mb = stribeck_weight(v, b);
  switch (rule) {
    case Pairing::minimum:
      return ma < mb ? ma : mb;
    case Pairing::maximum:
      return ma > mb ? ma : mb;
    case Pairing::average:
      return T(0.5) * (ma + mb);
    case Pairing::geometric_mean:
      break;
  }
  return sqrt(ma * mb);
}

/// m of a pair.
KOKKOS_INLINE_FUNCTION FrictionWeight stribeck_smooth(double v, Pairing rule, const StaticKinetic& a,
                                                      const StaticKinetic& b) {
  const FrictionWeight ma = stribeck_smooth(v, a), mb = stribeck_smooth(v, b);
  switch (rule) {
    case Pairing::minimum:
      return ma.value < mb.value ? ma : mb;
    case Pairing::maximum:
      return ma.value > mb.value ? ma : mb;
    case Pairing::average:
      return {0.5 * (ma.value + mb.value), 0.5 * (ma.slope + mb.slope)};
    case Pairing::geometric_mean:
      break;
  }
  const double mean = std::sqrt(ma.value * mb.value);
  return {mean, mean > 0 ? 0.5 * (ma.slope * mb.value + ma.value * mb.slope) / mean : 0};
}

}  // namespace clarke
