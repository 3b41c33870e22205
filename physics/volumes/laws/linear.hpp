#pragma once
// Pressure proportional to the change of volume [docs/theory.md, eq. B6].
//
//   f = 1 − k_v p,   f' = −k_v,   w = (J − 1)²/(2 k_v),  J = V/V₀        k_v = 0: the volume is V₀
//
// Limit: p < 1/k_v, whatever the volume is squeezed to.

#include "physics/volumes/volume_law.hpp"

namespace clarke {

struct LinearVolume {
  static constexpr const char* kName = "linear";
  static constexpr const char* kSummary = "pressure proportional to the change of volume";
  static constexpr bool kGas = false;
  double compressibility;  // k_v [1/Pa]

  static LinearVolume of(const VolumeDescription& d) { return {d.compressibility}; }
  KOKKOS_INLINE_FUNCTION double expansion(double p) const { return 1 - compressibility * p; }
  KOKKOS_INLINE_FUNCTION double expansion_slope(double) const { return -compressibility; }
  KOKKOS_INLINE_FUNCTION double pressure(double J) const { return (1 - J) / compressibility; }
  KOKKOS_INLINE_FUNCTION double energy(double J) const {
    return rigid() ? 0 : (J - 1) * (J - 1) / (2 * compressibility);
  }
  KOKKOS_INLINE_FUNCTION bool rigid() const { return compressibility == 0; }
};

}  // namespace clarke
