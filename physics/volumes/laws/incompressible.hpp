#pragma once
// A nearly incompressible liquid of constant compressibility k_v [docs/theory.md, eq. B6].
//
//   f = exp(−k_v p),   f' = −k_v f,   w = (J log J − J + 1)/k_v,  J = V/V₀        k_v = 0: the volume is V₀
//
// Water has k_v = 4.6e-10 1/Pa. Source: the law of constant bulk modulus.

#include "physics/volumes/volume_law.hpp"

#include <cmath>

namespace clarke {

struct Incompressible {
  static constexpr const char* kName = "incompressible";
  static constexpr const char* kSummary = "a liquid: pressure by the logarithm of the volume, or a volume that is kept";
  static constexpr bool kGas = false;
  double compressibility;  // k_v [1/Pa]

  static Incompressible of(const VolumeDescription& d) { return {d.compressibility}; }
  KOKKOS_INLINE_FUNCTION double expansion(double p) const { return std::exp(-compressibility * p); }
  KOKKOS_INLINE_FUNCTION double expansion_slope(double p) const { return -compressibility * expansion(p); }
  KOKKOS_INLINE_FUNCTION double pressure(double J) const { return -std::log(J) / compressibility; }
  KOKKOS_INLINE_FUNCTION double energy(double J) const {
    return rigid() ? 0 : (J * std::log(J) - J + 1) / compressibility;
  }
  KOKKOS_INLINE_FUNCTION bool rigid() const { return compressibility == 0; }
};

}  // namespace clarke
