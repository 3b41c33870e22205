#pragma once
// Meshes from STL, OBJ and PLY files (surface_readers.hpp): for robots, and for the shapes of scenes.

#include "framework/math/vec3.hpp"

#include <array>
#include <string>
#include <vector>

namespace clarke {

struct MeshFile {
  std::vector<Vec3> points;                   // as in the file, unit of the file
  std::vector<std::array<int, 3>> triangles;  // polygons as fans about their first corner
  std::vector<int> piece;  // per triangle: number of its group or object (OBJ: `g`, `o`), from 0; all 0 without those
  int pieces = 1;
};

/// `place` begins the message of an InputError: no such file, no points, points that are not finite, another kind of
/// file.
MeshFile read_mesh(const std::string& path, const std::string& place);

/// Vertices of a mesh file, each once, in the order of the file.
std::vector<Vec3> read_mesh_points(const std::string& path, const std::string& place);

/// Numbers of a text file, rows of equal length separated by blanks, commas or semicolons; # begins a comment. Throws
/// InputError `path:line: …`.
struct NumberTable {
  int columns = 0, rows = 0;
  std::vector<double> values;  // row by row
};
NumberTable read_table(const std::string& path, const std::string& place);

}  // namespace clarke
