#pragma once
// Contacts of two convex cores from the direction in which they are nearest: a face cuts what lies on it, two parallel
// lines share two points, everything else touches at one point.
//
// Choice of the normal as in convex_convex.hpp: the face or cap within kFlatContact of the direction, or within
// kEqualLength of its distance; of two such the larger; else the direction itself. Corners of hard shapes apart and
// past each other are judged where the bodies would be at the end of the step (there as well).
//
// Features are numbers (FeatureKind::point): what it is, corner or side of the face that cuts, corner of what is cut.
// Limit: the part of a cap between its rim and the polygon that stands for it is seen only where it is deepest: the
// polygon of support is up to 8 % of the radius smaller than the cap.

#include "physics/collision/narrow_phase/core_features.hpp"
#include "physics/collision/narrow_phase/manifold.hpp"
#include "physics/collision/narrow_phase/signed_distance.hpp"

namespace clarke {

/// Most points of a manifold of cores: corners of a patch, and the deepest point.
inline constexpr int kMaxPatch = 8;

/// Bits 16 and above of a point's feature.
enum class PointOrigin { nearest, incident_corner, crossing, reference_corner, line_end, deepest };

KOKKOS_INLINE_FUNCTION std::uint32_t point_feature(PointOrigin origin, int on_reference, int on_incident) {
  return feature_key(FeatureKind::point, (static_cast<int>(origin) << 16) | (on_reference << 8) | on_incident);
}

/// The pair, what is kept of it, and where the frames are.
struct CorePair {
  const PlacedCore& a;
  const PlacedCore& b;
  double limit;  // [m] largest distance of the cores that is a contact
  Manifold& m;

  KOKKOS_INLINE_FUNCTION void add(const Vec3& on_a, const Vec3& on_b, std::uint32_t feature) const {
    if (!m.has(feature)) m.add(a.local(on_a), b.local(on_b), feature);
  }
  /// A point at signed distance `distance` along the normal over its partner on the reference side.
  KOKKOS_INLINE_FUNCTION void add_over(bool reference_is_a, const Vec3& n_out, const Vec3& on_incident, double distance,
                                       std::uint32_t feature) const {
    if (distance >= limit) return;
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

KOKKOS_INLINE_FUNCTION bool inside_prism(const FeaturePolygon& ref, const Vec3& n, double equal, const Vec3& p) {
  for (int k = 0; k < ref.count; ++k) {
    const Vec3& start = ref.corner[k];
    const Vec3 e = ref.corner[k + 1 < ref.count ? k + 1 : 0] - start;
    if (dot(cross(e, n), p - start) > equal * norm(e)) return false;
  }
  return true;
}

/// Points of `inc` over the flat part of `ref`. Returns the overlap's width [m] as clip_faces does; 0: none.
KOKKOS_INLINE_FUNCTION double clip_onto_face(const CorePair& pair, bool reference_is_a, const FlatPart& flat) {
  const PlacedCore &ref = reference_is_a ? pair.a : pair.b, &inc = reference_is_a ? pair.b : pair.a;
  const double size = smaller_size(pair.a, pair.b), equal = kEqualLength * size;
  FeaturePolygon base, top;
  flat_polygon(ref, flat, kCapSides, inc.rotation, base);
  incident_feature(inc, -flat.normal, ref.is(CoreKind::cylinder) ? Mat3::identity() : ref.rotation, top);
  ClipPolygon polygons[2];
  int now = 0;
  for (int i = 0; i < top.count; ++i)
    polygons[0].add({top.corner[i], point_feature(PointOrigin::incident_corner, 0, i), i, i});
  bool cut = false;
  for (int k = 0; k < base.count && polygons[now].count > 0; ++k) {
    clip_by_side(base, flat.normal, k, equal, top.count > 2, polygons[now], polygons[1 - now]);
    now = 1 - now;
  }
  ClipPolygon& poly = polygons[now];
  for (int i = 0; i < poly.count; ++i) cut = cut || poly.corner[i].vertex < 0;
  cut = cut || poly.count != top.count;
  if (top.cap && !cut) {  // the whole cap: every second corner is enough
    for (int i = 0; 2 * i < poly.count; ++i) poly.corner[i] = poly.corner[2 * i];
    poly.count /= 2;
  }
  double width = poly.count > 0 ? 2 * size : 0;
  for (int k = 0; k < base.count && poly.count > 0; ++k) {
    const Vec3 side = normalized(cross(base.corner[k + 1 < base.count ? k + 1 : 0] - base.corner[k], flat.normal));
    double depth = 0;
    for (int i = 0; i < poly.count; ++i) {
      const double d = dot(side, base.corner[k] - poly.corner[i].p);
      if (d > depth) depth = d;
    }
    if (depth < width) width = depth;
  }
  if (poly.count > 2) simplify(poly, flat.normal, kPolygonDetail * size, equal, kMaxPatch);
  double lowest = pair.limit;
  for (int i = 0; i < poly.count; ++i) {
    const double distance = dot(flat.normal, poly.corner[i].p) - flat.offset;
    if (distance < lowest) lowest = distance;
    pair.add_over(reference_is_a, flat.normal, poly.corner[i].p, distance, poly.corner[i].feature);
  }
  if (!inc.is(CoreKind::cylinder)) return width;
  const Vec3 deepest = support(inc, -flat.normal);
  const double distance = dot(flat.normal, deepest) - flat.offset;
  if (distance < lowest - equal && inside_prism(base, flat.normal, equal, deepest)) {
    pair.add_over(reference_is_a, flat.normal, deepest, distance,
                  point_feature(PointOrigin::deepest, 0, dot(flat.normal, inc.u) < 0));
    if (width == 0) width = 2 * size;
  }
  return width;
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

/// Tangent of the edge or rim of c at its point p in the direction d; false at a vertex, and true with a zero tangent
/// on the side of a cylinder, which is smooth.
KOKKOS_INLINE_FUNCTION bool edge_tangent(const PlacedCore& c, const Vec3& p, const Vec3& d, Vec3& tangent) {
  constexpr double kAtEnd = 1e-4;  // of the edge: well above what the search leaves open on round shapes
  tangent = {};
  if (c.is(CoreKind::cylinder)) {
    if (std::fabs(dot(d, c.u)) > kFlatContact) tangent = normalized(cross(c.u, d));
    return true;
  }
  if (!c.is(CoreKind::vertices)) return true;
  const ConvexShape& hull = c.core.hull;
  const bool triangle = hull.faces == 1;
  double nearest = -1;
  bool inner = false;
  for (int i = 0; i < (triangle ? 3 : hull.edges); ++i) {
    const Vec3 v0 = c.vertex(triangle ? i : hull.edge[i].v0);
    const Vec3 e = c.vertex(triangle ? (i + 1) % 3 : hull.edge[i].v1) - v0;
    const double t = dot(p - v0, e) / norm2(e);
    const double distance = norm(p - v0 - (t < 0 ? 0.0 : (t > 1 ? 1.0 : t)) * e);
    if (nearest >= 0 && distance >= nearest) continue;
    nearest = distance;
    tangent = normalized(e);
    inner = t > kAtEnd && t < 1 - kAtEnd;
  }
  return inner;
}

/// Whether nothing but corners passing each other is near: at least one vertex, or two edges side by side.
KOKKOS_INLINE_FUNCTION bool past_each_other(const CorePair& pair, const Separation& s) {
  Vec3 ta, tb;
  const bool edge_a = edge_tangent(pair.a, s.point_a, -s.normal, ta),
             edge_b = edge_tangent(pair.b, s.point_b, s.normal, tb);
  if ((edge_a && norm2(ta) == 0) || (edge_b && norm2(tb) == 0)) return false;
  return !edge_a || !edge_b || norm(cross(ta, tb)) <= kFlatContact;
}

/// Contacts for the direction in `s`. prefer_b: a flat part of b goes before one of a. False where corners are apart
/// and past each other: then m holds no points.
KOKKOS_INLINE_FUNCTION bool core_manifold(const CorePair& pair, const Separation& s, bool prefer_b) {
  constexpr double kSameDirection = 1 - 0.5 * kFlatContact * kFlatContact;
  constexpr double kGrazingWidth = 1e-3;  // as kGrazing
  const PlacedCore &a = pair.a, &b = pair.b;
  Manifold& m = pair.m;
  m.count = 0;
  if (s.distance >= pair.limit) return true;
  const double size = smaller_size(a, b), equal = kEqualLength * size;
  const FlatPart flat_a = flat_part(a, -s.normal), flat_b = flat_part(b, s.normal);
  const bool on_a = flat_a.exists && (dot(flat_a.normal, -s.normal) >= kSameDirection ||
                                      separation(a, b, -flat_a.normal) >= s.distance - equal);
  const bool on_b = flat_b.exists && (dot(flat_b.normal, s.normal) >= kSameDirection ||
                                      separation(a, b, flat_b.normal) >= s.distance - equal);
  const bool hard = !(m.radii() > 0);
  const double gap = s.distance - m.radii();
  m.normal = s.normal;
  if (on_a || on_b) {
    constexpr double kEqualAreas = 1e-3;  // as kEqualArea
    const bool reference_b = on_b && (!on_a || prefer_b || flat_b.area > (1 + kEqualAreas) * flat_a.area);
    m.normal = reference_b ? flat_b.normal : -flat_a.normal;
    const double width = clip_onto_face(pair, !reference_b, reference_b ? flat_b : flat_a);
    if (m.count > 0 && !(hard && gap > 0 && width < gap && width < kGrazingWidth * size)) return true;
    m.count = 0;
    if (hard && gap > 0) return false;
    m.normal = s.normal;
  } else {
    FeaturePolygon line_a, line_b;
    if (touching_line(a, -s.normal, line_a) && touching_line(b, s.normal, line_b) &&
        lay_along_line(pair, line_a, line_b) && m.count > 0)
      return true;
    if (hard && gap > 0 && past_each_other(pair, s)) return false;
  }
  pair.add(s.point_a, s.point_b, point_feature(PointOrigin::nearest, 0, 0));
  return true;
}

/// One look at the pair at the given poses.
KOKKOS_INLINE_FUNCTION bool core_contacts_at(const ConvexCore& a, const ConvexCore& b, const Pose& pose_a,
                                             const Pose& pose_b, double margin, Manifold& m) {
  m.count = 0;
  const PlacedCore pa = place(a, pose_a.q, {}), pb = place(b, pose_b.q, pose_b.x - pose_a.x);
  const double limit = margin + m.radii(), reach = pa.reach + pb.reach + limit;
  if (norm2(pb.x) >= reach * reach) return true;
  const Separation s = signed_distance(pa, pb, SearchEffort::shallow);
  return core_manifold(CorePair{pa, pb, limit, m}, s, false);
}

/// Contacts of two convex cores; next_a, next_b as in convex_convex.
KOKKOS_INLINE_FUNCTION void core_contacts(const ConvexCore& a, const ConvexCore& b, const Pose& pose_a,
                                          const Pose& pose_b, const Pose& next_a, const Pose& next_b, double margin,
                                          Manifold& m) {
  if (core_contacts_at(a, b, pose_a, pose_b, margin, m)) return;
  if (!core_contacts_at(a, b, next_a, next_b, margin, m)) m.count = 0;
  keep_near(pose_a, pose_b, margin, m);
}

/// Sphere on side a, cylinder with the half axis `axis` on side b.
KOKKOS_INLINE_FUNCTION void sphere_cylinder(const Pose& a, const Vec3& axis, double radius, const Pose& b,
                                            double margin, Manifold& m) {
  const CylinderPoint p = closest_on_cylinder(axis, radius, rotate_inverse(b.q, a.x - b.x));
  if (p.distance - m.radii() >= margin) return;
  m.normal = rotate(b.q, p.normal);
  m.add({}, p.point, feature_key(FeatureKind::point, 0));
}

}  // namespace clarke
