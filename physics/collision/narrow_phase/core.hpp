#pragma once
// What a convex shape is to the general narrow phase: a set known by its support function, placed among others.
//
//   support(d) = a point x of the set with the largest d·x
//
//   point      sphere                          its centre; the radius is a ρ of the manifold
//   segment    capsule                         its axis; likewise
//   cylinder   |x·u| ≤ H and |x − (x·u) u| ≤ r  u the unit axis, H the half height: hard, without ρ
//   vertices   polyhedron, or one triangle     their hull
//
// Everything happens in world axes about the origin of side a, so that no position is a small difference of large ones.

#include "framework/state.hpp"
#include "physics/collision/convex_shape.hpp"
#include "physics/collision/narrow_phase/separating_axis.hpp"

namespace clarke {

enum class CoreKind { point, segment, cylinder, vertices };

/// A core in its body frame.
struct ConvexCore {
  CoreKind kind = CoreKind::point;
  Vec3 axis{};             // [m] half axis: segment, cylinder
  double axis_radius = 0;  // [m] cylinder
  ConvexShape hull{};      // vertices; a triangle needs only vertices, its one normal and its offset
};

struct PlacedCore {
  ConvexCore core;
  Mat3 rotation;  // body → world axes
  Vec3 x;         // [m] origin of the body, from the origin of side a
  Vec3 axis;      // [m] half axis in world axes
  Vec3 u;         // its unit vector
  double reach;   // [m] largest distance of a point from x

  KOKKOS_INLINE_FUNCTION bool is(CoreKind kind) const { return core.kind == kind; }
  KOKKOS_INLINE_FUNCTION Vec3 vertex(int i) const { return x + rotation * core.hull.vertex[i]; }
  KOKKOS_INLINE_FUNCTION Vec3 face_normal(int f) const { return rotation * core.hull.normal[f]; }
  KOKKOS_INLINE_FUNCTION Vec3 local(const Vec3& p) const { return transpose_times(rotation, p - x); }
};

KOKKOS_INLINE_FUNCTION PlacedCore place(const ConvexCore& core, const Quat& q, const Vec3& x) {
  PlacedCore p{core, rotation_matrix(q), x, {}, {0, 0, 1}, 0};
  p.axis = p.rotation * core.axis;
  const double half = norm(p.axis);
  if (half > 0) p.u = p.axis / half;
  p.reach =
      core.kind == CoreKind::vertices ? core.hull.radius : std::sqrt(half * half + core.axis_radius * core.axis_radius);
  return p;
}

/// Part of d at right angles to the unit vector u, and its length. Twice, because where d is nearly along u the first
/// result is mostly rounding, which may point anywhere.
KOKKOS_INLINE_FUNCTION Vec3 across(const Vec3& d, const Vec3& u, double& length) {
  Vec3 r = d - dot(d, u) * u;
  r -= dot(r, u) * u;
  length = norm(r);
  return r;
}

/// Point of the core that is farthest along the unit vector d.
KOKKOS_INLINE_FUNCTION Vec3 support(const PlacedCore& c, const Vec3& d) {
  switch (c.core.kind) {
    case CoreKind::point:
      break;
    case CoreKind::segment:
      return dot(d, c.u) >= 0 ? c.x + c.axis : c.x - c.axis;
    case CoreKind::cylinder: {
      double length;
      const Vec3 r = across(d, c.u, length);
      const Vec3 end = dot(d, c.u) >= 0 ? c.x + c.axis : c.x - c.axis;
      return length > 0 ? end + (c.core.axis_radius / length) * r : end;
    }
    case CoreKind::vertices:
      return c.vertex(support_corner(c.core.hull, transpose_times(c.rotation, d)));
  }
  return c.x;
}

/// Distance of the two supporting planes along the unit vector n, from b to a [m]: < 0 where the cores overlap along n.
KOKKOS_INLINE_FUNCTION double separation(const PlacedCore& a, const PlacedCore& b, const Vec3& n) {
  return dot(n, support(a, -n)) - dot(n, support(b, n));
}

/// Nearest point of the surface of a cylinder to p (body frame, as closest_on_convex): axis half axis, r its radius.
struct CylinderPoint {
  Vec3 point, normal;
  double distance;  // [m] < 0 inside
};
KOKKOS_INLINE_FUNCTION CylinderPoint closest_on_cylinder(const Vec3& axis, double r, const Vec3& p) {
  const double half = norm(axis);
  const Vec3 u = axis / half;
  double radial;
  const Vec3 off = across(p, u, radial);
  const double z = dot(p, u), side = z < 0 ? -1 : 1;
  Vec3 out, other;
  tangent_frame(u, out, other);
  if (radial > 0) out = off / radial;
  const double over_cap = side * z - half, over_side = radial - r;
  if (over_cap <= 0 && over_side <= 0) {
    if (over_side >= over_cap) return {z * u + r * out, out, over_side};
    return {side * half * u + off, side * u, over_cap};
  }
  if (over_cap <= 0) return {z * u + r * out, out, over_side};
  if (over_side <= 0) return {side * half * u + off, side * u, over_cap};
  const double d = std::sqrt(over_cap * over_cap + over_side * over_side);
  return {side * half * u + r * out, (over_cap * side * u + over_side * out) / d, d};
}

}  // namespace clarke
