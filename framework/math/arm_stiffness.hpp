#pragma once
// Positive part of the geometric stiffness of an arm: a force f at the end of an arm r that turns with its body has the
// moment r × f, whose derivative along ω is r fᵀ − (r·f) 1. Device code, in closed form:
//
//   S = (r·f) 1 − ½ (r fᵀ + f rᵀ)        [N m], symmetric part, sign of a stiffness
//   eigenvalues  ½ (r·f − |r||f|) ≤ 0  along r̂ + f̂,   ½ (r·f + |r||f|) ≥ 0  along r̂ − f̂,   r·f  along r × f
//   S₊ = S − (the first)        where r·f > 0
//   S₊ = the second alone       elsewhere
//
// Either takes the sum or difference of unit vectors that is no shorter than √2, so parallel ones need no care. Right
// to some roundings of |r||f|; a NaN stays one.

#include "framework/math/mat3.hpp"

namespace clarke {

KOKKOS_INLINE_FUNCTION Mat3 arm_stiffness(const Vec3& r, const Vec3& f) {
  const double rf = dot(r, f), arm = norm(r), force = norm(f), size = arm * force;
  if (size == 0) return {};
  const bool pulls = rf > 0;
  const Vec3 e = (1 / arm) * r + ((pulls ? 1 : -1) / force) * f;
  // ½ (|r||f| ∓ r·f), the size of the eigenvalue, over |e|² = 2 (1 ± r̂·f̂)
  const Mat3 along = (0.5 * (size - std::fabs(rf)) / dot(e, e)) * outer(e, e);
  if (!pulls) return along;
  return Mat3::diagonal(rf, rf, rf) - 0.5 * (outer(r, f) + outer(f, r)) + along;
}

}  // namespace clarke
