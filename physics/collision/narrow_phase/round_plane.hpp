#pragma once
// Capsules and cylinders over a plane, in closed form and valid for any depth.
//
//   capsule    both ends of its axis, with ρ
//   cylinder   four points of the lower rim that do not turn with the body, its lowest point where none of them is (by
//              more than kEqualLength of the radius), and the lowest point of the upper rim; those within the margin
//
// A cylinder that rocks or falls flat always has its lowest point; one that stands has a square of support, 30 %
// smaller across its sides than the disc; one that lies has the two ends of its line.

#include "physics/collision/narrow_phase/core_features.hpp"
#include "physics/collision/narrow_phase/spheres_and_planes.hpp"

namespace clarke {

inline constexpr int kCylinderPlanePoints = 6;

/// axis: half axis [m] of the capsule on side a.
KOKKOS_INLINE_FUNCTION void capsule_plane(const Vec3& axis, const Pose& a, const PlaneShape& plane, const Pose& b,
                                          double margin, Manifold& m) {
  point_plane(-axis, 0, a, plane, b, margin, m);
  point_plane(axis, 1, a, plane, b, margin, m);
}

/// Features: 8 × (1 for the cap at +axis) + number; 0 to 3 around the rim, 4 the lowest point.
KOKKOS_INLINE_FUNCTION void cylinder_plane(const Vec3& axis, double radius, const Pose& a, const PlaneShape& plane,
                                           const Pose& b, double margin, Manifold& m) {
  constexpr int kRim = 4, kLowest = 4, kPerCap = 8;
  constexpr double kStanding = 0.5,
                   kLying = 0.87;  // cosine between axis and normal: within 60° of upright, 30° of flat
  const Vec3 n = rotate(b.q, plane.normal);
  const double height = dot(n, a.x - b.x) - plane.offset;
  const ConvexCore core{CoreKind::cylinder, axis, radius, {}};
  const PlacedCore c = place(core, a.q, {});
  if (height - c.reach - m.radii() >= margin) return;
  const double cosine = dot(n, c.u);
  const bool upper_is_low = cosine < 0;
  double slope;
  Vec3 down = -across(n, c.u, slope);
  down = slope > 0 ? (radius / slope) * down : Vec3{};
  const Vec3 low_end = upper_is_low ? c.axis : -c.axis;
  double lowest = 0;  // of the four, along n
  bool four = false;
  if (std::fabs(cosine) >= kStanding) {
    FeaturePolygon rim;
    cap_polygon(c, upper_is_low, kRim, rotation_matrix(b.q), rim);
    for (int i = 0; i < kRim; ++i) {
      const double h = dot(n, rim.corner[i]);
      if (!four || h < lowest) lowest = h;
      four = true;
      point_plane(c.local(rim.corner[i]), kPerCap * upper_is_low + i, a, plane, b, margin, m);
    }
  }
  if (!four || dot(n, low_end + down) < lowest - kEqualLength * radius)
    point_plane(c.local(low_end + down), kPerCap * upper_is_low + kLowest, a, plane, b, margin, m);
  if (std::fabs(cosine) <= kLying)
    point_plane(c.local(-low_end + down), kPerCap * !upper_is_low + kLowest, a, plane, b, margin, m);
}

}  // namespace clarke
