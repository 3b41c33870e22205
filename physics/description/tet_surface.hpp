#pragma once
// The surface of a mesh of tetrahedra: the faces that belong to one element only, as triangles that look outwards.
//
//   faces of (a, b, c, d), V > 0, seen from outside counter-clockwise:   (b, c, d), (a, d, c), (a, b, d), (a, c, b)

#include "physics/description/tet_mesh.hpp"

namespace clarke {

/// Three nodes per face, in the order of elements and their faces.
std::vector<std::array<int, 3>> surface_triangles(const TetMesh& mesh);
/// 1 for nodes of the surface.
std::vector<char> surface_nodes(const TetMesh& mesh);

}  // namespace clarke
