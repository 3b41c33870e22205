#include "scene/meshes/volume_mesh_file.hpp"

#include "framework/error.hpp"
#include "framework/text.hpp"

#include <filesystem>

namespace clarke {

VolumeMeshFile read_volume_mesh(const std::string& path) {
  if (!std::filesystem::is_regular_file(path)) throw InputError(path + ": is not a file");
  const std::string type = lower_case(std::filesystem::path(path).extension().string());
  if (type == ".msh") return read_gmsh(path);
  if (type == ".vtu" || type == ".vtk") return read_vtk_volume(path);
  if (type == ".ele" || type == ".node") return read_tetgen(path);
  throw InputError(path + ": expected a mesh of tetrahedra as .msh (Gmsh), .vtu or .vtk (VTK), .ele or .node (TetGen)" +
                   (type == ".stl" || type == ".obj" || type == ".ply" ? "; this is a surface" : ""));
}

}  // namespace clarke
