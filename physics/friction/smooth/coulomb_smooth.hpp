#pragma once
// Coulomb's friction, smooth: m = 1, so F = −λ μ s(v) w/v [docs/theory.md, eq. F10].

#include "physics/friction/smooth/smooth_friction.hpp"

namespace clarke {

KOKKOS_INLINE_FUNCTION FrictionWeight coulomb_smooth() { return {1, 0}; }

}  // namespace clarke
