#pragma once
// All contacts of one pair of shapes: picks the function of narrow_phase/ for the two kinds, and their signed distance.
//
//   a \ b      sphere  capsule  cylinder  convex  plane               triangle
//   sphere     1       1        1         1       1                   1
//   capsule            1, 2     1 to 3    1 to 3  2                   1 to 3
//   cylinder                    1 to 13   1 to 13 1 to 6              1 to 13
//   convex                                faces   one per vertex ...  1 to 13
//   (with -manifold features up to kMaxBesideEdge instead of 3 and 13)
//
// "faces": corners of the overlap of two faces, or the crossing of two edges. Planes and triangles never meet each
// other. Spheres with convex shapes and planes, and convex shapes with each other and planes have their own functions;
// the rest is core_manifold.hpp and triangle.hpp.
//
// Limit, common to all: contacts that are still open are half spaces, frozen for the step, so what passes an edge
// within the margin may feel it a little too early.

#include "physics/collision/narrow_phase/convex_convex.hpp"
#include "physics/collision/narrow_phase/round_plane.hpp"
#include "physics/collision/narrow_phase/triangle.hpp"
#include "physics/collision/shapes.hpp"

namespace clarke {

/// A collider's number and where it is, now and where it would be at the end of the step if nothing touched it.
struct PlacedShape {
  int collider;
  Pose pose, next;
};

/// Points of collider c that may touch planes.
KOKKOS_INLINE_FUNCTION int plane_point_count(const ShapeSet& s, int c) {
  const int own = s.contact_point_begin(c + 1) - s.contact_point_begin(c);
  return own > 0 ? own : s.vertex_begin(c + 1) - s.vertex_begin(c);
}

/// Order in which the functions below take their two sides.
KOKKOS_INLINE_FUNCTION int kind_rank(ShapeKind kind) {
  switch (kind) {
    case ShapeKind::none:
      break;
    case ShapeKind::sphere:
      return 0;
    case ShapeKind::capsule:
      return 1;
    case ShapeKind::cylinder:
      return 2;
    case ShapeKind::convex:
      return 3;
    case ShapeKind::plane:
      return 4;
    case ShapeKind::triangle:
      return 5;
  }
  return -1;
}

/// Most points a pair can have; 0 for pairs that never touch. `features`: points have normals of their own.
KOKKOS_INLINE_FUNCTION int manifold_capacity(const ShapeSet& s, int a, int b, bool features) {
  const bool exchange = kind_rank(s.kind(a)) > kind_rank(s.kind(b));
  const int first = exchange ? b : a, second = exchange ? a : b;
  const ShapeKind low = s.kind(first), high = s.kind(second);
  if (low == ShapeKind::none || low == ShapeKind::plane || low == ShapeKind::triangle) return 0;
  if (low == ShapeKind::sphere) return 1;
  if (features && high != ShapeKind::plane && (low != ShapeKind::convex || high == ShapeKind::triangle))
    return kMaxBesideEdge;
  if (low == ShapeKind::capsule) return high == ShapeKind::capsule || high == ShapeKind::plane ? 2 : 3;
  if (high == ShapeKind::plane) return low == ShapeKind::cylinder ? kCylinderPlanePoints : plane_point_count(s, first);
  if (low == ShapeKind::cylinder || high == ShapeKind::triangle) return kMaxPatch + 1;
  const int corners = s.largest_face(a) + s.largest_face(b), most = corners < kMaxManifold ? corners : kMaxManifold;
  return features ? 1 + 2 * most : most;  // a pair of edges, and what lies over a face of each
}

/// Collider c as a core; not for planes.
KOKKOS_INLINE_FUNCTION ConvexCore convex_core(const ShapeSet& s, int c) {
  switch (s.kind(c)) {
    case ShapeKind::none:
    case ShapeKind::plane:
    case ShapeKind::sphere:
      break;
    case ShapeKind::capsule:
      return {CoreKind::segment, s.axis(c), 0, {}};
    case ShapeKind::cylinder:
      return {CoreKind::cylinder, s.axis(c), s.axis_radius(c), {}};
    case ShapeKind::convex:
    case ShapeKind::triangle:
      return {CoreKind::vertices, {}, 0, convex_shape(s, c)};
  }
  return {};
}

/// As find_contacts, for kinds in the order of kind_rank, and without the final sorting.
KOKKOS_INLINE_FUNCTION void find_ordered_contacts(const ShapeSet& s, const PlacedShape& a, const PlacedShape& b,
                                                  double margin, Manifold& m) {
  const ShapeKind ka = s.kind(a.collider), kb = s.kind(b.collider);
  if (kb == ShapeKind::triangle) {
    triangle_contacts(convex_core(s, a.collider), convex_core(s, b.collider), s.active_edges(b.collider), a.pose,
                      b.pose, a.next, b.next, margin, m);
  } else if (kb == ShapeKind::plane) {
    const PlaneShape plane = s.plane(b.collider);
    if (ka == ShapeKind::sphere) {
      point_plane({}, 0, a.pose, plane, b.pose, margin, m);
    } else if (ka == ShapeKind::capsule) {
      capsule_plane(s.axis(a.collider), a.pose, plane, b.pose, margin, m);
    } else if (ka == ShapeKind::cylinder) {
      cylinder_plane(s.axis(a.collider), s.axis_radius(a.collider), a.pose, plane, b.pose, margin, m);
    } else {
      const int begin = s.contact_point_begin(a.collider);
      const bool own = s.contact_point_begin(a.collider + 1) > begin;
      const Vec3* points = own ? s.contact_point.data() + begin : s.vertex.data() + s.vertex_begin(a.collider);
      points_plane(points, plane_point_count(s, a.collider), s.radius(a.collider), a.pose, plane, b.pose, margin, m);
    }
  } else if (ka == ShapeKind::sphere && kb == ShapeKind::sphere) {
    sphere_sphere(a.pose, b.pose, margin, m);
  } else if (ka == ShapeKind::sphere && kb == ShapeKind::convex) {
    sphere_convex(a.pose, convex_shape(s, b.collider), b.pose, margin, m);
  } else if (ka == ShapeKind::sphere && kb == ShapeKind::cylinder) {
    sphere_cylinder(a.pose, s.axis(b.collider), s.axis_radius(b.collider), b.pose, margin, m);
  } else if (ka == ShapeKind::convex && kb == ShapeKind::convex) {
    convex_convex(convex_shape(s, a.collider), convex_shape(s, b.collider), a.pose, b.pose, a.next, b.next, margin, m);
  } else {
    core_contacts(convex_core(s, a.collider), convex_core(s, b.collider), a.pose, b.pose, a.next, b.next, margin, m);
  }
}

/// ρ of a collider [m]: radius of a sphere or capsule, plus the thickness.
KOKKOS_INLINE_FUNCTION double contact_radius(const ShapeSet& s, int c) {
  const ShapeKind kind = s.kind(c);
  return s.thickness(c) +
         (kind == ShapeKind::sphere ? s.radius(c) : (kind == ShapeKind::capsule ? s.axis_radius(c) : 0.0));
}

/// Points of the pair with a gap below `margin` [m] into `m` (points and capacity given), in ascending order of
/// feature.
KOKKOS_INLINE_FUNCTION void find_contacts(const ShapeSet& s, const PlacedShape& a, const PlacedShape& b, double margin,
                                          Manifold& m) {
  m.count = 0;
  if (m.capacity == 0) return;
  const bool exchange = kind_rank(s.kind(a.collider)) > kind_rank(s.kind(b.collider));
  const PlacedShape& first = exchange ? b : a;
  const PlacedShape& second = exchange ? a : b;
  m.radius_a = contact_radius(s, first.collider);
  m.radius_b = contact_radius(s, second.collider);
  Vec3* const normals = m.normals;
  const bool one = s.kind(first.collider) == ShapeKind::sphere || s.kind(second.collider) == ShapeKind::plane;
  if (one) m.normals = nullptr;
  find_ordered_contacts(s, first, second, margin, m);
  if (one) {
    m.normals = normals;
    m.set_normals(0, m.normal);
  }
  if (exchange) exchange_sides(m);
  for (int i = 1; i < m.count; ++i) {  // insertion sort: few points, nearly sorted
    const ManifoldPoint p = m.points[i];
    const Vec3 n = m.normal_of(i);
    int k = i;
    for (; k > 0 && m.points[k - 1].feature > p.feature; --k) m.move(k - 1, k);
    m.points[k] = p;
    if (m.normals) m.normals[k] = n;
  }
}

/// Signed distance of two colliders whose surfaces are ρ outside their cores [m]: < 0 where they overlap, and nearest
/// or deepest points in world axes from the origin of a. A triangle counts as a flat set with two sides.
KOKKOS_INLINE_FUNCTION Separation shape_distance(const ShapeSet& s, int a, const Pose& pose_a, int b,
                                                 const Pose& pose_b) {
  const bool exchange = kind_rank(s.kind(a)) > kind_rank(s.kind(b));
  const int first = exchange ? b : a, second = exchange ? a : b;
  const Pose &pose_1 = exchange ? pose_b : pose_a, &pose_2 = exchange ? pose_a : pose_b;
  const Vec3 shift = pose_2.x - pose_1.x;
  const PlacedCore core = place(convex_core(s, first), pose_1.q, {});
  Separation d;
  if (s.kind(second) == ShapeKind::plane) {
    const PlaneShape plane = s.plane(second);
    d.normal = rotate(pose_2.q, plane.normal);
    d.point_a = support(core, -d.normal);
    d.distance = dot(d.normal, d.point_a - shift) - plane.offset;
    d.point_b = d.point_a - d.distance * d.normal;
  } else {
    d = signed_distance(core, place(convex_core(s, second), pose_2.q, shift));
  }
  const double rho_1 = contact_radius(s, first), rho_2 = contact_radius(s, second);
  d.point_a -= rho_1 * d.normal;
  d.point_b += rho_2 * d.normal;
  d.distance -= rho_1 + rho_2;
  if (!exchange) return d;
  return {-d.normal, d.distance, d.point_b - shift, d.point_a - shift};
}

}  // namespace clarke
