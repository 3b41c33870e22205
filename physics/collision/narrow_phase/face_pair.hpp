#pragma once
// A face of a deforming surface and what it meets, and the tests of places that all its points share (faces.hpp has the
// whole story) [docs/theory.md, eq. N6].

#include "physics/collision/narrow_phase/manifold.hpp"

namespace clarke {

/// cos of 107°: an edge of a box that leans by up to 17° still shows its corner.
inline constexpr double kFacing = 0.3;
/// [rad] beyond the arc between two normals, where surfaces deform in the step.
inline constexpr double kBeyondArc = 0.26;
/// A share of an edge, a barycentric coordinate: nearer to an end is at the end. Far above rounding, far below what
/// could be seen.
inline constexpr double kAtEnd = 1e-6;
/// [rad] Where the surfaces of both sides bend by less at their edges, edges are left out: the gap of two planes is
/// smallest at a corner of what they share, and rows beyond those of the corners would be redundant.
inline constexpr double kSharp = 0.1;
/// Of both reaches: how far one face is moved aside the other where places are at a border, along kAside, which lies
/// across the directions that meshes are made of. Well above kAtEnd.
inline constexpr double kMovedAside = 1e-3;
inline constexpr Vec3 kAside{0.374, 0.584, 0.720};
/// Of the size of a convex shape: faces of it that differ by less in their distance are equally near.
inline constexpr double kEqualDistance = 1e-4;
/// Largest overlap of two faces, of the smaller one's reach.
inline constexpr double kShell = 0.25;
inline constexpr int kRimCorners = 8;
inline constexpr double kRimTurn = 2 * 3.14159265358979323846 / kRimCorners;  // [rad] from one to the next

/// A triangle in world axes, about the middle of its corners.
struct Face {
  Vec3 corner[3];
  Vec3 normal;     // unit, outward; zero where the triangle has no area
  Vec3 beyond[3];  // normal of the neighbour across edge k (corner k → k + 1); its own at a border
  Vec3 around[3];  // sum of the normals that meet at corner k; where the other side has faces
  double reach;    // [m] largest distance of a corner from the middle
  bool owns_corner[3], owns_edge[3];
  bool border[3];  // no neighbour across edge k
  bool two_sided;  // of a sheet; normal and beyond are those of its one side
};

/// What an edge is of, and so where out is.
enum class EdgeOf {
  line,   // the axis of a capsule: everywhere
  solid,  // between the normals of its two faces
  sheet,  // between the two, on either side
  rim,    // of a sheet, which is on one side of it
};

/// An edge of what a face meets.
struct MeetingEdge {
  Vec3 start, along;  // [m]
  Vec3 left, right;   // unit; of a rim: its normal, and away from the sheet in its plane
  EdgeOf of;
};

/// A face (side a), what it meets (side b), and what is kept of them. Places are about the middle of the face.
struct FacePair {
  const Face& face;
  Pose other;    // of side b, about the middle of the face
  double limit;  // [m] distance of the cores below which they touch
  double depth;  // [m] overlap up to which they do
  Manifold& m;
  const Face* facing = nullptr;  // side b where it is a face
  double sharp = kSharp;         // [rad] edges that bend by less on both sides are left out; 0: none is
  Vec3 aside{};  // [m] by which side b is moved where places are at a border, of two faces; else 0 (faces.hpp)

  KOKKOS_INLINE_FUNCTION void add(const Vec3& on_face, const Vec3& on_other, const Vec3& n,
                                  std::uint32_t feature) const {
    m.add(on_face, rotate_inverse(other.q, on_other - other.x), n, feature);
  }
};

/// Barycentric coordinates of the foot of p on a triangle that has an area.
KOKKOS_INLINE_FUNCTION Vec3 barycentric(const Vec3 (&corner)[3], const Vec3& p) {
  const Vec3 e1 = corner[1] - corner[0], e2 = corner[2] - corner[0], n = cross(e1, e2), r = p - corner[0];
  const double n2 = norm2(n);
  const double w1 = dot(cross(r, e2), n) / n2, w2 = dot(cross(e1, r), n) / n2;
  return {1 - w1 - w2, w1, w2};
}

/// Whether the foot with coordinates w is inside the triangle, or on an edge that it owns; not at a corner.
KOKKOS_INLINE_FUNCTION bool foot_is_own(const Face& face, const Vec3& w) {
  for (int k = 0; k < 3; ++k) {
    if (w[k] > 1 - kAtEnd) return false;
    const int edge = (k + 1) % 3;  // opposite to corner k
    if (w[k] < (face.owns_edge[edge] ? -kAtEnd : kAtEnd)) return false;
  }
  return true;
}

/// Whether the foot of p is inside the triangle; nearer to its border than kAtEnd, whether that of p + aside is.
KOKKOS_INLINE_FUNCTION bool foot_is_inside(const Vec3 (&corner)[3], const Vec3& p, const Vec3& aside) {
  const auto least = [](const Vec3& w) { return std::fmin(w.x, std::fmin(w.y, w.z)); };
  const double share = least(barycentric(corner, p));
  return std::fabs(share) > kAtEnd ? share > 0 : least(barycentric(corner, p + aside)) > 0;
}

/// How far inside of both edges their shares s and t are.
KOKKOS_INLINE_FUNCTION double least_share(double s, double t) {
  return std::fmin(std::fmin(s, 1 - s), std::fmin(t, 1 - t));
}

/// Whether the unit vector d lies between the unit vectors l and r, or at most `beyond` [rad] outside.
KOKKOS_INLINE_FUNCTION bool between_normals(const Vec3& d, const Vec3& l, const Vec3& r, double beyond) {
  const Vec3 sum = l + r;
  const double length = norm(sum);
  if (!(length > kAtEnd)) return true;  // folded flat: every direction
  const Vec3 middle = sum / length;
  const double cosine = dot(l, middle);
  const double half = std::acos(cosine > 1 ? 1.0 : cosine) + beyond;
  return dot(d, middle) >= std::cos(half < 3.1 ? half : 3.1);
}

}  // namespace clarke
