#pragma once
// An ideal gas at constant temperature: (p + P₀) V = P₀ V₀ [docs/theory.md, eq. B6].
//
//   f = P₀/(P₀ + p),   f' = −P₀/(P₀ + p)²,   w = P₀ (J − 1 − log J),  J = V/V₀
//
// Below p = −0.99 P₀, a hundred times V₀, f goes on as its tangent: Newton's path may lead there, a gas does not.
// Source: Boyle 1662.

#include "physics/volumes/volume_law.hpp"

#include <cmath>

namespace clarke {

struct IdealGas {
  static constexpr const char* kName = "ideal_gas";
  static constexpr const char* kSummary = "pressure times volume is constant";
  static constexpr bool kGas = true;
  static constexpr double kRarest = 0.01;  // share of P₀ where f becomes its tangent
  double ambient;                          // P₀ [Pa]

  static IdealGas of(const VolumeDescription& d) { return {d.ambient_pressure}; }
  KOKKOS_INLINE_FUNCTION double rarest() const { return (kRarest - 1) * ambient; }
  KOKKOS_INLINE_FUNCTION double expansion(double p) const {
    if (p < rarest()) return expansion(rarest()) + expansion_slope(rarest()) * (p - rarest());
    return ambient / (ambient + p);
  }
  KOKKOS_INLINE_FUNCTION double expansion_slope(double p) const {
    const double inside = ambient + (p < rarest() ? rarest() : p);
    return -ambient / (inside * inside);
  }
  KOKKOS_INLINE_FUNCTION double pressure(double J) const { return ambient * (1 / J - 1); }
  KOKKOS_INLINE_FUNCTION double energy(double J) const { return ambient * (J - 1 - std::log(J)); }
  KOKKOS_INLINE_FUNCTION bool rigid() const { return false; }
};

}  // namespace clarke
