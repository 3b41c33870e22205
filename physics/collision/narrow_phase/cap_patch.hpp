#pragma once
// What a cap shares with another flat part, seen along the normal n of the one that is the reference: the cap is a disc
// here, no polygon.
//
//   disc and polygon   corners of the polygon in the disc;  |p(s) − c|² = r² on its sides;  rim between these
//   disc and disc      roots of |across n (c₂ + r₂ d(φ) − c₁)|² = r₁²;  the rim of each in the other
//
// Corners and crossings are exact. Between them the rim has kCapCorners points, so what is shared is seen smaller by at
// most 1 − cos(π/kCapCorners) of the radius. All of it is a convex plane figure: points are gathered in any order and
// sorted around their middle.

#include "physics/collision/narrow_phase/core_features.hpp"

namespace clarke {

inline constexpr int kMostCrossings = 8;  // of two rims: four, and rounding

/// A cap, with the directions from which its rim is numbered.
struct Disc {
  Vec3 middle, normal, e1, e2;
  double radius;
  KOKKOS_INLINE_FUNCTION Vec3 rim(double angle) const {
    return middle + (radius * std::cos(angle)) * e1 + (radius * std::sin(angle)) * e2;
  }
  KOKKOS_INLINE_FUNCTION Vec3 rim(int i) const { return rim(2 * 3.14159265358979323846 * i / kCapCorners); }
  /// How far p is beyond the rim, seen along the normal [m].
  KOKKOS_INLINE_FUNCTION double beyond(const Vec3& p) const {
    const Vec3 r = p - middle;
    return norm(r - dot(r, normal) * normal) - radius;
  }
};
KOKKOS_INLINE_FUNCTION Disc disc_of(const PlacedCore& c, bool upper, const Mat3& zero) {
  Disc d{upper ? c.x + c.axis : c.x - c.axis, upper ? c.u : -c.u, {}, {}, c.core.axis_radius};
  cap_directions(d.normal, zero, d.e1, d.e2);
  return d;
}

/// Along n to the plane through o with normal m.
KOKKOS_INLINE_FUNCTION Vec3 onto_plane(const Vec3& p, const Vec3& n, const Vec3& o, const Vec3& m) {
  return p + (dot(m, o - p) / dot(m, n)) * n;
}

/// How far p is outside the sides of a polygon with normal m, seen along n [m].
KOKKOS_INLINE_FUNCTION double outside_polygon(const FeaturePolygon& polygon, const Vec3& n, const Vec3& p) {
  double most = kAnyDepth;
  for (int k = 0; k < polygon.count; ++k) {
    const Vec3& start = polygon.corner[k];
    const double d = dot(normalized(cross(polygon.corner[k + 1 < polygon.count ? k + 1 : 0] - start, n)), p - start);
    if (d > most) most = d;
  }
  return most;
}

/// Where the line p + s e crosses the rim, seen along the normal; how often.
KOKKOS_INLINE_FUNCTION int cross_rim(const Disc& disc, const Vec3& p, const Vec3& e, double s[2]) {
  const Vec3& n = disc.normal;
  const Vec3 q = (p - disc.middle) - dot(p - disc.middle, n) * n, v = e - dot(e, n) * n;
  const double v2 = norm2(v);
  if (!(v2 > 0)) return 0;
  const double nearest = -dot(q, v) / v2, off = norm(q + nearest * v);
  if (!(off < disc.radius)) return 0;
  const double half = std::sqrt((disc.radius - off) * (disc.radius + off) / v2);
  s[0] = nearest - half, s[1] = nearest + half;
  return 2;
}

/// Angles at which the rim of `inc` passes that of `ref`, seen along the normal of ref: first where it comes in.
KOKKOS_INLINE_FUNCTION int cross_rims(const Disc& ref, const Disc& inc, double angle[kMostCrossings],
                                      bool comes_in[kMostCrossings]) {
  constexpr double kTurn = 2 * 3.14159265358979323846;
  constexpr int kSamples = 4 * kCapCorners, kBisections = 60;
  // The samples start where the rim is nearest to the middle of the other, so that a thin overlap is seen.
  const Vec3 to_ref = ref.middle - inc.middle;
  const double start = std::atan2(dot(to_ref, inc.e2), dot(to_ref, inc.e1));
  int count = 0;
  double before = ref.beyond(inc.rim(start));
  for (int i = 0; i < kSamples && count < kMostCrossings; ++i) {
    double low = start + kTurn * i / kSamples, high = start + kTurn * (i + 1) / kSamples;
    const double after = ref.beyond(inc.rim(high));
    if ((before > 0) != (after > 0)) {
      for (int k = 0; k < kBisections && high > low; ++k) {
        const double middle = 0.5 * (low + high);
        ((ref.beyond(inc.rim(middle)) > 0) == (before > 0) ? low : high) = middle;
      }
      angle[count] = 0.5 * (low + high);
      comes_in[count++] = before > 0;
    }
    before = after;
  }
  return count;
}

/// Sorts the corners around their middle, counter-clockwise about n.
KOKKOS_INLINE_FUNCTION void sort_around(ClipPolygon& poly, const Vec3& n) {
  Vec3 middle{}, t1, t2;
  for (int i = 0; i < poly.count; ++i) middle += poly.corner[i].p / static_cast<double>(poly.count);
  tangent_frame(n, t1, t2);
  double angle[2 * kMaxFaceVertices];
  for (int i = 0; i < poly.count; ++i) {
    const ClipCorner c = poly.corner[i];
    const double a = std::atan2(dot(t2, c.p - middle), dot(t1, c.p - middle));
    int k = i;
    for (; k > 0 && angle[k - 1] > a; --k) angle[k] = angle[k - 1], poly.corner[k] = poly.corner[k - 1];
    angle[k] = a, poly.corner[k] = c;
  }
}

/// What of the polygon or line `top`, with normal m, is over the cap `ref`.
KOKKOS_INLINE_FUNCTION void polygon_over_disc(const Disc& ref, const FeaturePolygon& top, double equal,
                                              ClipPolygon& out) {
  const int sides = top.count > 2 ? top.count : top.count - 1;
  for (int i = 0; i < top.count; ++i)
    if (ref.beyond(top.corner[i]) <= equal)
      out.add({top.corner[i], point_feature(PointOrigin::incident_corner, 0, i), i, i});
  for (int i = 0; i < sides; ++i) {
    double s[2];
    const Vec3 &p = top.corner[i], e = top.corner[i + 1 < top.count ? i + 1 : 0] - p;
    for (int k = cross_rim(ref, p, e, s) - 1; k >= 0; --k)
      if (s[k] > 0 && s[k] < 1) out.add({p + s[k] * e, point_feature(PointOrigin::crossing, k, i), -1, i});
  }
  if (top.count < 3) return;
  const Vec3 m = polygon_normal(top);
  if (!(std::fabs(dot(m, ref.normal)) > kEqualLength)) return;  // on edge
  for (int j = 0; j < kCapCorners; ++j)
    if (outside_polygon(top, m, onto_plane(ref.rim(j), ref.normal, top.corner[0], m)) <= 0)
      out.add({onto_plane(ref.rim(j), ref.normal, top.corner[0], m), point_feature(PointOrigin::reference_corner, j, 0),
               -1, -1});
}

/// What of the cap `inc` is over the polygon `base` with normal n.
KOKKOS_INLINE_FUNCTION void disc_over_polygon(const FeaturePolygon& base, const Vec3& n, const Disc& inc, double equal,
                                              ClipPolygon& out) {
  for (int j = 0; j < kCapCorners; ++j)
    if (outside_polygon(base, n, inc.rim(j)) <= equal)
      out.add({inc.rim(j), point_feature(PointOrigin::incident_corner, 0, j), j, j});
  for (int k = 0; k < base.count; ++k) {
    const Vec3 corner = onto_plane(base.corner[k], n, inc.middle, inc.normal);
    const Vec3 e = onto_plane(base.corner[k + 1 < base.count ? k + 1 : 0], n, inc.middle, inc.normal) - corner;
    if (norm(corner - inc.middle) <= inc.radius + equal)
      out.add({corner, point_feature(PointOrigin::reference_corner, k, 0), -1, -1});
    double s[2];
    for (int i = cross_rim(inc, corner, e, s) - 1; i >= 0; --i)
      if (s[i] > 0 && s[i] < 1) out.add({corner + s[i] * e, point_feature(PointOrigin::crossing, k, i), -1, -1});
  }
}

KOKKOS_INLINE_FUNCTION void disc_over_disc(const Disc& ref, const Disc& inc, double equal, ClipPolygon& out) {
  for (int j = 0; j < kCapCorners; ++j) {
    if (ref.beyond(inc.rim(j)) <= equal) out.add({inc.rim(j), point_feature(PointOrigin::incident_corner, 0, j), j, j});
    const Vec3 under = onto_plane(ref.rim(j), ref.normal, inc.middle, inc.normal);
    if (norm(under - inc.middle) <= inc.radius)
      out.add({under, point_feature(PointOrigin::reference_corner, j, 0), -1, -1});
  }
  double angle[kMostCrossings];
  bool comes_in[kMostCrossings];
  const int crossings = cross_rims(ref, inc, angle, comes_in);
  for (int i = 0; i < crossings; ++i)
    out.add({inc.rim(angle[i]), point_feature(PointOrigin::crossing, i / 2, comes_in[i]), -1, -1});
}

}  // namespace clarke
