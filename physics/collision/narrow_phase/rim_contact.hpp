#pragma once
// Exact direction and points where a cylinder is nearest with its rim or its side: what a search leaves open is put
// right by Newton's method on the curves.
//
//   x_a(s), x_b(t)      rim x = c + r (cos t e₁ + sin t e₂), axis of a side, edge, axis of a capsule; or a corner
//   x_a' · d = 0,  x_b' · d = 0,   d = x_a − x_b
//   n ∥ x_a' × x_b'  or  n ∥ d, whichever has more digits
//
// At d = 0 the system is regular unless the tangents are parallel, so that touching bodies and overlapping ones need no
// special case. Taken only where the points are the supports along n and n separates no less than what was found: then
// it is the same maximum (signed_distance.hpp). Limit: where |d| and the sine of the tangents are both below
// kUndecided, nothing is known of n, and it stays that of the search.

#include "physics/collision/narrow_phase/core_curve.hpp"
#include "physics/collision/narrow_phase/core_edges.hpp"

namespace clarke {

/// With what c may touch at p, outward direction d: `choice` 0 rim, edge or end; 1 side or corner.
KOKKOS_INLINE_FUNCTION CoreCurve touching_curve(const PlacedCore& c, const Vec3& p, const Vec3& d, int choice) {
  CoreCurve curve;
  if (c.is(CoreKind::cylinder) && choice == 0) {
    Vec3 t1, t2;
    tangent_frame(c.u, t1, t2);
    return {CoreCurve::Kind::rim, dot(d, c.u) >= 0 ? c.x + c.axis : c.x - c.axis, c.core.axis_radius * t1,
            c.core.axis_radius * t2, 0};
  }
  if (c.is(CoreKind::cylinder)) return {CoreCurve::Kind::line, c.x - c.axis, 2.0 * c.axis, {}, c.core.axis_radius};
  if (c.is(CoreKind::point)) {
    if (choice == 0) curve.kind = CoreCurve::Kind::corner, curve.start = c.x;
    return curve;
  }
  double least = -1;
  if (choice == 1) {
    for (int i = 0; i < core_ends(c); ++i)
      if (least < 0 || norm(core_end(c, i) - p) < least) curve.start = core_end(c, i), least = norm(curve.start - p);
    curve.kind = CoreCurve::Kind::corner;
    return curve;
  }
  for (int k = 0; k < core_lines(c); ++k) {
    Vec3 start, along;
    core_line(c, k, start, along);
    const double t = dot(p - start, along) / norm2(along);
    const double distance = norm(p - start - (t < 0 ? 0.0 : (t > 1 ? 1.0 : t)) * along);
    if (least < 0 || distance < least) least = distance, curve.start = start, curve.e1 = along;
  }
  curve.kind = CoreCurve::Kind::line;
  return curve;
}

/// Whether `s` is exact now.
KOKKOS_INLINE_FUNCTION bool polish(const PlacedCore& a, const PlacedCore& b, const CoreCurve& on_a,
                                   const CoreCurve& on_b, Separation& s) {
  constexpr double kUndecided = 1e-6;                 // [1] sine, and distance over size
  constexpr double kTurned = 1e-1, kRounded = 1e-13;  // [1] of the normal; of the size: rounding of a separation
  const double size = a.reach + b.reach;
  double u = on_a.nearest(s.point_a), v = on_b.nearest(s.point_b);
  if (!meet_at_right_angles(on_a, on_b, size, u, v)) return false;
  const Vec3 p = on_a.at(u), q = on_b.at(v), d = p - q, ta = on_a.tangent(u), tb = on_b.tangent(v);
  const Vec3 across_both = cross(ta, tb);
  const double sine = sine_between(ta, tb), far = norm(d) / size;
  if (sine < kUndecided && far < kUndecided) return false;
  Vec3 n = normalized(far > sine ? d : across_both);
  if (dot(n, s.normal) < 0) n = -n;
  if (norm(n - s.normal) > kTurned) return false;
  const double distance = dot(n, d) - on_a.around - on_b.around, most = separation(a, b, n);
  if (std::fabs(distance - most) > kRounded * size || most < separation(a, b, s.normal) - kRounded * size) return false;
  s = {n, distance, p - on_a.around * n, q + on_b.around * n};
  return true;
}

/// What signed_distance() found, exact where it is that of a rim or side, or of two edges that are hard to tell from
/// parallel ones.
KOKKOS_INLINE_FUNCTION Separation exact_at_rims(const PlacedCore& a, const PlacedCore& b, Separation s) {
  constexpr double kTogether = 1e-13;  // of the size: the points of polyhedra that are no better apart along the normal
  if (!a.is(CoreKind::cylinder) && !b.is(CoreKind::cylinder) &&
      norm(s.point_a - s.point_b - s.distance * s.normal) <= kTogether * (a.reach + b.reach))
    return s;
  for (int choice = 0; choice < 4; ++choice) {
    const CoreCurve on_a = touching_curve(a, s.point_a, -s.normal, choice >> 1),
                    on_b = touching_curve(b, s.point_b, s.normal, choice & 1);
    if (on_a.kind != CoreCurve::Kind::none && on_b.kind != CoreCurve::Kind::none && polish(a, b, on_a, on_b, s))
      return s;
  }
  return s;
}

}  // namespace clarke
