#include "scene/urdf/urdf_geometry.hpp"

#include "framework/error.hpp"
#include "framework/text.hpp"
#include "physics/collision/convex_hull.hpp"
#include "scene/meshes/mesh_file.hpp"

#include <cmath>
#include <filesystem>
#include <set>

namespace clarke {
namespace {

namespace fs = std::filesystem;
using Kind = ShapeDescription::Kind;

void require(bool good, const std::string& place, const std::string& expected) {
  if (!good) throw InputError(place + ": " + expected);
}

bool positive(double x) { return x > 0 && std::isfinite(x); }

std::string find_mesh(const UrdfFile& file, const std::string& name, const std::vector<std::string>& folders,
                      const std::string& place) {
  const std::string package = "package://", local = "file://";
  std::vector<fs::path> wanted;
  if (name.rfind(local, 0) == 0) {
    wanted = {fs::path(name.substr(local.size()))};
  } else if (name.rfind(package, 0) == 0) {
    const fs::path whole(name.substr(package.size()));
    wanted = {whole, whole.lexically_relative(*whole.begin()), whole.filename()};
  } else {
    wanted = {fs::path(name), fs::path(name).filename()};
  }
  std::vector<fs::path> places(folders.begin(), folders.end());
  const fs::path beside = fs::path(file.path()).parent_path();
  places.push_back(beside);
  places.push_back(beside / "meshes");
  std::string tried;
  for (const fs::path& folder : places) {
    for (const fs::path& path : wanted)
      if (fs::is_regular_file(folder / path)) return (folder / path).string();
    tried += (tried.empty() ? "" : ", ") + (folder.empty() ? std::string(".") : folder.string());
  }
  throw InputError(place + ": mesh '" + name + "' is not in " + tried + "; see the robot's `meshes`");
}

void add_mesh(const UrdfFile& file, const urdf::Mesh& mesh, const std::vector<std::string>& folders,
              const std::string& place, ShapeDescription& shape) {
  const Vec3 scale{mesh.scale.x, mesh.scale.y, mesh.scale.z};
  require(std::isfinite(norm2(scale)) && scale.x * scale.y * scale.z != 0, place,
          "expected a mesh scale of three numbers that are not zero");
  const std::string path = find_mesh(file, mesh.filename, folders, place);
  std::vector<Vec3> points = read_mesh_points(path, place);
  for (Vec3& p : points) p = {p.x * scale.x, p.y * scale.y, p.z * scale.z};
  shape.kind = Kind::convex;
  shape.points = convex_hull(points, place + ": mesh '" + path + "'").vertex;
}

}  // namespace

Pose to_pose(const urdf::Pose& pose, const std::string& place) {
  const Vec3 x{pose.position.x, pose.position.y, pose.position.z};
  const Quat q{pose.rotation.w, pose.rotation.x, pose.rotation.y, pose.rotation.z};
  require(std::isfinite(norm2(x)) && std::isfinite(norm2(q)) && norm2(q) > 0, place,
          "expected an origin of finite numbers");
  return {x, normalized(q)};
}

ShapeChild collision_shape(const UrdfFile& file, const urdf::Link& link, std::size_t index,
                           const std::vector<std::string>& mesh_folders, UrdfWarnings& warnings) {
  const urdf::Collision& collision = *link.collision_array.at(index);
  const std::string place = file.collision_place(link.name, index);
  const std::string of_link = "link '" + link.name + "': ";
  require(collision.geometry != nullptr, place, of_link + "expected a collision with a geometry");
  const Pose origin = to_pose(collision.origin, place);
  ShapeChild child;
  child.position = origin.x;
  child.orientation = origin.q;
  ShapeDescription& shape = child.shape;
  switch (collision.geometry->type) {
    case urdf::Geometry::SPHERE:
      shape.kind = Kind::sphere;
      shape.radius = static_cast<const urdf::Sphere&>(*collision.geometry).radius;
      require(positive(shape.radius), place, of_link + "expected a radius above 0, got " + format_real(shape.radius));
      break;
    case urdf::Geometry::BOX: {
      const urdf::Vector3& size = static_cast<const urdf::Box&>(*collision.geometry).dim;
      require(positive(size.x) && positive(size.y) && positive(size.z), place,
              of_link + "expected a box with three sizes above 0");
      shape.kind = Kind::box;
      shape.half = {0.5 * size.x, 0.5 * size.y, 0.5 * size.z};
      break;
    }
    case urdf::Geometry::CYLINDER: {
      const auto& cylinder = static_cast<const urdf::Cylinder&>(*collision.geometry);
      require(positive(cylinder.radius) && positive(cylinder.length), place,
              of_link + "expected a cylinder with radius and length above 0");
      shape.kind = Kind::cylinder;
      shape.radius = cylinder.radius;
      shape.half_height = 0.5 * cylinder.length;
      break;
    }
    case urdf::Geometry::MESH:
      add_mesh(file, static_cast<const urdf::Mesh&>(*collision.geometry), mesh_folders, place, shape);
      warnings.add(place, "link '" + link.name + "'", "the collision mesh becomes its convex hull");
      break;
    default:
      throw InputError(place + ": " + of_link + "expected a box, sphere, cylinder or mesh");
  }
  return child;
}

}  // namespace clarke
