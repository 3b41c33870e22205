#pragma once
// Surfaces made of triangles, for bodies that no contact moves: meshes as they are given, height fields cut into
// triangles.
//
// A cell of a height field, corners a (x, y), b (x + dx, y), c (x + dx, y + dy), d (x, y + dy), becomes a b c and a c
// d. Every triangle is one-sided: solid behind it, its corners counter-clockwise seen from outside. It becomes a
// collider of kind `triangle` (shapes.hpp); there is no volume, so nothing here has mass.
//
// Inner edges. Where the surface goes on flat or concave, an edge must not be touched as an edge: something that slides
// across would catch on it. Edge k (corner k → k + 1) of a triangle with normal n₁ is active where it has no neighbour,
// or where the surface bends away from the solid by more than kFlatAngle to the neighbour's n₂:
//
//   angle = atan2((n₁ × n₂)·e, n₁·n₂)  >  kFlatAngle,      e: unit vector along the edge, as n₁'s corners turn
//
// and then carries that angle. A corner is a convex corner of the whole surface where at least three independent
// normals meet and no edge there is concave; without that a corner whose edges are partly flat (the diagonals of a
// cube's faces) could never be touched.
//
// Edges that more than two triangles share, and edges that two run along in the same direction (a surface that turns
// its inside out there), are active on all of them and reported as warnings.
// Neighbours. What lies on a shared edge or corner is seen by all triangles there. So that it becomes one contact
// (shared_points.hpp), every triangle knows who else may see it: its neighbour across each edge, and the first triangle
// at each corner.
//
// Corners at exactly the same place are the same corner, so files that give three corners of their own to each triangle
// (STL) work.

#include "physics/description/world.hpp"

#include <array>
#include <string>
#include <vector>

namespace clarke {

inline constexpr double kFlatAngle = 0.0175;  // [rad] 1°: beyond what tessellated planes and single precision leave

struct TriangleMesh {
  std::vector<Vec3> points;  // [m] frame of the body
  std::vector<std::array<int, 3>> triangles;
  std::vector<int> active_edges;  // per triangle: flags of narrow_phase/triangle.hpp, bit k for its edge k
  /// Per triangle: those beyond edges 0 to 2, −1 where there is none or more than one; the lowest at corners 0 to 2.
  std::vector<std::array<int, 6>> neighbours;

  const Vec3& corner(std::size_t triangle, int k) const { return points[triangles[triangle][k]]; }
};

/// Whether shapes of this kind are triangle meshes, which only bodies that no contact moves can have.
inline bool is_surface(ShapeDescription::Kind kind) {
  return kind == ShapeDescription::Kind::mesh || kind == ShapeDescription::Kind::height_field;
}

/// Triangles of a shape for which is_surface() holds. Throws InputError beginning with `owner` and naming the triangle:
/// none at all, corners out of range or not finite, triangles without area, a height field with fewer than 2 × 2
/// heights or another number of them than columns × rows.
TriangleMesh triangle_mesh(const ShapeDescription& shape, const std::string& owner);

/// What is odd about a mesh but no reason to refuse it; empty for a surface without faults.
std::vector<std::string> mesh_warnings(const TriangleMesh& mesh);

}  // namespace clarke
