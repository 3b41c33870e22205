#pragma once
// Fewer points for the same patch: of the points of one pair only those at the corners of the patch, and the deepest.
//
// A rigid body cannot tell how a pressure is spread over more points than the corners of a convex patch: the wrenches
// that forces at p_i along n (and friction in the plane) can give are those that forces at the corners of conv{p_i} can
// give, up to the limit of friction, which for several points under one normal force is a matter of indeterminacy
// anyway [thesis 4.8.2 spreads the force by compliance instead].
//
//   point i stays  ⇔  the directions from it to all others fit into an angle < π − kStraight (in the plane across n)
//                     or it is deeper than every corner by more than kDeeper × extent of the patch
//
// The first condition holds for the corners of the convex hull and for no point inside or on a straight edge. kStraight
// keeps it away from rounding: points on one line, which are common, are far from the bound, so what stays does not
// change from step to step. Of points closer together than kSame × extent only the first (by feature) counts. Each
// point is judged on its own, so the order of the points does not matter. O(n²) for n points.
//
// Limit: a patch with more than 2π/kStraight corners would lose them; manifolds have at most kMaxManifold, and
// polyhedra far less than that in one face.

#include "physics/collision/narrow_phase/manifold.hpp"

#include <numbers>

namespace clarke {

inline constexpr double kStraight = 0.01;  // [rad]
inline constexpr double kSame = 1e-6;      // [1]
inline constexpr double kDeeper = 1e-6;    // [1]
/// Points of one manifold that are judged; more than a face has corners and a plane's partner usually shows. The rest
/// stays.
inline constexpr int kMaxReduced = 64;

/// Place of a point across the normal, and its depth −C [m].
struct PatchPoint {
  double x, y, depth;
};

KOKKOS_INLINE_FUNCTION PatchPoint patch_point(const Manifold& m, int i, const Pose& a, const Pose& b, const Vec3& t1,
                                              const Vec3& t2) {
  const Vec3 p = rotate(b.q, m.points[i].point_b);
  return {dot(t1, p), dot(t2, p), -gap_of(m, i, a, b)};
}

/// Keeps the corners of the patch and the deepest point, in the order they had. a, b: poses of the two colliders.
KOKKOS_INLINE_FUNCTION void reduce_manifold(Manifold& m, const Pose& a, const Pose& b) {
  if (m.count <= 2) return;
  Vec3 t1, t2;
  tangent_frame(m.normal, t1, t2);
  double extent2 = 0;
  const PatchPoint first = patch_point(m, 0, a, b, t1, t2);
  for (int i = 1; i < m.count; ++i) {
    const PatchPoint p = patch_point(m, i, a, b, t1, t2);
    const double d2 = (p.x - first.x) * (p.x - first.x) + (p.y - first.y) * (p.y - first.y);
    if (d2 > extent2) extent2 = d2;
  }
  const double same2 = kSame * kSame * extent2;

  bool corner[kMaxReduced];
  const int n = m.count < kMaxReduced ? m.count : kMaxReduced;
  double corner_depth = -1e300, depth = -1e300;
  int deepest = 0;
  for (int i = 0; i < n; ++i) {
    const PatchPoint p = patch_point(m, i, a, b, t1, t2);
    double dx = 0, dy = 0, least = 0, most = 0;
    bool counts = true;
    for (int j = 0; j < m.count && counts; ++j) {
      if (j == i) continue;
      const PatchPoint q = patch_point(m, j, a, b, t1, t2);
      const double x = q.x - p.x, y = q.y - p.y;
      if (x * x + y * y <= same2) {
        counts = j > i;
        continue;
      }
      if (dx == 0 && dy == 0) {
        dx = x;
        dy = y;
        continue;
      }
      const double angle = std::atan2(dx * y - dy * x, dx * x + dy * y);
      if (angle < least) least = angle;
      if (angle > most) most = angle;
    }
    corner[i] = counts && most - least < std::numbers::pi - kStraight;
    if (corner[i] && p.depth > corner_depth) corner_depth = p.depth;
    if (p.depth > depth) {
      depth = p.depth;
      deepest = i;
    }
  }
  if (depth > corner_depth + kDeeper * std::sqrt(extent2)) corner[deepest] = true;
  int kept = 0;
  for (int i = 0; i < m.count; ++i)
    if (i >= n || corner[i]) m.move(i, kept++);
  m.count = kept;
}

}  // namespace clarke
