#pragma once
// Convex polyhedra on the host: the hull of a point set with coplanar triangles merged into polygons, and boxes.
//
// Method: gift wrapping by whole faces. A supporting plane is turned about an edge until the farthest point touches it;
// all points within the tolerance of that plane form one face, whose outline is their plane convex hull. Cost
// O(points × edges), meant for hundreds of points.
//
// Tolerance: points within kHullTolerance × (radius of the point set) of a plane lie on it. It is far above rounding
// (1e-16) and above the noise of coordinates from single-precision files (6e-8), so that their quadrilaterals stay
// whole. A point that lies about as far from a plane as the tolerance may count as on it from one face and not from the
// next, and faces do not close; one in some 10⁵ clouds of a dozen random points does so. Then other tolerances are
// tried, from 1e-5 times this one to 8 times, the nearest finer ones first; what is returned closes and has all points
// inside to three of them.

#include "physics/collision/convex_shape.hpp"

#include <string>
#include <vector>

namespace clarke {

inline constexpr double kHullTolerance = 1e-6;
/// A point set thinner than this times its radius has no inside worth the name: ten planarity tolerances.
inline constexpr double kHullFlatness = 10 * kHullTolerance;

/// Owner of the arrays behind a ConvexShape; every V − E + F = 2.
struct ConvexHull {
  std::vector<Vec3> vertex;
  std::vector<Vec3> normal;
  std::vector<double> offset, area;
  std::vector<int> loop_begin{0}, loop, loop_edge;
  std::vector<ConvexEdge> edge;

  /// Valid while this hull lives unchanged.
  ConvexShape shape() const;
};

/// Hull of `points` [m]. Points inside it, on its faces or on its edges are dropped; the rest keep their order.
/// Throws InputError beginning with `owner` when fewer than four points differ, the points are flat, a limit of
/// convex_shape.hpp is exceeded, or no tolerance gives faces that close.
ConvexHull convex_hull(const std::vector<Vec3>& points, const std::string& owner);

/// Box |x_i| ≤ half_i. Vertex i has the sign + on axis k where bit k of i is set; faces −x, +x, −y, +y, −z, +z.
ConvexHull box_hull(const Vec3& half, const std::string& owner);

/// Moves all points by `shift` [m].
void translate(ConvexHull& hull, const Vec3& shift);

/// Turns the hull about the origin.
void turn_hull(ConvexHull& hull, const Mat3& rotation);

}  // namespace clarke
