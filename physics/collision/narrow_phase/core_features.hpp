#pragma once
// What a core shows towards a direction: the flat part, and the polygon, segment or point with which it would touch.
//
// A cap is shown as a polygon inscribed in its rim, numbered from a direction that does not turn with the body, so that
// the points under a spinning cylinder stay where they are from step to step. Its deepest point is looked at apart
// (core_manifold.hpp), so nothing is lost between the corners.

#include "physics/collision/narrow_phase/core.hpp"
#include "physics/collision/narrow_phase/face_clipping.hpp"
#include "physics/collision/narrow_phase/manifold.hpp"

namespace clarke {

inline constexpr int kCapCorners = 8;         // of a cap that is cut by another face
inline constexpr int kCapSides = 16;          // of a cap that cuts; one corner may be cut by a side of every face
inline constexpr double kCapFacing = 0.7071;  // cosine between axis and direction from which a cylinder shows its cap

/// Bits 16 and above of a point's feature.
enum class PointOrigin { nearest, incident_corner, crossing, reference_corner, line_end, deepest, end_over };

/// Bits from kPatchBit on: of one of several patches of a pair, whose flat part it lies on. 0: the only patch.
inline constexpr int kOriginBit = 16, kPatchBit = 19;
KOKKOS_INLINE_FUNCTION PointOrigin point_origin(std::uint32_t feature) {
  return static_cast<PointOrigin>(feature >> kOriginBit & ((1U << (kPatchBit - kOriginBit)) - 1));
}

/// Whether it is one of those that core_edges.hpp adds.
KOKKOS_INLINE_FUNCTION bool is_added(std::uint32_t feature) { return feature >> kPatchBit != 0; }

KOKKOS_INLINE_FUNCTION std::uint32_t point_feature(PointOrigin origin, int on_reference, int on_incident) {
  return feature_key(FeatureKind::point, (static_cast<int>(origin) << kOriginBit) | (on_reference << 8) | on_incident);
}

/// Corners in world axes, counter-clockwise around the outward normal.
struct FeaturePolygon {
  Vec3 corner[kMaxFaceVertices];
  int count = 0;
  bool cap = false;
};

/// Flat part of a core that looks most along the unit vector d.
struct FlatPart {
  bool exists = false;
  int face = 0;       // of a polyhedron; 0, 1: caps at −u, +u
  Vec3 normal{};      // unit, outward
  double offset = 0;  // [m] n·x on it
  double area = 0;    // [m²]
};

KOKKOS_INLINE_FUNCTION bool is_triangle(const PlacedCore& c) {
  return c.is(CoreKind::vertices) && c.core.hull.faces == 1;
}

KOKKOS_INLINE_FUNCTION int flat_parts(const PlacedCore& c) {
  return c.is(CoreKind::vertices) ? c.core.hull.faces : (c.is(CoreKind::cylinder) ? 2 : 0);
}

/// Flat part number f of those of the core.
KOKKOS_INLINE_FUNCTION FlatPart numbered_flat_part(const PlacedCore& c, int f) {
  constexpr double kPi = 3.14159265358979323846;
  if (c.is(CoreKind::vertices)) {
    const Vec3 n = c.face_normal(f);
    return {true, f, n, c.core.hull.offset[f] + dot(n, c.x), c.core.hull.area[f]};
  }
  const Vec3 n = f == 1 ? c.u : -c.u;
  return {true, f, n, dot(n, f == 1 ? c.x + c.axis : c.x - c.axis), kPi * c.core.axis_radius * c.core.axis_radius};
}

KOKKOS_INLINE_FUNCTION FlatPart flat_part(const PlacedCore& c, const Vec3& d) {
  if (flat_parts(c) == 0) return {};
  const bool polyhedron = c.is(CoreKind::vertices);
  return numbered_flat_part(
      c, polyhedron ? opposing_face(c.core.hull, -transpose_times(c.rotation, d)) : (dot(d, c.u) >= 0 ? 1 : 0));
}

/// Directions e1, e2 in a cap with normal n; e1 that of `zero` as far as it lies in the cap.
KOKKOS_INLINE_FUNCTION void cap_directions(const Vec3& n, const Mat3& zero, Vec3& e1, Vec3& e2) {
  // Of three orthogonal directions two are within 55° of the cap: the first of them that is clearly so.
  double length = 0;
  for (int k = 0; k < 3 && length < 0.6; ++k) {
    const Vec3 column{zero.r0[k], zero.r1[k], zero.r2[k]};
    e1 = across(column, n, length);
  }
  e1 = e1 / length;
  e2 = cross(n, e1);
}

/// Cap of a cylinder as `corners` points of its rim; the first in the direction of `zero` as far as it lies in the cap.
KOKKOS_INLINE_FUNCTION void cap_polygon(const PlacedCore& c, bool upper, int corners, const Mat3& zero,
                                        FeaturePolygon& p) {
  constexpr double kPi = 3.14159265358979323846;
  const Vec3 middle = upper ? c.x + c.axis : c.x - c.axis;
  Vec3 e1, e2;
  cap_directions(upper ? c.u : -c.u, zero, e1, e2);
  p.count = corners;
  p.cap = true;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2 * kPi * i / corners;
    p.corner[i] = middle + (c.core.axis_radius * std::cos(angle)) * e1 + (c.core.axis_radius * std::sin(angle)) * e2;
  }
}

/// Unit normal of a polygon with three corners or more.
KOKKOS_INLINE_FUNCTION Vec3 polygon_normal(const FeaturePolygon& p) {
  Vec3 sum{};
  for (int k = 1; k + 1 < p.count; ++k) sum += cross(p.corner[k] - p.corner[0], p.corner[k + 1] - p.corner[0]);
  return normalized(sum);
}

/// The polygon of a flat part. `cap_corners`, `zero`: see cap_polygon.
KOKKOS_INLINE_FUNCTION void flat_polygon(const PlacedCore& c, const FlatPart& flat, int cap_corners, const Mat3& zero,
                                         FeaturePolygon& p) {
  p.count = 0;
  p.cap = false;
  if (c.is(CoreKind::cylinder)) {
    cap_polygon(c, flat.face == 1, cap_corners, zero, p);
  } else if (c.core.hull.faces == 1) {  // a triangle; its back side is never shown
    p.count = 3;
    for (int k = 0; k < 3; ++k) p.corner[k] = c.vertex(k);
  } else {
    p.count = c.core.hull.face_vertices(flat.face);
    for (int k = 0; k < p.count; ++k) p.corner[k] = c.x + c.rotation * c.core.hull.face_vertex(flat.face, k);
  }
}

/// Line with which a capsule or the side of a cylinder touches along the unit vector d: 2 points, from −u to +u.
KOKKOS_INLINE_FUNCTION void line_feature(const PlacedCore& c, const Vec3& d, FeaturePolygon& p) {
  Vec3 out{};
  if (c.is(CoreKind::cylinder)) {
    double length;
    out = across(d, c.u, length);
    if (length > 0) out = (c.core.axis_radius / length) * out;
  }
  p.cap = false;
  p.count = 2;
  p.corner[0] = c.x - c.axis + out;
  p.corner[1] = c.x + c.axis + out;
}

/// What c shows along the unit vector d to a face that is cut out of it.
KOKKOS_INLINE_FUNCTION void incident_feature(const PlacedCore& c, const Vec3& d, const Mat3& zero, FeaturePolygon& p) {
  if (c.is(CoreKind::point)) {
    p.count = 1;
    p.corner[0] = c.x;
  } else if (c.is(CoreKind::segment) || (c.is(CoreKind::cylinder) && std::fabs(dot(d, c.u)) < kCapFacing)) {
    line_feature(c, d, p);
  } else {
    flat_polygon(c, flat_part(c, d), kCapCorners, zero, p);
  }
}

/// Edge of c along which it touches in the direction d within an angle of kFlatContact: axis of a capsule, line of a
/// cylinder's side, edge of a polyhedron. False where there is none.
KOKKOS_INLINE_FUNCTION bool touching_line(const PlacedCore& c, const Vec3& d, FeaturePolygon& p) {
  if (c.is(CoreKind::point)) return false;
  if (!c.is(CoreKind::vertices)) {
    if (std::fabs(dot(d, c.u)) > kFlatContact) return false;
    line_feature(c, d, p);
    return true;
  }
  const ConvexShape& hull = c.core.hull;
  const bool triangle = hull.faces == 1;
  const Vec3 top = support(c, d);
  double least = kFlatContact;  // slope of the flattest edge at the top
  bool found = false;
  const double height = dot(d, top), equal = kEqualLength * c.reach;
  for (int i = 0; i < (triangle ? 3 : hull.edges); ++i) {
    const Vec3 v0 = c.vertex(triangle ? i : hull.edge[i].v0);
    const Vec3 v1 = c.vertex(triangle ? (i + 1) % 3 : hull.edge[i].v1);
    const double h0 = dot(d, v0), h1 = dot(d, v1), slope = std::fabs(h1 - h0) / norm(v1 - v0);
    if ((h0 > h1 ? h0 : h1) < height - equal || slope >= least) continue;
    least = slope;
    found = true;
    p.corner[0] = v0, p.corner[1] = v1;
  }
  p.count = 2;
  p.cap = false;
  return found;
}

}  // namespace clarke
