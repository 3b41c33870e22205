#pragma once
// The angle between two triangles that share an edge [docs/theory.md, eq. E23].
//
//   x₀ x₁ the edge e, x₂ and x₃ the corners beside it;  n_a = e × (x₂ − x₀),  n_b = (x₃ − x₀) × e
//   θ = atan2((n_a × n_b)·e/|e|, n_a·n_b),   c = θ − θ₀  [rad], in (−π, π]; positive: the corners are below the edge
//   ∂θ/∂x₂ = g₂ = −|e| n_a/|n_a|²,   ∂θ/∂x₃ = g₃ = −|e| n_b/|n_b|²
//   ∂θ/∂x₀ = −(1 − t₂) g₂ − (1 − t₃) g₃,   ∂θ/∂x₁ = −t₂ g₂ − t₃ g₃,   t_i = (x_i − x₀)·e/|e|²
//
// Limits: a triangle that is a line has no angle; a fold by more than a half-turn counts from the other side.
// Source: Grinspun, Hirani, Desbrun, Schröder 2003; Bridson, Marino, Fedkiw 2003.

#include "physics/constraints/constraint_element.hpp"

#include <numbers>

namespace clarke {

struct BendingHinge {
  static constexpr int kRows = 1, kFrames = 4;
  static constexpr bool kNeedsOrientation = false;
  static constexpr const char* kName = "bending";
  static constexpr const char* kSummary = "angle between two triangles of a cloth; one row";

  double rest;  // θ₀ [rad]

  template <class T>
  KOKKOS_INLINE_FUNCTION static T angle(const Vec3T<T>& e, const Vec3T<T>& na, const Vec3T<T>& nb) {
    using std::atan2;
    return atan2(dot(cross(na, nb), e) / norm(e), dot(na, nb));
  }

  template <class T>
  KOKKOS_INLINE_FUNCTION void evaluate(const PoseT<T> (&p)[kFrames], T (&c)[kRows],
                                       Vec3T<T> (&J)[kRows][2 * kFrames]) const {
    const Vec3T<T> e = p[1].x - p[0].x, a = p[2].x - p[0].x, b = p[3].x - p[0].x;
    const Vec3T<T> na = cross(e, a), nb = cross(b, e);
    c[0] = angle(e, na, nb) - T(rest);
    if (value_of(c[0]) > std::numbers::pi) c[0] += T(-2 * std::numbers::pi);
    if (value_of(c[0]) <= -std::numbers::pi) c[0] += T(2 * std::numbers::pi);
    const T length = norm(e), e2 = norm2(e), ta = dot(a, e) / e2, tb = dot(b, e) / e2;
    const Vec3T<T> ga = -(length / norm2(na)) * na, gb = -(length / norm2(nb)) * nb;
    for (int f = 0; f < kFrames; ++f) J[0][2 * f + 1] = {};
    J[0][0] = -(T(1) - ta) * ga - (T(1) - tb) * gb;
    J[0][2] = -ta * ga - tb * gb;
    J[0][4] = ga;
    J[0][6] = gb;
  }
};

}  // namespace clarke
