#pragma once
// A cloth as plain host data: a mesh of triangles, what it is made of in its plane and against bending, and where it
// starts. Its nodes are particles of the World.

#include "framework/math/quat.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace clarke {

struct World;

struct TriangleSheet {
  std::vector<Vec3> nodes;  // [m]
  std::vector<std::array<int, 3>> triangles;
};

struct ClothDescription {
  std::string name;
  TriangleSheet mesh;                         // at rest, own frame
  std::string model = "st_venant_kirchhoff";  // registered soft_material, isotropic; in plane stress
  double young = 1e6;                         // E [Pa]
  double poisson = 0.3;                       // ν, in (−1, 0.5); 0.5 of neo_hookean: keeps its volume
  double thickness = 1e-3;                    // t [m]; in contact half of it is on either side
  double density = 0.2;                       // [kg/m²] of area
  double damping = 0;                         // [s] Rayleigh, in the plane
  double mass_damping = 0;                    // [1/s] Rayleigh's alpha: drag
  std::optional<double> bending_stiffness;    // D [N m]; E t³/(12 (1 − ν²)) when absent
  double bending_damping = 0;                 // [s] beside it
  std::string material;                       // of the surface, for contact; "" is the default material
  Vec3 position{};                            // of the origin of the mesh's frame [m]
  Quat orientation{};
  Vec3 stretch{1, 1, 1};                // at the start, along the axes of the mesh's frame
  Vec3 velocity{}, angular_velocity{};  // [m/s], [rad/s] about `position`
  std::vector<int> fixed;               // nodes that never move
  std::string contact =
      "surface";              // what touches: surface (vertices, edges, faces), points (nodes, spheres of t/2), none
  bool self_contact = false;  // faces touch others of the same cloth; with contact = surface, t below its shortest edge
  int first_particle = -1;    // in World::particles; set by add_cloth()
};

/// D of the description [N m].
double bending_stiffness(const ClothDescription& cloth);

/// A flat sheet in the plane z = 0 around the origin, columns × rows rectangles along x and y, of two triangles each,
/// cut in turns along the one and the other diagonal. Node j (columns + 1) + i is that of column i, row j.
TriangleSheet flat_sheet(double size_x, double size_y, int columns, int rows);

/// A closed sphere around the origin, from an icosahedron whose triangles are cut in four `refinements` times, their
/// corners on the sphere: 20 × 4^refinements triangles, which look outwards.
TriangleSheet sphere_sheet(double radius, int refinements);

/// Throws InputError naming `owner` and the first node or triangle (from 0) that is wrong: a node number out of range,
/// a triangle that is a line (height below 1e-6 of its longest edge), an edge of more than two triangles, a node that
/// is not finite or that no triangle uses.
void check_triangle_sheet(const TriangleSheet& mesh, const std::string& owner);

/// Adds the cloth, its surface and its nodes, particles "NAME:0", "NAME:1", …, a third of the mass of their triangles
/// each. Throws InputError for a mesh or a material that cannot be.
void add_cloth(World& world, ClothDescription cloth);

}  // namespace clarke
