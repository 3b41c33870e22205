#include "cases/urdf/urdf_geometry.hpp"

#include "framework/error.hpp"
#include "framework/text.hpp"
#include "physics/contact/convex_hull.hpp"

#include <vtkCallbackCommand.h>
#include <vtkExecutive.h>
#include <vtkNew.h>
#include <vtkOBJReader.h>
#include <vtkPLYReader.h>
#include <vtkPolyData.h>
#include <vtkSTLReader.h>

#include <algorithm>
#include <cctype>
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

/// Runs a VTK reader; its complaints become the exception's.
template <class Reader>
std::vector<Vec3> points_of(const std::string& path, const std::string& place) {
  vtkNew<Reader> reader;
  std::string complaint;
  vtkNew<vtkCallbackCommand> listen;
  listen->SetClientData(&complaint);
  listen->SetCallback([](vtkObject*, unsigned long, void* to, void* text) {
    *static_cast<std::string*>(to) = text ? static_cast<const char*>(text) : "error";
  });
  for (const char* event : {"ErrorEvent", "WarningEvent"}) {
    reader->AddObserver(event, listen);
    reader->GetExecutive()->AddObserver(event, listen);
  }
  reader->SetFileName(path.c_str());
  reader->Update();
  vtkPolyData* data = reader->GetOutput();
  const vtkIdType count = data ? data->GetNumberOfPoints() : 0;
  require(count > 0, place, "mesh '" + path + "' has no points" + (complaint.empty() ? "" : ": " + complaint));
  std::vector<Vec3> points;
  std::set<std::array<double, 3>> seen;
  for (vtkIdType i = 0; i < count; ++i) {
    std::array<double, 3> x{};
    data->GetPoint(i, x.data());
    require(std::isfinite(x[0] + x[1] + x[2]), place, "mesh '" + path + "' has points that are not finite");
    if (seen.insert(x).second) points.push_back({x[0], x[1], x[2]});
  }
  return points;
}

std::string find_mesh(const UrdfFile& file, const std::string& name,
                      const std::vector<std::string>& folders, const std::string& place) {
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

std::vector<Vec3> read_mesh_points(const std::string& path, const std::string& place) {
  std::string type = fs::path(path).extension().string();
  std::transform(type.begin(), type.end(), type.begin(), [](unsigned char c) { return std::tolower(c); });
  if (type == ".stl") return points_of<vtkSTLReader>(path, place);
  if (type == ".obj") return points_of<vtkOBJReader>(path, place);
  if (type == ".ply") return points_of<vtkPLYReader>(path, place);
  throw InputError(place + ": mesh '" + path + "' is neither STL, OBJ nor PLY");
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
