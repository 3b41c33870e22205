#pragma once
// Spheres and point sets against planes, and spheres against each other. At most one contact per point, valid for any
// depth.
//
// Radii: ρ of the manifold already holds radius and thickness of both sides. A point of radius 0 is a sphere too.

#include "physics/collision/narrow_phase/manifold.hpp"

namespace clarke {

/// Half space normal·x < offset is solid, body frame.
struct PlaneShape {
  Vec3 normal;    // unit, outward
  double offset;  // [m]
};

/// Centres that coincide leave the direction open: upwards, so that the result does not depend on rounding.
KOKKOS_INLINE_FUNCTION void sphere_sphere(const Pose& a, const Pose& b, double margin, Manifold& m) {
  const Vec3 d = a.x - b.x;
  const double distance = norm(d);
  if (distance - m.radii() >= margin) return;
  m.normal = distance > 0 ? d / distance : Vec3{0, 0, 1};
  m.add({}, {}, feature_key(FeatureKind::point, 0));
}

/// Point number `index` at p [m] of body a over a plane of body b; partner: the foot of the perpendicular.
KOKKOS_INLINE_FUNCTION void point_plane(const Vec3& p, int index, const Pose& a, const PlaneShape& plane, const Pose& b,
                                        double margin, Manifold& m) {
  const Vec3 n = rotate(b.q, plane.normal);
  const Vec3 d = (a.x - b.x) + rotate(a.q, p);
  const double height = dot(n, d) - plane.offset;
  if (height - m.radii() >= margin) return;
  m.normal = n;
  m.add(p, rotate_inverse(b.q, d) - height * plane.normal, feature_key(FeatureKind::point, index));
}

/// Points p[0 … count) of body a, all within `reach` [m] of its origin.
KOKKOS_INLINE_FUNCTION void points_plane(const Vec3* p, int count, double reach, const Pose& a, const PlaneShape& plane,
                                         const Pose& b, double margin, Manifold& m) {
  const double height = dot(rotate(b.q, plane.normal), a.x - b.x) - plane.offset;
  if (height - reach - m.radii() >= margin) return;
  for (int i = 0; i < count; ++i) point_plane(p[i], i, a, plane, b, margin, m);
}

}  // namespace clarke
