#pragma once
// A mesh of tetrahedra from a file: chosen, checked, and repaired only where that is asked for.
//
//   what is wrong                            repair by that name
//   two nodes at one place                   merge_nodes         those within merge_distance become the first of them
//   an element there twice                   drop_duplicates     the first stays
//   an element with a negative volume        flip                two of its nodes change places
//   a flat element (quality below 1e-6)      drop_degenerate
//   a node of no element                     drop_unreferenced
//
// in this order. Without the repair, the first such thing is refused with the file's own number of it. Never repaired:
// a node that is not finite, elements of second order or of another kind, no tetrahedra at all (a surface), a face of
// three elements.

#include "physics/description/tet_mesh.hpp"

#include <set>

namespace clarke {

struct TetMeshFile {
  std::string path;
  double scale = 1;                 // [m] per unit of the file
  std::vector<std::string> groups;  // elements of these only; none: all
  std::set<std::string> repair;
  double merge_distance = 0;  // [m]
};

/// Names `repair` may hold, in the order of the table.
const std::vector<std::string>& mesh_repairs();

/// Throws InputError `PATH: …`. `repairs` gets a sentence per repair that changed something: "3 elements flipped".
TetMesh read_tet_mesh(const TetMeshFile& file, std::vector<std::string>& repairs);

/// A surface: triangles of STL, OBJ, PLY, .msh, .vtu or .vtk. Corners at one place are one node, in the order of the
/// file.
struct SurfaceMesh {
  std::vector<Vec3> nodes;  // [m]
  std::vector<std::array<int, 3>> triangles;
};
/// Throws InputError `PATH: …`; also for a triangle without an area, with its number from 0.
SurfaceMesh read_surface(const std::string& path, double scale);

}  // namespace clarke
