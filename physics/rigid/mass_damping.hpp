#pragma once
// Rayleigh's α [1/s], of the mass: a drag −α M u on nodes of soft bodies and cloths, at the end of the step (or at θ of
// it):
//
//   M (u⁺ − u⁻) = h (f − α M (θ u⁺ + (1 − θ) u⁻)) + JᵀΛ          [docs/theory.md, eq. E24]
//
// so that (1 + θ α h) M stands for M, and ((1 − (1 − θ) α h) u⁻ + h g)/(1 + θ α h) for the free velocity. Nothing else
// changes.

#include "framework/state.hpp"

namespace clarke {

struct MassDamping {
  double after = 1, before = 1;  // factors of u⁺ and of u⁻

  KOKKOS_INLINE_FUNCTION Vec3 change(const Vec3& u, const Vec3& u_old) const { return after * u - before * u_old; }
};

KOKKOS_INLINE_FUNCTION MassDamping mass_damping(double alpha, double h, double theta) {
  return {1 + theta * alpha * h, 1 - (1 - theta) * alpha * h};
}

}  // namespace clarke
