#pragma once
// What the triangles of a sheet say: area, frame, edges with the triangles on both sides.

#include "physics/description/cloth_description.hpp"

namespace clarke {

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
