// Soft bodies of a scene: where the mesh comes from, what it is made of, where it starts.

#include "physics/register.hpp"
#include "physics/soft/deforming_nodes.hpp"
#include "scene/meshes/scene_mesh.hpp"
#include "scene/meshes/soft_mesh.hpp"
#include "scene/reader/scene_model.hpp"

namespace clarke {
void describe_soft(SceneVisitor& v, Scene& scene, const SceneNames& names) {
  World& world = scene.world;
  SoftDescription body;
  std::vector<std::string> sides;
  v.text("name", body.name, {.help = "unique among bodies, particles and soft bodies", .required = true});
  v.one_of("mesh", {.help = "tetrahedra", .required = true}, soft_mesh_alternatives(body.mesh, scene));
  v.choice("model", body.model, soft_material_registry().names(), {.help = "energy of the deformation"});
  v.real("young", body.young, {.help = "Young's modulus", .unit = "Pa", .min = 0, .open_min = true});
  v.real("poisson", body.poisson,
         {.help = "Poisson's ratio, above -1 and below 0.5", .min = -1, .max = 0.5, .open_min = true});
  v.real("density", body.density, {.unit = "kg/m^3", .min = 0, .open_min = true});
  v.real("damping", body.damping, {.help = "Rayleigh damping beta of the stiffness", .unit = "s", .min = 0});
  v.real("mass_damping", body.mass_damping,
         {.help = "Rayleigh damping alpha of the mass: drag", .unit = "1/s", .min = 0});
  v.real("viscosity", body.viscosity, {.help = "strain-rate damping eta", .unit = "Pa s", .min = 0});
  v.choice("rows", body.rows, {"deformation_gradient", "strain", "stretch"},
           {.help = "what the rows of an element are: all nine of F, six strains (corotational), or three stretches"});
  v.vector("position", body.position, {.help = "of the mesh's origin", .unit = "m"});
  v.orientation("orientation", body.orientation, {});
  v.vector("velocity", body.velocity, {.unit = "m/s"});
  v.vector("angular_velocity", body.angular_velocity, {.help = "world frame, about `position`", .unit = "rad/s"});
  v.vector("stretch", body.stretch, {.help = "at the start, along the mesh's axes; negative: inverted"});
  v.text("material", body.material, {.help = "of the surface, a name from `materials`", .has_default = false});
  v.choice("contact", body.contact, {"surface", "points", "none"},
           {.help = "what touches: vertices, edges and faces of the surface, its nodes as points, or nothing"});
  v.real("thickness", body.thickness,
         {.help = "the surface is this far outside the faces; with contact: surface", .unit = "m", .min = 0});
  v.flag("self_contact", body.self_contact, {.help = "the faces touch each other too; with contact: surface"});
  v.texts("fixed", sides,
          {.help = "nodes that never move: sides of the mesh, x_min, ..., or its edges, as 'x_min y_max'",
           .has_default = false});
  v.list("regions", {.help = "parts of the mesh where something is different"},
         [&body](SceneVisitor& r) { describe_soft_region(r, body); });
  if (!v.reading()) return;

  if (names.taken(body.name)) v.refuse("name", "'" + body.name + "' is used already");
  check_material(v, world, "material", body.material);
  or_refuse(v, "fixed", [&] { body.fixed = nodes_of_sides(body.mesh.nodes, sides); });
  if (!v.reading()) return;
  or_refuse(v, "", [&] { add_soft_body(world, body); });
}

}  // namespace clarke
