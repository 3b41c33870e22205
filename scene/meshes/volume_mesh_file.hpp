#pragma once
// What a file of a volume mesh holds, before anything of it is chosen, checked or repaired; one reader per format.
// Numbers of nodes and elements are those of the file, for messages. Unit: that of the file.
//
// A reader throws InputError `PATH: …` (`PATH:LINE: …` in texts) for a file that is not whole or not in the format, and
// takes anything else: whether the mesh is any good is not its business.

#include "framework/math/vec3.hpp"

#include <array>
#include <map>
#include <string>
#include <vector>

namespace clarke {

struct VolumeMeshFile {
  std::vector<Vec3> nodes;
  std::vector<long long> node_number;
  std::vector<std::array<int, 4>> tetrahedra;  // indices into `nodes`
  std::vector<long long> element_number;       // of the tetrahedra
  std::vector<std::array<int, 3>> triangles;
  std::map<std::string, std::vector<int>> groups;  // named sets of tetrahedra (indices)
  /// Elements that are neither: "second-order tetrahedra", "hexahedra", … with how many, and the number of the first.
  struct Others {
    int count = 0;
    long long first = 0;
  };
  std::map<std::string, Others> solids;  // with a volume
};

/// Gmsh .msh, formats 2.2 and 4.1, ASCII and binary. Groups: physical groups of volumes by name, or "physical_N"
/// without one.
VolumeMeshFile read_gmsh(const std::string& path);

/// VTK: .vtu, and .vtk (legacy) with an unstructured grid or polygons. Groups: "NAME_VALUE" for the values of each
/// array of whole numbers on the cells, up to 1,000 values.
VolumeMeshFile read_vtk_volume(const std::string& path);

/// An array on the points of such a file, point by point. Throws InputError `PATH: …`, with the nearest name for one
/// that is not there.
struct PointArray {
  int components = 0;
  std::vector<double> values;
};
PointArray read_vtk_point_array(const std::string& path, const std::string& name);

/// TetGen: PATH is the .ele or the .node file; both are read. Numbers may begin at 0 or 1. Groups: "region_N" by the
/// first attribute of the elements, where there is one.
VolumeMeshFile read_tetgen(const std::string& path);

/// The same for any of them, by the ending of the name.
VolumeMeshFile read_volume_mesh(const std::string& path);

}  // namespace clarke
