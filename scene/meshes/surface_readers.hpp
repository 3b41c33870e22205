#pragma once
// The three formats of surfaces, one reader each. A reader checks every count against the size of the file and every
// index against what it points into before it takes anything, and throws InputError `PATH:LINE: …` or `PATH: byte N: …`
// for a file that is not whole or not in the format. What it takes is finite. Unit: that of the file.

#include "scene/meshes/mesh_file.hpp"

namespace clarke {

/// STL, ASCII and binary. Corners in the same place are one point; triangles that lose a corner so are left out.
MeshFile read_stl(const std::string& path);

/// Wavefront OBJ: v and f, with g and o as pieces; normals and textures are checked and not used. Free-form curves and
/// surfaces are passed over.
MeshFile read_obj(const std::string& path);

/// Stanford PLY, ASCII and binary of either order of bytes: x, y, z of `vertex`, vertex_indices of `face`; other
/// elements and properties are passed over.
MeshFile read_ply(const std::string& path);

}  // namespace clarke
