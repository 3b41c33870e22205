#pragma once
// Convex cores against one face of a mesh or height field: one-sided, solid behind, its neighbours known by a few bits.
//
// Normals that the neighbours make impossible do not occur, so that boxes and balls slide over flat tessellations:
// - over the inside of the triangle the normal is that of the face;
// - at an edge the normal may turn from that of the face to that of the neighbour, and no further; where the edge is
//   not active (flat or concave neighbour) not at all;
// - at a vertex it may turn where the vertex is active, or both of its edges are, or along one active edge;
// - otherwise the contact has the normal of the face, its gap along it, and lies over the triangle; or there is none.
//
// Limits: what is wholly behind the plane is ignored, as is what could only be pushed out sideways at a deep overlap.
// What lies on a shared edge or corner both triangles report; detection keeps one of them (shared_points.hpp).

#include "physics/collision/narrow_phase/core_manifold.hpp"

namespace clarke {

/// Word of flags of a triangle. Bits 0 to 2: edge k (vertex k → k + 1) is active. Bits 3 to 5: vertex k is a convex
/// corner of the whole surface. Eight bits from 6 + 8 k: angle between the normals on both sides of active edge k, in
/// units of π/255, rounded up; 0 is unknown and counts as a right angle.
inline constexpr int kTriangleVertexBit = 3, kTriangleAngleBit = 6, kTriangleAngleSteps = 255;

KOKKOS_INLINE_FUNCTION bool edge_is_active(int flags, int k) { return (flags >> k) & 1; }
KOKKOS_INLINE_FUNCTION bool vertex_is_active(int flags, int k) {
  return ((flags >> (kTriangleVertexBit + k)) & 1) || (edge_is_active(flags, k) && edge_is_active(flags, (k + 2) % 3));
}

/// Flags with the angle [rad] of an active edge.
KOKKOS_INLINE_FUNCTION int with_edge_angle(int flags, int k, double angle) {
  constexpr double kPi = 3.14159265358979323846;
  int steps = static_cast<int>(std::ceil(angle / kPi * kTriangleAngleSteps));
  steps = steps < 1 ? 1 : (steps > kTriangleAngleSteps ? kTriangleAngleSteps : steps);
  return flags | (1 << k) | (steps << (kTriangleAngleBit + 8 * k));
}

/// Largest angle [rad] by which the normal may turn from that of the face at active edge k.
KOKKOS_INLINE_FUNCTION double edge_angle(int flags, int k) {
  constexpr double kPi = 3.14159265358979323846;
  const int steps = (flags >> (kTriangleAngleBit + 8 * k)) & kTriangleAngleSteps;
  return steps == 0 ? 0.5 * kPi : steps * kPi / kTriangleAngleSteps;
}

/// Whether the unit vector n is a possible normal at the point p of the triangle, other than that of the face.
KOKKOS_INLINE_FUNCTION bool normal_allowed(const PlacedCore& triangle, int flags, const Vec3& p, const Vec3& n) {
  constexpr double kAtEdge = 1e-9,
                   kAlong = 1e-6;  // of the size; cosine between a normal and the edge it belongs to
  const Vec3 f = triangle.face_normal(0);
  if (dot(n, f) < -kAtEdge) return false;
  const double near = kAtEdge * triangle.reach;
  for (int k = 0; k < 3; ++k)
    if (norm(p - triangle.vertex(k)) <= near && vertex_is_active(flags, k)) return true;
  for (int k = 0; k < 3; ++k) {
    if (!edge_is_active(flags, k)) continue;
    const Vec3 v = triangle.vertex(k), e = normalized(triangle.vertex((k + 1) % 3) - v);
    if (norm(cross(e, p - v)) > near || std::fabs(dot(n, e)) > kAlong) continue;
    const Vec3 out = cross(e, f);  // away from the triangle
    constexpr double kRounded = 1e-6;
    if (dot(n, out) >= 0 && std::atan2(dot(n, out), dot(n, f)) <= edge_angle(flags, k) + kRounded) return true;
  }
  return false;
}

/// Drops what core_edges.hpp has added with normals that are not possible where they are.
KOKKOS_INLINE_FUNCTION void keep_allowed(const PlacedCore& triangle, int flags, Manifold& m) {
  constexpr double kSameDirection = 1 - 0.5 * kFlatContact * kFlatContact;
  if (!m.normals) return;
  int kept = 0;
  for (int i = 0; i < m.count; ++i) {
    const Vec3 n = m.normals[i], p = triangle.x + triangle.rotation * m.points[i].point_b;
    if (!is_added(m.points[i].feature) || dot(n, triangle.face_normal(0)) >= kSameDirection ||
        normal_allowed(triangle, flags, p, n))
      m.move(i, kept++);
  }
  m.count = kept;
}

/// One look at the pair; b is the triangle. False as in core_manifold.
KOKKOS_INLINE_FUNCTION bool triangle_contacts_at(const ConvexCore& a, const ConvexCore& triangle, int flags,
                                                 const Pose& pose_a, const Pose& pose_b, double margin, Manifold& m) {
  m.count = 0;
  const PlacedCore pa = place(a, pose_a.q, {}), pb = place(triangle, pose_b.q, pose_b.x - pose_a.x);
  const double limit = margin + m.radii(), reach = pa.reach + pb.reach + limit;
  if (norm2(pb.x) >= reach * reach) return true;
  const FlatPart face = flat_part(pb, pb.face_normal(0));
  const double lowest = dot(face.normal, support(pa, -face.normal)) - face.offset;
  const double highest = dot(face.normal, support(pa, face.normal)) - face.offset;
  if (lowest >= limit || highest < -m.radius_a) return true;
  const CorePair pair{pa, pb, limit, m};
  const Separation s = exact_at_rims(pa, pb, signed_distance(pa, pb, SearchEffort::shallow, face.normal));
  if (s.distance >= limit) return true;
  const double equal = kEqualLength * smaller_size(pa, pb);
  constexpr double kSameDirection = 1 - 0.5 * kFlatContact * kFlatContact;
  const bool over_face = lowest >= s.distance - equal || dot(s.normal, face.normal) >= kSameDirection;
  if (!over_face && normal_allowed(pb, flags, s.point_b, s.normal)) {
    const bool near = core_manifold(pair, s, true);
    keep_allowed(pb, flags, m);
    return near;
  }
  m.normal = face.normal;
  clip_onto_face(pair, false, face);
  m.set_normals(0, m.normal);
  return true;
}

/// Contacts of a convex core with a triangle on side b; next_a, next_b as in convex_convex.
KOKKOS_INLINE_FUNCTION void triangle_contacts(const ConvexCore& a, const ConvexCore& triangle, int flags,
                                              const Pose& pose_a, const Pose& pose_b, const Pose& next_a,
                                              const Pose& next_b, double margin, Manifold& m) {
  if (triangle_contacts_at(a, triangle, flags, pose_a, pose_b, margin, m)) return;
  if (!triangle_contacts_at(a, triangle, flags, next_a, next_b, margin, m)) m.count = 0;
  keep_near(pose_a, pose_b, margin, m);
}

}  // namespace clarke
