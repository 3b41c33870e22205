#include "scene/meshes/soft_mesh.hpp"

#include "framework/memory_room.hpp"
#include "framework/text.hpp"
#include "physics/register.hpp"
#include "scene/meshes/scene_mesh.hpp"
#include "scene/meshes/tet_mesh_file.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace clarke {
namespace {

/// Peak memory of one step, 14³ bricks over 8³ of five tetrahedra each; `clarke check` takes 10,000.
constexpr double kBytesPerTetrahedron = 4000;

/// Whole numbers of at least one.
void describe_cells(SceneVisitor& v, std::vector<double>& cells, const char* help) {
  const std::size_t count = cells.size();
  v.reals("cells", cells, {.help = help, .min = 1, .max = 1000, .min_items = count, .max_items = count});
  for (const double n : cells)
    if (v.reading() && n != std::floor(n)) v.refuse("cells", "expected whole numbers");
}

/// Before anything of the mesh is there.
void expect_room(SceneVisitor& v, const char* key, double tetrahedra) {
  or_refuse(v, key, [&] {
    expect_memory(kBytesPerTetrahedron * tetrahedra, "a mesh of " + format_real(tetrahedra) + " tetrahedra");
  });
}

/// A box of bricks, each of five tetrahedra, around the origin or, for a bar, along x from it.
void describe_box(SceneVisitor& v, TetMesh& mesh, bool centred) {
  Vec3 size{0.1, 0.1, 0.1};
  std::vector<double> cells{1, 1, 1};
  v.vector("size", size, {.help = "edges", .unit = "m", .min = 0, .open_min = true});
  describe_cells(v, cells, "bricks along x, y and z, five tetrahedra each");
  if (!v.reading()) return;
  expect_room(v, "cells", 5 * cells[0] * cells[1] * cells[2]);
  const Vec3 low = centred ? -0.5 * size : Vec3{0, -0.5 * size.y, -0.5 * size.z};
  mesh = tet_box(low, low + size, static_cast<int>(cells[0]), static_cast<int>(cells[1]), static_cast<int>(cells[2]));
}

void describe_sheet(SceneVisitor& v, TetMesh& mesh) {
  double length = 0.2, width = 0.2, thickness = 0.01;
  std::vector<double> cells{8, 8, 1};
  v.real("length", length, {.help = "along x", .unit = "m", .min = 0, .open_min = true});
  v.real("width", width, {.help = "along y", .unit = "m", .min = 0, .open_min = true});
  v.real("thickness", thickness, {.help = "along z", .unit = "m", .min = 0, .open_min = true});
  describe_cells(v, cells, "bricks along x, y and z, five tetrahedra each");
  if (!v.reading()) return;
  expect_room(v, "cells", 5 * cells[0] * cells[1] * cells[2]);
  const Vec3 half{0.5 * length, 0.5 * width, 0.5 * thickness};
  mesh = tet_box(-half, half, static_cast<int>(cells[0]), static_cast<int>(cells[1]), static_cast<int>(cells[2]));
}

void describe_ball(SceneVisitor& v, TetMesh& mesh) {
  double radius = 0.05;
  int layers = 3;
  v.real("radius", radius, {.unit = "m", .min = 0, .open_min = true});
  v.integer("layers", layers, {.help = "from the centre to the surface: 20 layers^3 tetrahedra", .min = 1, .max = 100});
  if (!v.reading()) return;
  expect_room(v, "layers", 20.0 * layers * layers * layers);
  mesh = tet_ball(radius, layers);
}

void describe_torus(SceneVisitor& v, TetMesh& mesh) {
  double ring = 0.1, tube = 0.03;
  int layers = 2, segments = 24;
  v.real("ring_radius", ring,
         {.help = "of the circle in the middle of the tube, around z", .unit = "m", .min = 0, .open_min = true});
  v.real("tube_radius", tube, {.unit = "m", .min = 0, .open_min = true});
  v.integer("layers", layers, {.help = "from the middle of the tube to its surface", .min = 1, .max = 100});
  v.integer("segments", segments, {.help = "around the ring: 18 layers^2 tetrahedra each", .min = 3, .max = 10000});
  if (!v.reading()) return;
  if (!(tube < ring)) v.refuse("tube_radius", "expected less than ring_radius");
  expect_room(v, "segments", 18.0 * layers * layers * segments);
  mesh = tet_torus(ring, tube, layers, segments);
  if (least_quality(mesh) < 1e-3) v.refuse("segments", "with so few the tube meets itself; expected more");
}

void describe_rod(SceneVisitor& v, TetMesh& mesh) {
  double radius = 0.05, length = 0.4;
  int layers = 2, segments = 8;
  v.real("radius", radius, {.unit = "m", .min = 0, .open_min = true});
  v.real("length", length, {.help = "along x", .unit = "m", .min = 0, .open_min = true});
  v.integer("layers", layers, {.help = "from the axis to the surface", .min = 1, .max = 100});
  v.integer("segments", segments, {.help = "along it: 18 layers^2 tetrahedra each", .min = 1, .max = 10000});
  if (!v.reading()) return;
  expect_room(v, "segments", 18.0 * layers * layers * segments);
  mesh = tet_rod(radius, length, layers, segments);
  if (least_quality(mesh) < 1e-3) v.refuse("segments", "expected elements that are not so flat");
}

}  // namespace

void describe_finger(SceneVisitor& v, FingerShape& finger) {
  v.real("length", finger.length, {.help = "along x", .unit = "m", .min = 0, .open_min = true});
  v.real("width", finger.width, {.help = "along y", .unit = "m", .min = 0, .open_min = true});
  v.real("base_height", finger.base_height,
         {.help = "of the part without gaps", .unit = "m", .min = 0, .open_min = true});
  v.real("chamber_height", finger.chamber_height, {.help = "above it", .unit = "m", .min = 0, .open_min = true});
  v.real("gap", finger.gap, {.help = "between chambers, relative to their pitch", .min = 0.01, .max = 0.9});
  v.integer("chambers", finger.chambers, {.min = 1, .max = 1000});
  std::vector<double> cells{static_cast<double>(finger.chamber_cells), static_cast<double>(finger.width_cells),
                            static_cast<double>(finger.base_cells), static_cast<double>(finger.height_cells)};
  describe_cells(v, cells, "bricks along a chamber, across, in the height of the base, in that of a chamber");
  if (!v.reading()) return;
  finger.chamber_cells = static_cast<int>(cells[0]);
  finger.width_cells = static_cast<int>(cells[1]);
  finger.base_cells = static_cast<int>(cells[2]);
  finger.height_cells = static_cast<int>(cells[3]);
  expect_room(v, "cells", 5.0 * 2 * finger.chambers * cells[0] * cells[1] * (cells[2] + cells[3]));
}

TetMesh describe_mesh_file(SceneVisitor& v, Scene& scene) {
  TetMeshFile file;
  std::string name;
  std::vector<std::string> repair;
  v.text("path", name,
         {.help = ".msh (Gmsh 2.2, 4.1), .vtu, .vtk, .ele or .node (TetGen), relative to the scene",
          .required = true,
          .has_default = false});
  v.real("scale", file.scale, {.help = "metres per unit of the file", .min = 0, .open_min = true});
  v.texts("groups", file.groups,
          {.help = "read the tetrahedra of these groups of the file only; default: all", .has_default = false});
  v.texts("repair", repair,
          {.help = "what may be repaired instead of refused: merge_nodes, drop_duplicates, flip, drop_degenerate, "
                   "drop_unreferenced",
           .has_default = false});
  const bool distance = v.real("merge_distance", file.merge_distance,
                               {.help = "up to which merge_nodes takes two nodes for one", .unit = "m", .min = 0});
  if (!v.reading()) return {};
  for (const std::string& r : repair) {
    const auto& known = mesh_repairs();
    if (std::find(known.begin(), known.end(), r) == known.end())
      v.refuse("repair", "unknown repair '" + r + "'" + suggestion(r, known));
    file.repair.insert(r);
  }
  if (distance && file.repair.count("merge_nodes") == 0)
    v.refuse("merge_distance", "belongs to `repair: [merge_nodes]`");
  file.path = file_beside(scene, name);
  const std::filesystem::path path(name);
  if (lower_case(path.extension().string()) == ".ele")
    file_beside(scene, std::filesystem::path(path).replace_extension(".node").string());
  if (lower_case(path.extension().string()) == ".node")
    file_beside(scene, std::filesystem::path(path).replace_extension(".ele").string());
  std::vector<std::string> repairs;
  TetMesh mesh;
  or_refuse(v, "path", [&] { mesh = read_tet_mesh(file, repairs); });
  for (const std::string& what : repairs) scene.warnings.push_back(v.where() + ": " + file.path + ": " + what);
  return mesh;
}

std::vector<SceneVisitor::Alternative> soft_mesh_alternatives(TetMesh& mesh, Scene& scene) {
  return {
      {"box", "a box around the origin", [&mesh](SceneVisitor& v) { describe_box(v, mesh, true); }},
      {"bar", "a box along x that begins at the origin", [&mesh](SceneVisitor& v) { describe_box(v, mesh, false); }},
      {"sheet", "a flat box around the origin", [&mesh](SceneVisitor& v) { describe_sheet(v, mesh); }},
      {"sphere", "a ball around the origin", [&mesh](SceneVisitor& v) { describe_ball(v, mesh); }},
      {"rod", "a cylinder about the x axis, its middle at the origin",
       [&mesh](SceneVisitor& v) { describe_rod(v, mesh); }},
      {"torus", "around the z axis, its middle the origin", [&mesh](SceneVisitor& v) { describe_torus(v, mesh); }},
      {"finger", "a pneumatic finger along x from the origin; regions base, chambers, layer",
       [&mesh](SceneVisitor& v) {
         FingerShape finger;
         describe_finger(v, finger);
         if (v.reading()) mesh = tet_finger(finger);
       }},
      {"file", "a mesh of tetrahedra from a file; regions are its groups", [&mesh, &scene](SceneVisitor& v) {
         TetMesh read = describe_mesh_file(v, scene);
         if (v.reading()) mesh = std::move(read);
       }}};
}

void describe_soft_region(SceneVisitor& v, SoftDescription& body) {
  SoftRegion region;
  Vec3 low{}, high{};
  std::string model;
  TimeFunction pressure;
  v.text("name", region.name, {.help = "a region of the mesh, or a new one with `box`", .required = true});
  const bool box =
      v.object("box", {.help = "elements whose centroid is in it, in the frame of the mesh"}, [&](SceneVisitor& b) {
        b.vector("min", low, {.unit = "m", .required = true});
        b.vector("max", high, {.unit = "m", .required = true});
      });
  const bool has_model = v.choice("model", model, soft_material_registry().names(),
                                  {.help = "default: that of the body", .has_default = false});
  v.optional_real("young", region.young, {.unit = "Pa", .min = 0, .open_min = true});
  v.optional_real("poisson", region.poisson, {.min = -1, .max = 0.5, .open_min = true});
  v.optional_real("density", region.density, {.unit = "kg/m^3", .min = 0, .open_min = true});
  v.optional_real("damping", region.damping, {.unit = "s", .min = 0});
  v.optional_real("viscosity", region.viscosity, {.unit = "Pa s", .min = 0});
  const bool active =
      v.time_function("pressure", pressure,
                      {.help = "activation: expands the elements as a pressure inside them would; negative: shrinks",
                       .unit = "Pa",
                       .has_default = false});
  if (!v.reading()) return;
  if (has_model) region.model = model;
  if (active) region.pressure = pressure;
  std::vector<std::string> known;
  for (const auto& [name, elements] : body.mesh.regions) known.push_back(name);
  const auto found = body.mesh.regions.find(region.name);
  if (box && found != body.mesh.regions.end())
    v.refuse("name", "the mesh has a region '" + region.name + "' already; expected another name for the box");
  if (!box && found == body.mesh.regions.end())
    v.refuse("name",
             "the mesh has no region '" + region.name + "', and there is no `box`" + suggestion(region.name, known));
  if (!region.model && !region.young && !region.poisson && !region.density && !region.damping && !region.viscosity &&
      !active)
    v.refuse("", "says nothing; expected model, young, poisson, density, damping, viscosity or pressure");
  if (box) {
    for (std::size_t e = 0; e < body.mesh.tetrahedra.size(); ++e) {
      Vec3 c{};
      for (const int n : body.mesh.tetrahedra[e]) c += 0.25 * body.mesh.nodes[n];
      if (c.x >= low.x && c.y >= low.y && c.z >= low.z && c.x <= high.x && c.y <= high.y && c.z <= high.z)
        region.elements.push_back(static_cast<int>(e));
    }
    if (region.elements.empty()) v.refuse("box", "no element has its centroid in it");
    body.mesh.regions[region.name] = region.elements;
  } else {
    region.elements = found->second;
  }
  body.regions.push_back(std::move(region));
}

}  // namespace clarke
