// Soft bodies of a scene: where the mesh comes from, what it is made of, where it starts.

#include "cases/scene_model.hpp"
#include "cases/soft_mesh.hpp"
#include "framework/error.hpp"
#include "physics/register.hpp"

#include <cmath>

namespace clarke {
namespace {

/// Nodes within a millionth of the body's size of the side of the mesh with that name.
std::vector<int> nodes_of_side(const TetMesh& mesh, const std::string& side) {
  const int axis = side[0] - 'x';
  const bool low = side.substr(1) == "_min";
  double extreme = low ? INFINITY : -INFINITY, other = -extreme;
  for (const Vec3& p : mesh.nodes) {
    extreme = low ? std::fmin(extreme, p[axis]) : std::fmax(extreme, p[axis]);
    other = low ? std::fmax(other, p[axis]) : std::fmin(other, p[axis]);
  }
  std::vector<int> out;
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n)
    if (std::fabs(mesh.nodes[n][axis] - extreme) <= 1e-6 * std::fabs(other - extreme)) out.push_back(static_cast<int>(n));
  return out;
}

}  // namespace

void describe_soft(SceneVisitor& v, Scene& scene, const SceneNames& names) {
  World& world = scene.world;
  SoftDescription body;
  std::vector<std::string> sides;
  v.text("name", body.name, {.help = "unique among bodies, particles and soft bodies", .required = true});
  v.one_of("mesh", {.help = "tetrahedra", .required = true}, soft_mesh_alternatives(body.mesh, scene));
  v.choice("model", body.model, soft_material_registry().names(), {.help = "energy of the deformation"});
  v.real("young", body.young, {.help = "Young's modulus", .unit = "Pa", .min = 0, .open_min = true});
  v.real("poisson", body.poisson, {.help = "Poisson's ratio, above -1 and below 0.5", .min = -1, .max = 0.5, .open_min = true});
  v.real("density", body.density, {.unit = "kg/m^3", .min = 0, .open_min = true});
  v.real("damping", body.damping, {.help = "Rayleigh damping beta of the stiffness", .unit = "s", .min = 0});
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
  v.real("thickness", body.thickness, {.help = "the surface is this far outside the faces; with contact: surface", .unit = "m", .min = 0});
  v.flag("self_contact", body.self_contact, {.help = "the faces touch each other too; with contact: surface"});
  v.texts("fixed", sides, {.help = "sides of the mesh that never move: x_min, x_max, y_min, y_max, z_min, z_max", .has_default = false});
  v.list("regions", {.help = "parts of the mesh where something is different"},
         [&body](SceneVisitor& r) { describe_soft_region(r, body); });
  if (!v.reading()) return;

  if (names.taken(body.name)) v.refuse("name", "'" + body.name + "' is used already");
  check_material(v, world, "material", body.material);
  for (const std::string& side : sides) {
    const bool known = side.size() == 5 && side[0] >= 'x' && side[0] <= 'z' &&
                       (side.substr(1) == "_min" || side.substr(1) == "_max");
    if (!known) {
      v.refuse("fixed", "expected x_min, x_max, y_min, y_max, z_min or z_max, got '" + side + "'");
      return;
    }
    for (const int n : nodes_of_side(body.mesh, side)) body.fixed.push_back(n);
  }
  if (!v.reading()) return;
  try {
    add_soft_body(world, body);
  } catch (const InputError& error) {
    v.refuse("", error.what());
  }
}

}  // namespace clarke
