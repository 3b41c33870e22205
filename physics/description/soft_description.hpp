#pragma once
// A soft body as plain host data: a mesh, a material, and where it starts. Its nodes are particles of the World.

#include "framework/math/quat.hpp"
#include "framework/time_function.hpp"
#include "physics/description/tet_mesh.hpp"

#include <optional>

namespace clarke {

struct World;

/// Elements of a soft body where something is different (soft_regions.hpp). What is not given is that of the body.
struct SoftRegion {
  std::string name;
  std::vector<int> elements;
  std::optional<std::string> model;
  std::optional<double> young, poisson, density, damping, viscosity;  // [Pa], -, [kg/m³], [s], [Pa s]
  std::optional<TimeFunction> pressure;  // activation p [Pa]: the elements expand as if it were inside them
};

struct SoftDescription {
  std::string name;
  TetMesh mesh;                               // at rest, own frame [m]
  std::string model = "stable_neo_hookean";   // registered soft_material
  std::string rows = "deformation_gradient";  // row form: what of F the rows are (soft_rows.hpp)
  double young = 1e5;                         // E [Pa]
  double poisson = 0.45;                      // ν, in (−1, 0.5)
  double density = 1000;                      // [kg/m³]
  double damping = 0;                         // [s] Rayleigh: stress β ∂²Ψ/∂F² Ḟ
  double mass_damping = 0;                    // [1/s] Rayleigh's alpha: drag
  double viscosity = 0;                       // η [Pa s] strain-rate damping (viscosity.hpp)
  std::string material;                       // of the surface, for contact; "" is the default material
  Vec3 position{};                            // of the origin of the mesh's frame [m]
  Quat orientation{};
  Vec3 stretch{1, 1, 1};  // at the start, along the axes of the mesh's frame, about its origin; negative: inverted
  Vec3 velocity{}, angular_velocity{};  // [m/s], [rad/s] about `position`
  std::vector<SoftRegion> regions;      // elements that differ; only regions that say something need be here
  std::vector<int> fixed;               // nodes that never move
  std::string contact =
      "surface";              // what touches: surface (vertices, edges, faces), points (nodes of the surface), none
  double thickness = 0;       // [m] the surface is this far outside the faces; with contact = surface
  bool self_contact = false;  // faces touch others of the same body; with contact = surface
  int first_particle = -1;    // in World::particles; set by add_soft_body()
};

/// Adds the body, its surface and its nodes, particles "NAME:0", "NAME:1", …, a quarter of the mass of their elements
/// each. Throws InputError for a mesh or a material that cannot be.
void add_soft_body(World& world, SoftDescription body);

}  // namespace clarke
