#include "framework/error.hpp"
#include "framework/text.hpp"
#include "scene/meshes/mesh_file.hpp"
#include "scene/meshes/tet_mesh_file.hpp"
#include "scene/meshes/volume_mesh_file.hpp"

#include <cmath>
#include <filesystem>

namespace clarke {

SurfaceMesh read_surface(const std::string& path, double scale) {
  std::vector<Vec3> points;
  std::vector<std::array<int, 3>> triangles;
  const std::string type = lower_case(std::filesystem::path(path).extension().string());
  if (type == ".msh" || type == ".vtu" || type == ".vtk") {
    VolumeMeshFile file = read_volume_mesh(path);
    points = std::move(file.nodes);
    triangles = std::move(file.triangles);
  } else {
    MeshFile file = read_mesh(path, path);
    points = std::move(file.points);
    triangles = std::move(file.triangles);
  }
  if (triangles.empty()) throw InputError(path + ": holds no triangles");
  SurfaceMesh out;
  std::map<std::array<double, 3>, int> places;
  const auto node = [&](int n) {
    const Vec3 p = scale * points[n];
    const auto [place, fresh] = places.try_emplace({p.x, p.y, p.z}, static_cast<int>(out.nodes.size()));
    if (fresh) out.nodes.push_back(p);
    return place->second;
  };
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const std::array<int, 3> corner{node(triangles[t][0]), node(triangles[t][1]), node(triangles[t][2])};
    const Vec3 &a = out.nodes[corner[0]], &b = out.nodes[corner[1]], &c = out.nodes[corner[2]];
    const double area = norm(cross(b - a, c - a));
    if (!std::isfinite(area)) throw InputError(path + ": triangle " + std::to_string(t) + " is not finite");
    if (!(area > 0)) throw InputError(path + ": triangle " + std::to_string(t) + " has no area");
    out.triangles.push_back(corner);
  }
  return out;
}

}  // namespace clarke
