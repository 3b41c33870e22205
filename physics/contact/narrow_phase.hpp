#pragma once
// All contacts of one pair of shapes: picks the function of narrow_phase/ for the two kinds.
//
//   a \ b      sphere           plane                convex
//   sphere     1 point          1 point              1 point
//   plane      1                -                    one per vertex or contact point
//   convex     1                one per vertex ...   two faces: corners of their overlap; two edges: 1
//
// Limit, common to all: contacts that are still open are half spaces, frozen for the step, so what passes an edge within
// the margin may feel it a little too early.

#include "physics/contact/narrow_phase/convex_convex.hpp"
#include "physics/contact/shapes.hpp"

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

/// Most points a pair can have; 0 for pairs that never touch.
KOKKOS_INLINE_FUNCTION int manifold_capacity(const ShapeSet& s, int a, int b) {
  const ShapeKind ka = s.kind(a), kb = s.kind(b);
  if (ka == ShapeKind::none || kb == ShapeKind::none) return 0;
  if (ka == ShapeKind::plane && kb == ShapeKind::plane) return 0;
  if (ka == ShapeKind::sphere || kb == ShapeKind::sphere) return 1;
  if (ka == ShapeKind::plane) return plane_point_count(s, b);
  if (kb == ShapeKind::plane) return plane_point_count(s, a);
  const int corners = s.largest_face(a) + s.largest_face(b);
  return corners < kMaxManifold ? corners : kMaxManifold;
}

/// As find_contacts, for kinds in the order sphere, convex, plane, and without the final sorting.
KOKKOS_INLINE_FUNCTION void find_ordered_contacts(const ShapeSet& s, const PlacedShape& a,
                                                  const PlacedShape& b, double margin,
                                                  Manifold& m) {
  const ShapeKind ka = s.kind(a.collider), kb = s.kind(b.collider);
  if (kb == ShapeKind::plane) {
    const PlaneShape plane = s.plane(b.collider);
    if (ka == ShapeKind::sphere) {
      point_plane({}, 0, a.pose, plane, b.pose, margin, m);
      return;
    }
    const int begin = s.contact_point_begin(a.collider);
    const bool own = s.contact_point_begin(a.collider + 1) > begin;
    const Vec3* points =
        own ? s.contact_point.data() + begin : s.vertex.data() + s.vertex_begin(a.collider);
    points_plane(points, plane_point_count(s, a.collider), s.radius(a.collider), a.pose, plane, b.pose,
                 margin, m);
  } else if (ka == ShapeKind::sphere && kb == ShapeKind::sphere) {
    sphere_sphere(a.pose, b.pose, margin, m);
  } else if (ka == ShapeKind::sphere) {
    sphere_convex(a.pose, convex_shape(s, b.collider), b.pose, margin, m);
  } else {
    convex_convex(convex_shape(s, a.collider), convex_shape(s, b.collider), a.pose, b.pose, a.next,
                  b.next, margin, m);
  }
}

/// ρ of a collider [m]: radius of a sphere, plus the thickness.
KOKKOS_INLINE_FUNCTION double contact_radius(const ShapeSet& s, int c) {
  return s.thickness(c) + (s.kind(c) == ShapeKind::sphere ? s.radius(c) : 0.0);
}

/// Points of the pair with a gap below `margin` [m] into `m` (points and capacity given), in ascending order of feature.
KOKKOS_INLINE_FUNCTION void find_contacts(const ShapeSet& s, const PlacedShape& a,
                                          const PlacedShape& b, double margin, Manifold& m) {
  m.count = 0;
  if (m.capacity == 0) return;
  const ShapeKind ka = s.kind(a.collider), kb = s.kind(b.collider);
  const bool exchange =
      ka == ShapeKind::plane || (ka == ShapeKind::convex && kb == ShapeKind::sphere);
  const PlacedShape& first = exchange ? b : a;
  const PlacedShape& second = exchange ? a : b;
  m.radius_a = contact_radius(s, first.collider);
  m.radius_b = contact_radius(s, second.collider);
  find_ordered_contacts(s, first, second, margin, m);
  if (exchange) exchange_sides(m);
  for (int i = 1; i < m.count; ++i) {  // insertion sort: few points, nearly sorted
    const ManifoldPoint p = m.points[i];
    int k = i;
    for (; k > 0 && m.points[k - 1].feature > p.feature; --k) m.points[k] = m.points[k - 1];
    m.points[k] = p;
  }
}

}  // namespace clarke
