#pragma once
// Points of two convex cores over a flat part of one of them, and along two parallel lines.
//
// Features are numbers (FeatureKind::point): what it is, whose flat part cuts, corner or side of it, corner of what is
// cut.
// Caps: cap_patch.hpp.

#include "physics/collision/narrow_phase/cap_patch.hpp"
#include "physics/collision/narrow_phase/manifold.hpp"
#include "physics/collision/narrow_phase/signed_distance.hpp"

namespace clarke {

/// Most points of a manifold of cores: corners of a patch, and the deepest point.
inline constexpr int kMaxPatch = 12;

/// The pair, what is kept of it, and where the frames are.
struct CorePair {
  const PlacedCore& a;
  const PlacedCore& b;
  double limit;  // [m] largest distance of the cores that is a contact
  Manifold& m;
  double lowest = kAnyDepth;  // [m] of points over a flat part
  std::uint32_t patch = 0;    // see kPatchBit
  double same = -1;           // [m] a point as near as this to one that is there, on both sides, is that one

  /// Number of the point that p is; -1: none.
  KOKKOS_INLINE_FUNCTION int find(const ManifoldPoint& p) const {
    for (int i = 0; i < m.count; ++i)
      if (m.points[i].feature == p.feature ||
          (norm(m.points[i].point_a - p.point_a) <= same && norm(m.points[i].point_b - p.point_b) <= same))
        return i;
    return -1;
  }
  KOKKOS_INLINE_FUNCTION void add(const Vec3& on_a, const Vec3& on_b, std::uint32_t feature) const {
    const ManifoldPoint p{a.local(on_a), b.local(on_b), feature | patch << kPatchBit};
    if (find(p) < 0) m.add(p.point_a, p.point_b, p.feature);
  }
  /// A point at signed distance `distance` along the normal over its partner on the reference side.
  KOKKOS_INLINE_FUNCTION void add_over(bool reference_is_a, const Vec3& n_out, const Vec3& on_incident, double distance,
                                       std::uint32_t feature) const {
    if (distance >= limit || distance < lowest) return;
    const Vec3 on_reference = on_incident - distance * n_out;
    if (reference_is_a) {
      add(on_reference, on_incident, feature);
    } else {
      add(on_incident, on_reference, feature);
    }
  }
};

/// Keeps the part of `in` behind the side of the reference polygon that starts at corner k, up to `equal` beyond it.
KOKKOS_INLINE_FUNCTION void clip_by_side(const FeaturePolygon& ref, const Vec3& n, int k, double equal, bool closed,
                                         const ClipPolygon& in, ClipPolygon& out) {
  const Vec3& start = ref.corner[k];
  const Vec3 side = normalized(cross(ref.corner[k + 1 < ref.count ? k + 1 : 0] - start, n));
  out.count = 0;
  for (int i = 0; i < in.count; ++i) {
    const ClipCorner& c = in.corner[i];
    const double d = dot(side, c.p - start);
    if (d <= equal) out.add(c);
    if (!closed && i + 1 == in.count) break;
    const ClipCorner& next = in.corner[i + 1 < in.count ? i + 1 : 0];
    const double d_next = dot(side, next.p - start);
    if ((d <= equal) == (d_next <= equal)) continue;
    const double s = d / (d - d_next);
    ClipCorner x{c.p + (s < 0 ? 0.0 : (s > 1 ? 1.0 : s)) * (next.p - c.p), 0, -1, d <= equal ? -1 - k : c.edge};
    if (c.edge >= 0) {
      x.feature = point_feature(PointOrigin::crossing, k, c.edge);
    } else {
      const int other = -1 - c.edge;
      x.feature = point_feature(PointOrigin::reference_corner, (other + 1) % ref.count == k ? k : other, 0);
    }
    out.add(x);
  }
}

/// What of the flat or line `top` that inc shows is over the flat part of ref; `base` and `top` are shown as polygons.
KOKKOS_INLINE_FUNCTION void gather_over(const PlacedCore& ref, const PlacedCore& inc, const FlatPart& flat,
                                        const FeaturePolygon& base, const FeaturePolygon& top, double equal,
                                        ClipPolygon& out) {
  const bool disc = ref.is(CoreKind::cylinder);
  const Mat3 zero = disc ? Mat3::identity() : ref.rotation;
  if (disc || top.cap) {
    const Disc on_ref = disc ? disc_of(ref, flat.face == 1, inc.rotation) : Disc{};
    const Disc on_inc = top.cap ? disc_of(inc, dot(flat.normal, inc.u) < 0, zero) : Disc{};
    out.count = 0;
    if (disc && top.cap) {
      disc_over_disc(on_ref, on_inc, equal, out);
    } else if (disc) {
      polygon_over_disc(on_ref, top, equal, out);
    } else {
      disc_over_polygon(base, flat.normal, on_inc, equal, out);
    }
    if (out.count > 2) sort_around(out, flat.normal);
    return;
  }
  ClipPolygon polygons[2];
  int now = 0;
  for (int i = 0; i < top.count; ++i)
    polygons[0].add({top.corner[i], point_feature(PointOrigin::incident_corner, 0, i), i, i});
  for (int k = 0; k < base.count && polygons[now].count > 0; ++k) {
    clip_by_side(base, flat.normal, k, equal, top.count > 2, polygons[now], polygons[1 - now]);
    now = 1 - now;
  }
  out = polygons[now];
}

/// How far the polygon would have to slide along the flat part to leave it [m]; at most `most`.
KOKKOS_INLINE_FUNCTION double patch_width(const FeaturePolygon& base, const Vec3& n, const ClipPolygon& poly,
                                          double most) {
  double width = poly.count > 0 ? most : 0;
  for (int k = 0; k < base.count && poly.count > 0; ++k) {
    const Vec3 side = normalized(cross(base.corner[k + 1 < base.count ? k + 1 : 0] - base.corner[k], n));
    double depth = 0;
    for (int i = 0; i < poly.count; ++i) {
      const double d = dot(side, base.corner[k] - poly.corner[i].p);
      if (d > depth) depth = d;
    }
    if (depth < width) width = depth;
  }
  return width;
}

/// Leaves out corners that are not above `lowest` [m] over the plane n·x = offset.
KOKKOS_INLINE_FUNCTION void keep_above(ClipPolygon& poly, const Vec3& n, double offset, double lowest) {
  int kept = 0;
  for (int i = 0; i < poly.count; ++i)
    if (dot(n, poly.corner[i].p) - offset >= lowest) poly.corner[kept++] = poly.corner[i];
  poly.count = kept;
}

/// The corner of a polyhedron that is deepest under the flat part, where it is deeper than `lowest` [m]: the face that
/// looks most at the flat part need not have it. Returns the lowest then.
KOKKOS_INLINE_FUNCTION double add_deepest_corner(const CorePair& pair, bool reference_is_a, const FlatPart& flat,
                                                 const FeaturePolygon& base, double equal, double lowest) {
  const PlacedCore &ref = reference_is_a ? pair.a : pair.b, &inc = reference_is_a ? pair.b : pair.a;
  const int corner = support_corner(inc.core.hull, -transpose_times(inc.rotation, flat.normal));
  const Vec3 p = inc.vertex(corner);
  const double distance = dot(flat.normal, p) - flat.offset;
  if (distance >= lowest - equal) return lowest;
  const double outside = ref.is(CoreKind::cylinder) ? disc_of(ref, flat.face == 1, inc.rotation).beyond(p)
                                                    : outside_polygon(base, flat.normal, p);
  if (outside > equal) return lowest;
  // Numbered after the two of rims.
  pair.add_over(reference_is_a, flat.normal, p, distance,
                point_feature(PointOrigin::deepest, 2 + (corner >> 8), corner & 0xff));
  return distance;
}

/// The point of the rim of a cap that is deepest under the polygon or cap `top`, where it is deeper than `lowest` [m]:
/// nothing is lost between the corners of the octagon.
KOKKOS_INLINE_FUNCTION void add_deepest_of_rim(const CorePair& pair, bool reference_is_a, const FlatPart& flat,
                                               const FeaturePolygon& top, double equal, double lowest) {
  constexpr double kLevel = 1e-12;  // [1] slope of a plane along which nothing is deeper
  const PlacedCore &ref = reference_is_a ? pair.a : pair.b, &inc = reference_is_a ? pair.b : pair.a;
  const Vec3 m = polygon_normal(top);
  const double facing = dot(m, flat.normal);
  const Vec3 along = m - facing * flat.normal;
  if (!(facing < -kEqualLength) || norm(along) < kLevel) return;
  const Vec3 rim = (flat.face == 1 ? ref.x + ref.axis : ref.x - ref.axis) - ref.core.axis_radius * normalized(along);
  const Vec3 over = onto_plane(rim, flat.normal, top.corner[0], m);
  const double distance = dot(flat.normal, over) - flat.offset;
  const double outside =
      top.cap ? norm(over - (dot(m, inc.u) > 0 ? inc.x + inc.axis : inc.x - inc.axis)) - inc.core.axis_radius
              : outside_polygon(top, m, over);
  if (distance < lowest - equal && outside <= equal)
    pair.add_over(reference_is_a, flat.normal, over, distance, point_feature(PointOrigin::deepest, 1, flat.face));
}

/// Points of `inc` over the flat part of `ref`. Returns the overlap's width [m] as clip_faces does; 0: none.
KOKKOS_INLINE_FUNCTION double clip_onto_face(const CorePair& pair, bool reference_is_a, const FlatPart& flat) {
  const PlacedCore &ref = reference_is_a ? pair.a : pair.b, &inc = reference_is_a ? pair.b : pair.a;
  const double size = smaller_size(pair.a, pair.b), equal = kEqualLength * size;
  FeaturePolygon base, top;
  flat_polygon(ref, flat, kCapSides, inc.rotation, base);
  incident_feature(inc, -flat.normal, ref.is(CoreKind::cylinder) ? Mat3::identity() : ref.rotation, top);
  ClipPolygon poly;
  gather_over(ref, inc, flat, base, top, equal, poly);
  bool whole = top.cap && poly.count == top.count;
  for (int i = 0; i < poly.count; ++i) whole = whole && poly.corner[i].vertex >= 0;
  if (whole) {  // every second corner is enough
    for (int i = 0; 2 * i < poly.count; ++i) poly.corner[i] = poly.corner[2 * i];
    poly.count /= 2;
  }
  double width = patch_width(base, flat.normal, poly, 2 * size);
  keep_above(poly, flat.normal, flat.offset, pair.lowest);
  // Of what a triangle adds mostly corners may stay (keep_allowed), so no crossing near one may stand for it.
  const bool corners_first = is_triangle(inc) && pair.patch != 0;
  if (poly.count > 2) simplify(poly, flat.normal, corners_first ? 0 : kPolygonDetail * size, equal, kMaxPatch);
  double lowest = pair.limit;
  for (int pass = corners_first ? 0 : 1; pass < 2; ++pass)
    for (int i = 0; i < poly.count; ++i) {
      if (pass == 0 && poly.corner[i].vertex < 0) continue;
      const double distance = dot(flat.normal, poly.corner[i].p) - flat.offset;
      if (distance < lowest) lowest = distance;
      pair.add_over(reference_is_a, flat.normal, poly.corner[i].p, distance, poly.corner[i].feature);
    }
  if (inc.is(CoreKind::cylinder)) {
    const Vec3 deepest = support(inc, -flat.normal);
    const double distance = dot(flat.normal, deepest) - flat.offset;
    const double outside = ref.is(CoreKind::cylinder) ? disc_of(ref, flat.face == 1, inc.rotation).beyond(deepest)
                                                      : outside_polygon(base, flat.normal, deepest);
    if (distance < lowest - equal && outside <= equal) {
      lowest = distance;
      pair.add_over(reference_is_a, flat.normal, deepest, distance,
                    point_feature(PointOrigin::deepest, 0, dot(flat.normal, inc.u) < 0));
      if (width == 0) width = 2 * size;
    }
  }
  if (inc.is(CoreKind::vertices) && !is_triangle(inc))
    lowest = add_deepest_corner(pair, reference_is_a, flat, base, equal, lowest);
  if (ref.is(CoreKind::cylinder) && top.count > 2) add_deepest_of_rim(pair, reference_is_a, flat, top, equal, lowest);
  return width;
}

/// Lines of which no point is the nearest, to rounding.
KOKKOS_INLINE_FUNCTION bool are_parallel(const FeaturePolygon& p, const FeaturePolygon& q) {
  const Vec3 u = p.corner[1] - p.corner[0], v = q.corner[1] - q.corner[0];
  return norm(cross(u, v)) <= kParallelEdges * norm(u) * norm(v);
}

/// Two lines within kFlatContact of parallel: the ends of what they share. False where they share nothing.
KOKKOS_INLINE_FUNCTION bool lay_along_line(const CorePair& pair, const FeaturePolygon& on_a,
                                           const FeaturePolygon& on_b) {
  const Vec3 ea = on_a.corner[1] - on_a.corner[0], eb = on_b.corner[1] - on_b.corner[0];
  const double la = norm(ea), lb = norm(eb);
  const Vec3 u = ea / la;
  if (norm(cross(u, eb)) > kFlatContact * lb) return false;
  const double equal = kEqualLength * smaller_size(pair.a, pair.b);
  const bool same = dot(u, eb) > 0;
  const double b0 = dot(u, on_b.corner[same ? 0 : 1] - on_a.corner[0]),
               b1 = dot(u, on_b.corner[same ? 1 : 0] - on_a.corner[0]);
  const double low = b0 > 0 ? b0 : 0, high = b1 < la ? b1 : la;
  if (high < low + equal) return false;
  for (int end = 0; end < 2; ++end) {
    const double s = end ? high : low, t = (s - b0) / (b1 - b0);
    const Vec3 pa = on_a.corner[0] + s * u;
    const Vec3 pb = on_b.corner[same ? 0 : 1] + t * (same ? eb : -eb);
    if (dot(pair.m.normal, pa - pb) < pair.limit) pair.add(pa, pb, point_feature(PointOrigin::line_end, 0, end));
  }
  return true;
}

}  // namespace clarke
