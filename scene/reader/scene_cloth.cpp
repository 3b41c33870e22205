// Cloths of a scene: where the triangles come from, what they are made of, where they start.

#include "framework/memory_room.hpp"
#include "framework/text.hpp"
#include "physics/cloth/triangle_sheet.hpp"
#include "physics/register.hpp"
#include "physics/soft/deforming_nodes.hpp"
#include "scene/meshes/scene_mesh.hpp"
#include "scene/meshes/tet_mesh_file.hpp"
#include "scene/reader/scene_model.hpp"

#include <cmath>

namespace clarke {
namespace {

/// Peak memory of one step, 120² cells over 60², contacts of the sheet with itself among it.
constexpr double kBytesPerCell = 24000;

std::vector<SceneVisitor::Alternative> sheet_alternatives(TriangleSheet& mesh, Scene& scene) {
  const auto sheet = [&mesh](SceneVisitor& v) {
    std::vector<double> size{1, 1}, cells{10, 10};
    v.reals("size", size,
            {.help = "along x and y", .unit = "m", .min = 0, .open_min = true, .min_items = 2, .max_items = 2});
    v.reals("cells", cells, {.help = "columns and rows, two triangles each", .min = 1, .min_items = 2, .max_items = 2});
    if (!v.reading()) return;
    for (const double n : cells)
      if (n != std::floor(n)) v.refuse("cells", "expected whole numbers");
    or_refuse(v, "cells", [&] {
      expect_memory(kBytesPerCell * cells[0] * cells[1],
                    "a sheet of " + format_real(cells[0]) + " x " + format_real(cells[1]) + " cells");
    });
    mesh = flat_sheet(size[0], size[1], static_cast<int>(cells[0]), static_cast<int>(cells[1]));
  };
  const auto file = [&mesh, &scene](SceneVisitor& v) {
    std::string path;
    double scale = 1;
    v.text("path", path,
           {.help = "STL, OBJ, PLY, or triangles of .msh, .vtu, .vtk, relative to the scene; corners at one place are "
                    "one node",
            .required = true});
    v.real("scale", scale, {.help = "metres per unit of the file", .min = 0, .open_min = true});
    if (!v.reading()) return;
    or_refuse(v, "path", [&] {
      SurfaceMesh read = read_surface(file_beside(scene, path), scale);
      mesh = {std::move(read.nodes), std::move(read.triangles)};
    });
  };
  const auto sphere = [&mesh](SceneVisitor& v) {
    double radius = 1;
    int refinements = 2;
    v.real("radius", radius, {.unit = "m", .min = 0, .open_min = true});
    v.integer("refinements", refinements,
              {.help = "of an icosahedron: 20 triangles, each cut in four as often", .min = 0, .max = 6});
    if (v.reading()) mesh = sphere_sheet(radius, refinements);
  };
  const auto tube = [&mesh](SceneVisitor& v) {
    double radius = 0.1, length = 0.4;
    int around = 12, along = 8;
    v.real("radius", radius, {.unit = "m", .min = 0, .open_min = true});
    v.real("length", length, {.help = "along x", .unit = "m", .min = 0, .open_min = true});
    v.integer("around", around, {.help = "rectangles around, two triangles each", .min = 3, .max = 10000});
    v.integer("along", along, {.help = "rectangles along", .min = 1, .max = 10000});
    if (!v.reading()) return;
    or_refuse(v, "around", [&] { expect_memory(kBytesPerCell * around * along, "a tube of so many triangles"); });
    mesh = tube_sheet(radius, length, around, along);
  };
  const auto torus = [&mesh](SceneVisitor& v) {
    double ring = 0.3, radius = 0.1;
    int around = 12, segments = 36;
    v.real("ring_radius", ring,
           {.help = "of the circle in the middle of the tube, around z", .unit = "m", .min = 0, .open_min = true});
    v.real("tube_radius", radius, {.unit = "m", .min = 0, .open_min = true});
    v.integer("around", around, {.help = "rectangles around the tube, two triangles each", .min = 3, .max = 10000});
    v.integer("segments", segments, {.help = "rectangles around the ring", .min = 3, .max = 10000});
    if (!v.reading()) return;
    if (!(radius < ring)) v.refuse("tube_radius", "expected less than ring_radius");
    or_refuse(v, "segments", [&] { expect_memory(kBytesPerCell * around * segments, "a torus of so many triangles"); });
    mesh = torus_sheet(ring, radius, around, segments);
  };
  return {{"sphere", "a closed sphere around the origin", sphere},
          {"tube", "an open tube about the x axis, its middle at the origin", tube},
          {"torus", "a closed ring about the z axis, around the origin", torus},
          {"sheet", "a flat sheet around the origin, in the plane z = 0", sheet},
          {"file", "triangles of a file", file}};
}

}  // namespace

void describe_cloth(SceneVisitor& v, Scene& scene, const SceneNames& names) {
  World& world = scene.world;
  ClothDescription cloth;
  std::vector<std::string> sides;
  v.text("name", cloth.name, {.help = "unique among bodies, particles, soft bodies and cloths", .required = true});
  v.one_of("mesh", {.help = "triangles", .required = true}, sheet_alternatives(cloth.mesh, scene));
  v.choice("model", cloth.model, soft_material_registry().names(),
           {.help = "energy in the plane, in plane stress; isotropic ones"});
  v.real("young", cloth.young, {.help = "Young's modulus", .unit = "Pa", .min = 0, .open_min = true});
  v.real(
      "poisson", cloth.poisson,
      {.help = "Poisson's ratio, above -1 and below 0.5; 0.5 of neo_hookean", .min = -1, .max = 0.5, .open_min = true});
  v.real("thickness", cloth.thickness,
         {.help = "of the sheet, and of its surface in contact", .unit = "m", .min = 0, .open_min = true});
  v.real("density", cloth.density, {.help = "mass per area", .unit = "kg/m^2", .min = 0, .open_min = true});
  v.real("damping", cloth.damping, {.help = "Rayleigh damping beta, in the plane", .unit = "s", .min = 0});
  v.real("mass_damping", cloth.mass_damping,
         {.help = "Rayleigh damping alpha of the mass: drag", .unit = "1/s", .min = 0});
  v.optional_real(
      "bending_stiffness", cloth.bending_stiffness,
      {.help = "D; default: that of a plate, young thickness^3/(12 (1 - poisson^2))", .unit = "N m", .min = 0});
  v.real("bending_damping", cloth.bending_damping, {.help = "of the bending stiffness", .unit = "s", .min = 0});
  v.vector("position", cloth.position, {.help = "of the mesh's origin", .unit = "m"});
  v.orientation("orientation", cloth.orientation, {});
  v.vector("velocity", cloth.velocity, {.unit = "m/s"});
  v.vector("angular_velocity", cloth.angular_velocity, {.help = "world frame, about `position`", .unit = "rad/s"});
  v.vector("stretch", cloth.stretch, {.help = "at the start, along the mesh's axes"});
  v.text("material", cloth.material, {.help = "of the surface, a name from `materials`", .has_default = false});
  v.choice("contact", cloth.contact, {"surface", "points", "none"},
           {.help = "what touches: vertices, edges and faces of both sides, nodes as spheres of half the thickness, or "
                    "nothing"});
  v.flag("self_contact", cloth.self_contact, {.help = "the faces touch each other too; with contact: surface"});
  v.texts("fixed", sides,
          {.help = "nodes that never move: sides of the mesh, x_min, ..., or corners, as 'x_min y_max'",
           .has_default = false});
  if (!v.reading()) return;

  if (names.taken(cloth.name)) v.refuse("name", "'" + cloth.name + "' is used already");
  check_material(v, world, "material", cloth.material);
  or_refuse(v, "fixed", [&] { cloth.fixed = nodes_of_sides(cloth.mesh.nodes, sides); });
  if (!v.reading()) return;
  or_refuse(v, "", [&] { add_cloth(world, cloth); });
}

}  // namespace clarke
