#pragma once
// Curves of convex cores: what a rim, a side, an edge or a corner touches with, and where two of them are nearest.
//
//   x_a(s), x_b(t)      rim x = c + r (cos t e₁ + sin t e₂), axis of a side, edge, axis of a capsule; or a corner
//   x_a' · d = 0,  x_b' · d = 0,   d = x_a − x_b

#include "framework/math/vec3.hpp"

#include <cmath>

namespace clarke {

/// A corner, a line or a circle of a core, and how far the surface is around it.
enum class CurveKind { none, corner, line, rim };
template <class T>
struct CoreCurveT {
  using Kind = CurveKind;
  Kind kind = Kind::none;
  Vec3T<T> start{}, e1{}, e2{};  // [m] of a rim: its middle, and r e₁, r e₂; of a line: where it starts, along it
  double around = 0;             // [m] radius of a side

  KOKKOS_INLINE_FUNCTION bool moves() const { return kind == Kind::line || kind == Kind::rim; }
  KOKKOS_INLINE_FUNCTION Vec3T<T> at(double t) const {
    if (kind == Kind::rim) return start + T(std::cos(t)) * e1 + T(std::sin(t)) * e2;
    return kind == Kind::line ? start + T(t) * e1 : start;
  }
  KOKKOS_INLINE_FUNCTION Vec3T<T> tangent(double t) const {
    if (kind == Kind::rim) return T(std::cos(t)) * e2 - T(std::sin(t)) * e1;
    return kind == Kind::line ? e1 : Vec3T<T>{};
  }
  KOKKOS_INLINE_FUNCTION Vec3T<T> bend(double t) const { return kind == Kind::rim ? start - at(t) : Vec3T<T>{}; }
  KOKKOS_INLINE_FUNCTION double nearest(const Vec3& p) const {
    if (kind == Kind::rim) return std::atan2(dot(p - start, e2), dot(p - start, e1));
    return kind == Kind::line ? dot(p - start, e1) / norm2(e1) : 0;
  }
};
using CoreCurve = CoreCurveT<double>;

/// Derivatives of x_a'·d and −x_b'·d by s and t, and their determinant.
struct MeetingMatrix {
  double aa, bb, ab, det;
};
KOKKOS_INLINE_FUNCTION MeetingMatrix meeting_matrix(const CoreCurve& a, const CoreCurve& b, double s, double t,
                                                    const Vec3& d, const Vec3& ta, const Vec3& tb) {
  const double aa = a.moves() ? norm2(ta) + dot(a.bend(s), d) : 1, bb = b.moves() ? norm2(tb) - dot(b.bend(t), d) : 1,
               ab = -dot(ta, tb);
  return {aa, bb, ab, aa * bb - ab * ab};
}

/// Sine between two tangents, 0 where one of them is of a corner.
KOKKOS_INLINE_FUNCTION double sine_between(const Vec3& ta, const Vec3& tb) {
  const double lengths = norm(ta) * norm(tb);
  return lengths > 0 ? norm(cross(ta, tb)) / lengths : 0;
}

/// Newton's method for the two parameters; false where it does not end.
KOKKOS_INLINE_FUNCTION bool meet_at_right_angles(const CoreCurve& a, const CoreCurve& b, double size, double& s,
                                                 double& t) {
  constexpr int kSteps = 20;
  constexpr double kStill = 1e-15;  // of the size: rounding of a place
  for (int step = 0; step < kSteps; ++step) {
    const Vec3 d = a.at(s) - b.at(t), ta = a.tangent(s), tb = b.tangent(t);
    const double ga = dot(ta, d), gb = -dot(tb, d);
    const auto [aa, bb, ab, det] = meeting_matrix(a, b, s, t, d, ta, tb);
    if (!(std::fabs(det) > kStill * std::fabs(aa * bb))) return false;
    const double ds = (bb * ga - ab * gb) / det, dt = (aa * gb - ab * ga) / det;
    s -= ds, t -= dt;
    if (norm(ta) * std::fabs(ds) + norm(tb) * std::fabs(dt) <= kStill * size) return true;
  }
  return true;  // as good as rounding lets it be; what it is worth is looked at next
}

}  // namespace clarke
