#pragma once
// The volume that a closed surface of triangles encloses, and its derivatives [docs/theory.md, eq. B5].
//
//   V = Σ a·(b × c)/6                    [m³]   over triangles (a, b, c), counter-clockwise seen from outside
//   ∂V/∂a = Σ (b × c)/6                  [m²]   b and c in turn: a third of the areas around a node, as vectors
//   ∂²V/∂a∂b = −[c]×/6,  ∂²V/∂a∂c = [b]×/6   [m]   nothing on the diagonal; indefinite
//
// The sums do not depend on the origin, because the surface is closed; taken near it they do not cancel. Source: the
// divergence theorem; Irving, Schroeder, Fedkiw 2007.

#include "framework/math/mat3.hpp"

namespace clarke {

/// What one triangle adds to V [m³].
KOKKOS_INLINE_FUNCTION double enclosed_volume(const Vec3& a, const Vec3& b, const Vec3& c) {
  return dot(a, cross(b, c)) / 6;
}

/// What a triangle adds to ∂V/∂x of the corner before b and c [m²].
KOKKOS_INLINE_FUNCTION Vec3 enclosed_volume_gradient(const Vec3& b, const Vec3& c) { return (1.0 / 6) * cross(b, c); }

/// What a triangle adds to ∂²V/∂x_k∂x_l of its corners k and l [m].
KOKKOS_INLINE_FUNCTION Mat3 enclosed_volume_hessian(const Vec3 (&x)[3], int k, int l) {
  if (k == l) return {};
  const double sign = (k + 1) % 3 == l ? -1.0 : 1.0;
  return (sign / 6) * cross_matrix(x[3 - k - l]);
}

}  // namespace clarke
