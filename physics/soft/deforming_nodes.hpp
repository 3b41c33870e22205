#pragma once
// What soft bodies and cloths have in common: a mesh whose nodes are particles of the World, placed by position,
// orientation and stretch.
//
//   x_n = position + R(orientation) (stretch ∘ X_n),   v_n = velocity + ω × (x_n − position); fixed nodes: nothing
//
// A Description is a SoftDescription or a ClothDescription.

#include "framework/error.hpp"
#include "framework/frame.hpp"
#include "physics/description/world.hpp"

#include <cmath>

namespace clarke {

/// Which nodes of the mesh never move. Throws InputError naming `owner` for a node that does not exist.
template <class Description>
std::vector<char> fixed_nodes(const Description& d, const std::string& owner) {
  const int count = static_cast<int>(d.mesh.nodes.size());
  std::vector<char> fixed(count, 0);
  for (const int n : d.fixed) {
    if (n < 0 || n >= count)
      throw InputError(owner + ": fixed: there is no node " + std::to_string(n) + " of " + std::to_string(count));
    fixed[n] = 1;
  }
  return fixed;
}

/// Adds the nodes, particles "NAME:0", "NAME:1", …, of these masses [kg], and says in `d` where they begin. `finish(n,
/// particle)` adds what is special.
template <class Description, class Finish>
void add_nodes(World& world, Description& d, const std::vector<double>& mass, const std::vector<char>& fixed,
               const Finish& finish) {
  d.first_particle = static_cast<int>(world.particles.size());
  const Quat q = normalized(d.orientation);
  for (std::size_t n = 0; n < d.mesh.nodes.size(); ++n) {
    const Vec3& X = d.mesh.nodes[n];
    const Vec3 arm = rotate(q, Vec3{d.stretch.x * X.x, d.stretch.y * X.y, d.stretch.z * X.z});
    ParticleDescription p;
    p.name = d.name + ":" + std::to_string(n);
    p.mass = mass[n];
    p.mass_damping = d.mass_damping;
    p.position = d.position + arm;
    if (!fixed[n]) p.velocity = d.velocity + cross(d.angular_velocity, arm);
    p.material = d.material;
    p.fixed = fixed[n];
    p.group = d.name;
    finish(static_cast<int>(n), p);
    world.particles.push_back(std::move(p));
  }
}

/// Throws InputError naming `owner` where `contact` is none of surface, points and none, and for faces that touch each
/// other where there are none.
template <class Description>
void check_contact(const Description& d, const std::string& owner) {
  if (d.contact != "surface" && d.contact != "points" && d.contact != "none")
    throw InputError(owner + ": contact: expected surface, points or none, got '" + d.contact + "'");
  if (d.contact != "surface" && d.self_contact)
    throw InputError(owner + ": self_contact is of faces: expected contact: surface, got '" + d.contact + "'");
}

/// With contact: surface the triangles of the mesh, so far outside [m], become a surface; and whether it touches
/// itself.
template <class Description>
void add_surface(World& world, const Description& d, std::vector<std::array<int, 3>> triangles, double thickness,
                 bool two_sided) {
  if (!d.self_contact) world.no_collision.emplace_back(d.name, d.name);
  if (d.contact != "surface") return;
  for (std::array<int, 3>& triangle : triangles)
    for (int& node : triangle) node += d.first_particle;
  world.surfaces.push_back({d.name, std::move(triangles), thickness, two_sided});
}

/// Name, positions, velocities and displacements from the undeformed mesh at its first pose, out of those of all
/// particles.
template <class Description>
void frame_nodes(FrameSoft& f, const Description& d, const std::vector<Vec3>& x, const std::vector<Vec3>& v) {
  f.name = d.name;
  const Quat q = normalized(d.orientation);
  for (std::size_t n = 0; n < d.mesh.nodes.size(); ++n) {
    f.position.push_back(x[d.first_particle + n]);
    f.velocity.push_back(v[d.first_particle + n]);
    f.displacement.push_back(f.position[n] - (d.position + rotate(q, d.mesh.nodes[n])));
  }
}

/// Nodes at sides of the mesh, "x_min", within a millionth of its extent, and where a name has two of them, "x_min
/// y_max", at both: an edge of a solid, a corner of a sheet. Throws InputError for what names no side.
std::vector<int> nodes_of_sides(const std::vector<Vec3>& nodes, const std::vector<std::string>& sides);

}  // namespace clarke
