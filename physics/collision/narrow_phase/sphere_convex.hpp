#pragma once
// Closest point of a convex polyhedron, and spheres against it.
//
//   outside   q = the nearest point of all faces the centre is in front of;  n = (c − q)/|c − q|, gap = |c − q| − ρ
//   inside    q = projection on the nearest face;  n = its normal, gap = n·(c − q) − ρ < 0
//
// n is continuous across the surface except under edges inside, where two faces are equally near.

#include "physics/collision/convex_shape.hpp"
#include "physics/collision/narrow_phase/manifold.hpp"

namespace clarke {

/// Distance below which a direction from the difference of two points would be mostly rounding, relative to the shape:
/// 1e-16 of rounding leave 7 digits of direction.
inline constexpr double kNearSurface = 1e-9;

struct SurfacePoint {
  Vec3 point;       // [m]
  Vec3 normal;      // unit, outward
  double distance;  // [m], < 0 inside
};

/// Nearest point to p of the segment from u to v.
KOKKOS_INLINE_FUNCTION Vec3 closest_on_segment(const Vec3& u, const Vec3& v, const Vec3& p) {
  const Vec3 e = v - u;
  const double s = dot(p - u, e) / norm2(e);
  return s <= 0 ? u : (s >= 1 ? v : u + s * e);
}

/// Point of the surface nearest to c [m] (inside: nearest along a face normal), body frame.
KOKKOS_INLINE_FUNCTION SurfacePoint closest_on_convex(const ConvexShape& shape, const Vec3& c) {
  int front = 0;  // face with the largest signed distance
  double highest = dot(shape.normal[0], c) - shape.offset[0];
  for (int f = 1; f < shape.faces; ++f) {
    const double d = dot(shape.normal[f], c) - shape.offset[f];
    if (d > highest) highest = d, front = f;
  }
  const Vec3 n = shape.normal[front];
  SurfacePoint best{c - highest * n, n, highest};
  if (highest <= 0) return best;

  double least = -1;  // squared distance, none yet
  for (int f = 0; f < shape.faces; ++f) {
    const double d = dot(shape.normal[f], c) - shape.offset[f];
    if (d <= 0 || (least >= 0 && d * d >= least)) continue;
    const Vec3 foot = c - d * shape.normal[f];
    bool over = true;
    for (int k = 0; k < shape.face_vertices(f); ++k) {
      const Vec3& u = shape.face_vertex(f, k);
      const Vec3& v = shape.face_vertex(f, k + 1);
      if (dot(cross(v - u, shape.normal[f]), foot - u) <= 0) continue;
      over = false;
      const Vec3 q = closest_on_segment(u, v, c);
      const double d2 = norm2(c - q);
      if (least < 0 || d2 < least) {
        least = d2;
        best.point = q;
        best.distance = std::sqrt(d2);
        best.normal = best.distance > kNearSurface * shape.radius ? (c - q) / best.distance : n;
      }
    }
    if (over) least = d * d, best = {foot, shape.normal[f], d};
  }
  return best;
}

/// Sphere on side a, polyhedron on side b.
KOKKOS_INLINE_FUNCTION void sphere_convex(const Pose& a, const ConvexShape& convex, const Pose& b, double margin,
                                          Manifold& m) {
  const Vec3 c = rotate_inverse(b.q, a.x - b.x);
  const double reach = convex.radius + m.radii() + margin;
  if (norm2(c) >= reach * reach) return;
  const SurfacePoint s = closest_on_convex(convex, c);
  if (s.distance - m.radii() >= margin) return;
  m.normal = rotate(b.q, s.normal);
  m.add({}, s.point, feature_key(FeatureKind::point, 0));
}

}  // namespace clarke
