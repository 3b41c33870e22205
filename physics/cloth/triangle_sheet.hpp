#pragma once
// Closed and open sheets of triangles, and what triangles say: area, frame, edges with the triangles on both sides.

#include "physics/description/cloth_description.hpp"

namespace clarke {

/// An open tube about the x axis, its middle at the origin: `around` × `along` rectangles of two triangles, cut in
/// turns along the one and the other diagonal, which look outwards. Node i of ring j is j around + i.
/// around ≥ 3, along ≥ 1.
TriangleSheet tube_sheet(double radius, double length, int around, int along);

/// A closed torus about the z axis around the origin: the circle of radius r in `around` parts, its middle on a circle
/// of radius R > r in `segments` parts; triangles as those of a tube. Node i of segment j is j around + i; node 0 is
/// farthest from the axis. around, segments ≥ 3.
TriangleSheet torus_sheet(double ring_radius, double tube_radius, int around, int segments);

/// An edge of two triangles: `corner` beside it in the triangle that runs from node[0] to node[1], and in the other.
struct SharedEdge {
  std::array<int, 2> node, corner;
};
std::vector<SharedEdge> shared_edges(const TriangleSheet& mesh);

/// The triangles, wound so that those that share an edge run along it in opposite senses, as the first of each part
/// does; a band with a twist keeps a seam where they do not.
std::vector<std::array<int, 3>> alike_wound(std::vector<std::array<int, 3>> triangles);

/// [m]
double shortest_edge(const TriangleSheet& mesh);

inline double triangle_area(const TriangleSheet& mesh, const std::array<int, 3>& t) {
  return 0.5 * norm(cross(mesh.nodes[t[1]] - mesh.nodes[t[0]], mesh.nodes[t[2]] - mesh.nodes[t[0]]));
}

/// Gradients b_a [1/m] of the three shape functions in a frame of the triangle: first axis along its first edge.
std::array<std::array<double, 2>, 3> shape_gradients(const Vec3& x0, const Vec3& x1, const Vec3& x2);

}  // namespace clarke
