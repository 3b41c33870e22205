// Shapes of a scene file that come from many numbers: height fields, triangle meshes, and convex shapes from mesh
// files.

#include "scene/meshes/scene_mesh.hpp"

#include "framework/memory_room.hpp"
#include "framework/sha256.hpp"
#include "physics/collision/convex_hull.hpp"
#include "physics/collision/triangle_mesh.hpp"
#include "scene/meshes/grid_expression.hpp"
#include "scene/meshes/mesh_file.hpp"
#include "scene/meshes/soft_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace clarke {
namespace {

using Kind = ShapeDescription::Kind;

/// Peak memory of `clarke check`, 400² heights over 200²; a run takes a fifth more.
constexpr double kBytesPerHeight = 2800;

void describe_file(SceneVisitor& v, std::string& file, double& scale, bool required) {
  v.text("file", file, {.help = "STL, OBJ or PLY, relative to the scene", .required = required, .has_default = false});
  v.real("scale", scale, {.help = "metres per unit of the file", .min = 0, .open_min = true});
}

MeshFile scaled_mesh(Scene& scene, const std::string& file, double scale) {
  MeshFile mesh = read_mesh(file_beside(scene, file), "file");
  for (Vec3& p : mesh.points) p *= scale;
  return mesh;
}

/// z = f(x, y) at every point of the grid, the origin in its middle.
void heights_from(const std::string& expression, ShapeDescription& s) {
  s.heights = sample_expression(expression, {"x", s.columns, -0.5 * (s.columns - 1) * s.spacing_x, s.spacing_x},
                                {"y", s.rows, -0.5 * (s.rows - 1) * s.spacing_y, s.spacing_y});
}

}  // namespace

std::string file_beside(Scene& scene, const std::string& name) {
  std::string path = (std::filesystem::path(scene.file).parent_path() / name).string();
  std::ostringstream bytes;
  if (std::ifstream stream(path, std::ios::binary); stream && std::filesystem::is_regular_file(path))
    bytes << stream.rdbuf();
  const std::pair<std::string, std::string> entry{path, sha256(bytes.str())};
  auto& files = scene.other_files;
  if (std::find(files.begin(), files.end(), entry) == files.end()) files.push_back(entry);
  return path;
}

void describe_height_field(SceneVisitor& v, ShapeDescription& shape, Scene& scene) {
  shape.kind = Kind::height_field;
  std::vector<double> spacing{1, 1};
  std::string file, expression;
  v.integer("columns", shape.columns,
            {.help = "heights along x; default: as in the file", .min = 2, .has_default = false});
  v.integer("rows", shape.rows, {.help = "heights along y; default: as in the file", .min = 2, .has_default = false});
  v.real_or_list("spacing", spacing,
                 {.help = "between columns and between rows, or one number for both",
                  .unit = "m",
                  .min = 0,
                  .open_min = true,
                  .required = true,
                  .min_items = 1,
                  .max_items = 2});
  const int sources =
      v.reals("heights", shape.heights,
              {.help = "row by row, each from −x to +x, the first at −y",
               .unit = "m",
               .has_default = false,
               .min_items = 4}) +
      v.text("file", file, {.help = "table of heights, a row per line, relative to the scene", .has_default = false}) +
      v.text(
          "expression", expression,
          {.help = "height as a function of x and y [m], the origin in the middle of the grid", .has_default = false});
  if (!v.reading()) return;
  if (sources != 1) v.refuse("", "expected exactly one of heights, file, expression");
  shape.spacing_x = spacing.front();
  shape.spacing_y = spacing.back();
  if (!file.empty()) {
    NumberTable table;
    or_refuse(v, "file", [&] { table = read_table(file_beside(scene, file), "file"); });
    if ((shape.columns && shape.columns != table.columns) || (shape.rows && shape.rows != table.rows))
      v.refuse("file", "has " + std::to_string(table.rows) + " rows of " + std::to_string(table.columns) +
                           " columns, not what `columns` and `rows` say");
    shape.columns = table.columns;
    shape.rows = table.rows;
    shape.heights = std::move(table.values);
  } else if (shape.columns == 0 || shape.rows == 0) {
    v.refuse(shape.columns == 0 ? "columns" : "rows", "required unless the heights come from a file");
  }
  or_refuse(v, "", [&] {
    expect_memory(kBytesPerHeight * shape.columns * shape.rows, "a height field of " + std::to_string(shape.columns) +
                                                                    " x " + std::to_string(shape.rows) + " heights");
  });
  if (!expression.empty()) or_refuse(v, "expression", [&] { heights_from(expression, shape); });
  or_refuse(v, "", [&] { triangle_mesh(shape, "height field"); });
}

void describe_mesh(SceneVisitor& v, ShapeDescription& shape, Scene& scene) {
  shape.kind = Kind::mesh;
  std::string file;
  double scale = 1;
  std::vector<Vec3> corners;
  describe_file(v, file, scale, false);
  v.vectors("vertices", shape.points, {.help = "instead of a file", .unit = "m", .has_default = false, .min_items = 3});
  v.vectors("triangles", corners,
            {.help = "three numbers of vertices each, from 0, counter-clockwise seen from outside",
             .min = 0,
             .has_default = false,
             .min_items = 1});
  if (!v.reading()) return;
  if (file.empty() == shape.points.empty() || shape.points.empty() != corners.empty())
    v.refuse("", "expected either file or vertices and triangles");
  for (std::size_t t = 0; t < corners.size(); ++t) {
    const Vec3& c = corners[t];
    for (int k = 0; k < 3; ++k)
      if (c[k] != std::floor(c[k]) || !(c[k] < static_cast<double>(shape.points.size())))
        v.refuse("triangles", "triangle " + std::to_string(t) + ": expected numbers of vertices, 0 to " +
                                  std::to_string(shape.points.size() - 1));
    shape.triangles.push_back({static_cast<int>(c.x), static_cast<int>(c.y), static_cast<int>(c.z)});
  }
  TriangleMesh mesh;
  or_refuse(v, file.empty() ? "triangles" : "file", [&] {
    if (!file.empty()) {
      MeshFile read = scaled_mesh(scene, file, scale);
      shape.points = std::move(read.points);
      shape.triangles = std::move(read.triangles);
    }
    mesh = triangle_mesh(shape, "mesh");
  });
  for (const std::string& warning : mesh_warnings(mesh)) scene.warnings.push_back(v.where() + ": mesh: " + warning);
}

void describe_convex(SceneVisitor& v, ShapeDescription& shape, Scene& scene) {
  shape.kind = Kind::convex;
  std::string file;
  double scale = 1;
  v.vectors("points", shape.points, {.unit = "m", .has_default = false, .min_items = 4});
  describe_file(v, file, scale, false);
  if (!v.reading()) return;
  if (file.empty() == shape.points.empty())
    v.refuse(file.empty() ? "points" : "",
             file.empty() ? "required, or `file` instead" : "expected either points or file");
  if (file.empty()) return;
  or_refuse(v, "file", [&] { shape.points = convex_hull(scaled_mesh(scene, file, scale).points, "convex").vertex; });
}

void describe_hull_of_tetrahedra(SceneVisitor& v, ShapeDescription& shape, Scene& scene) {
  shape.kind = Kind::compound;
  const TetMesh mesh = describe_mesh_file(v, scene);
  if (!v.reading()) return;
  ShapeChild part;
  part.shape.kind = Kind::convex;
  part.shape.points = mesh.nodes;
  part.shape.tetrahedra = mesh.tetrahedra;
  or_refuse(v, "path", [&] { convex_hull(part.shape.points, "tetrahedra"); });
  shape.children.push_back(part);
}

void describe_convex_pieces(SceneVisitor& v, ShapeDescription& shape, Scene& scene) {
  shape.kind = Kind::compound;
  std::string file;
  double scale = 1;
  describe_file(v, file, scale, true);
  if (!v.reading()) return;
  or_refuse(v, "file", [&] {
    const MeshFile mesh = scaled_mesh(scene, file, scale);
    std::vector<std::vector<Vec3>> points(mesh.pieces);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
      for (int corner : mesh.triangles[t]) points[mesh.piece[t]].push_back(mesh.points[corner]);
    for (int k = 0; k < mesh.pieces; ++k) {
      ShapeChild child;
      child.shape.kind = Kind::convex;
      child.shape.points = convex_hull(points[k], "piece " + std::to_string(k)).vertex;
      shape.children.push_back(child);
    }
  });
}

}  // namespace clarke
