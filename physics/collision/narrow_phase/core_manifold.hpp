#pragma once
// Contacts of two convex cores from the direction in which they are nearest: a face cuts what lies on it, two parallel
// lines share two points, everything else touches at one point.
//
// Choice of the normal as in convex_convex.hpp: the face or cap within kFlatContact of the direction, or within
// kEqualLength of its distance; of two such the larger; else the direction itself. Corners of hard shapes apart and
// past each other are judged where the bodies would be at the end of the step (there as well).
//
// A manifold with a place for normals of points (-manifold features) gets more where the direction is that of no flat
// part: core_edges.hpp. Features and limits of patches: core_patch.hpp.

#include "physics/collision/narrow_phase/rim_contact.hpp"

namespace clarke {

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

/// `s` with the normal of a flat part, where that is what the search has found, to rounding.
KOKKOS_INLINE_FUNCTION Separation at_flat_part(const CorePair& pair, Separation s, bool of_a, const FlatPart& flat) {
  constexpr double kTurned = 1e-6, kRounded = 1e-12;  // [rad]; of the size
  const Vec3 n = of_a ? -flat.normal : flat.normal;
  if (!flat.exists || norm(n - s.normal) > kTurned) return s;
  const double distance = separation(pair.a, pair.b, n);
  if (distance < s.distance - kRounded * smaller_size(pair.a, pair.b)) return s;
  s.normal = n, s.distance = distance;
  if (of_a) {
    s.point_b = support(pair.b, n);
    s.point_a = s.point_b + distance * n;
  } else {
    s.point_a = support(pair.a, -n);
    s.point_b = s.point_a - distance * n;
  }
  return s;
}

/// Adds where the cores are nearest if no point over the flat part is as near: the direction is within kFlatContact of
/// the normal of the part, and what is nearest may lie beside it. A point that is there within kPolygonDetail is no
/// other one, but further away: where a steep line ends beyond the side that cuts it, by its slope. The nearest takes
/// its place, or nothing would show how near they are.
KOKKOS_INLINE_FUNCTION void add_nearest_beside(CorePair pair, const Separation& found, const FlatPart& flat_a,
                                               const FlatPart& flat_b) {
  Manifold& m = pair.m;
  const double size = smaller_size(pair.a, pair.b);
  for (int i = 0; i < m.count; ++i) {
    const ManifoldPoint& p = m.points[i];
    const Vec3 apart = pair.a.rotation * p.point_a + pair.a.x - pair.b.rotation * p.point_b - pair.b.x;
    if (dot(m.normal, apart) <= found.distance + kEqualLength * size) return;
  }
  const Separation s = at_flat_part(pair, at_flat_part(pair, found, true, flat_a), false, flat_b);
  ManifoldPoint nearest{pair.a.local(s.point_a), pair.b.local(s.point_b), point_feature(PointOrigin::nearest, 0, 0)};
  pair.same = kPolygonDetail * size;
  if (const int there = pair.find(nearest); there >= 0) {
    nearest.feature = m.points[there].feature;
    m.points[there] = nearest;
    m.normals[there] = s.normal;
  } else {
    m.add(nearest.point_a, nearest.point_b, s.normal, nearest.feature);
  }
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
    m.set_normals(0, m.normal);
    if (m.count > 0 && !(hard && gap > 0 && width < gap && width < kGrazingWidth * size)) {
      if (m.normals && !is_triangle(b)) add_nearest_beside(pair, s, flat_a, flat_b);
      return true;
    }
    m.count = 0;
    if (hard && gap > 0) return false;
    m.normal = s.normal;
  }
  // A triangle has no depth: there is no other way out of it than where it is nearest.
  if (m.normals && !is_triangle(b) && flat_part_alone(pair, s)) return true;
  m.normal = s.normal;
  FeaturePolygon line_a, line_b;
  const bool lines = !on_a && !on_b && touching_line(a, -s.normal, line_a) && touching_line(b, s.normal, line_b);
  const bool past = !on_a && !on_b && hard && gap > 0;  // perhaps
  if (m.normals) {
    const bool parallel = lines && are_parallel(line_a, line_b);
    const bool nearest = !parallel && !(past && past_each_other(pair, s));
    if (nearest) pair.add(s.point_a, s.point_b, point_feature(PointOrigin::nearest, 0, 0));
    m.set_normals(0, s.normal);
    add_beside_edge(pair, s);
    if (m.count > 0) return true;
    if (past && past_each_other(pair, s)) return false;
  } else {
    if (lines && lay_along_line(pair, line_a, line_b) && m.count > 0) return true;
    if (past && past_each_other(pair, s)) return false;
  }
  pair.add(s.point_a, s.point_b, point_feature(PointOrigin::nearest, 0, 0));
  m.set_normals(0, s.normal);
  return true;
}

/// One look at the pair at the given poses.
KOKKOS_INLINE_FUNCTION bool core_contacts_at(const ConvexCore& a, const ConvexCore& b, const Pose& pose_a,
                                             const Pose& pose_b, double margin, Manifold& m) {
  m.count = 0;
  const PlacedCore pa = place(a, pose_a.q, {}), pb = place(b, pose_b.q, pose_b.x - pose_a.x);
  const double limit = margin + m.radii(), reach = pa.reach + pb.reach + limit;
  if (norm2(pb.x) >= reach * reach) return true;
  const Separation s = exact_at_rims(pa, pb, signed_distance(pa, pb, SearchEffort::shallow));
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
