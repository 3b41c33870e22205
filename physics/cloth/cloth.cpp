// What a cloth adds to the world and to the system: its nodes, its triangles as elements, its shared edges as hinges.

#include "framework/error.hpp"
#include "framework/text.hpp"
#include "physics/cloth/bending.hpp"
#include "physics/cloth/membrane_batch.hpp"
#include "physics/cloth/triangle_sheet.hpp"
#include "physics/joints/constraint_pool.hpp"
#include "physics/soft/deforming_nodes.hpp"
#include "physics/soft/material_type.hpp"

#include <cmath>

namespace clarke {

double bending_stiffness(const ClothDescription& c) {
  return c.bending_stiffness.value_or(c.young * std::pow(c.thickness, 3) / (12 * (1 - c.poisson * c.poisson)));
}

void add_cloth(World& world, ClothDescription cloth) {
  const std::string owner = "cloth '" + cloth.name + "'";
  const auto require = [&owner](bool holds, const std::string& text) {
    if (!holds) throw InputError(owner + ": " + text);
  };
  check_triangle_sheet(cloth.mesh, owner);
  lame(cloth.young, cloth.poisson, owner, true);
  soft_material_registry().create(cloth.model)->check_sheet(owner, cloth.poisson);
  require(cloth.density > 0 && std::isfinite(cloth.density), "density: expected > 0 [kg/m^2]");
  require(cloth.thickness > 0 && std::isfinite(cloth.thickness), "thickness: expected > 0 [m]");
  require(cloth.damping >= 0 && std::isfinite(cloth.damping), "damping: expected >= 0 [s]");
  require(cloth.mass_damping >= 0 && std::isfinite(cloth.mass_damping), "mass_damping: expected >= 0 [1/s]");
  require(cloth.bending_damping >= 0 && std::isfinite(cloth.bending_damping), "bending_damping: expected >= 0 [s]");
  require(bending_stiffness(cloth) >= 0 && std::isfinite(bending_stiffness(cloth)),
          "bending_stiffness: expected >= 0 [N m]");
  const int count = static_cast<int>(cloth.mesh.nodes.size());
  std::vector<double> mass(count, 0.0);
  for (const std::array<int, 3>& t : cloth.mesh.triangles)
    for (const int n : t) mass[n] += cloth.density * triangle_area(cloth.mesh, t) / 3;
  const std::vector<char> fixed = fixed_nodes(cloth, owner);
  check_contact(cloth, owner);
  const double shortest = shortest_edge(cloth.mesh);
  require(!cloth.self_contact || cloth.thickness < shortest,
          "self_contact: expected a thickness below the shortest edge, " + format_real(shortest) +
              " m, or neighbours would touch");
  const double half = 0.5 * cloth.thickness;
  add_nodes(world, cloth, mass, fixed, [&](int, ParticleDescription& p) {
    p.collides = cloth.contact == "points";
    if (p.collides) p.radius = half;
  });
  add_surface(world, cloth, alike_wound(cloth.mesh.triangles), half, true);
  world.cloths.push_back(std::move(cloth));
}

std::vector<MembraneElement> membrane_elements(const Entities& entities, const World& world,
                                               const std::vector<int>& cloths, std::vector<std::vector<int>>& blocks,
                                               std::vector<std::string>& names) {
  const auto block_of = host_copy(entities.block_of);
  std::vector<MembraneElement> out;
  for (std::size_t k = 0; k < cloths.size(); ++k) {
    const ClothDescription& cloth = world.cloths[cloths[k]];
    for (std::size_t t = 0; t < cloth.mesh.triangles.size(); ++t) {
      const std::array<int, 3>& corners = cloth.mesh.triangles[t];
      MembraneElement e{};
      std::vector<int> touched;
      for (int a = 0; a < 3; ++a) {
        e.node[a] = entities.bodies + cloth.first_particle + corners[a];
        const int block = block_of(e.node[a]).v;
        e.column[a] = block < 0 ? -1 : static_cast<int>(touched.size());
        if (block >= 0) touched.push_back(block);
      }
      if (touched.empty()) continue;  // fixed: nothing to solve for
      const auto& X = cloth.mesh.nodes;
      const auto gradients = shape_gradients(X[corners[0]], X[corners[1]], X[corners[2]]);
      for (int a = 0; a < 3; ++a)
        for (int j = 0; j < 2; ++j) e.b[a][j] = gradients[a][j];
      const double area = triangle_area(cloth.mesh, corners);
      e.volume = cloth.thickness * area;
      e.size = std::sqrt(area);
      e.damping = cloth.damping;
      e.material = static_cast<int>(k);
      out.push_back(e);
      blocks.push_back(std::move(touched));
      names.push_back(cloth.name + " triangle " + std::to_string(t));
    }
  }
  return out;
}

void old_sheet_gradients(const View<MembraneElement>& elements, const View<Vec3>& x, const View<SheetGradient>& out) {
  const View<MembraneElement> all = elements;
  const View<SheetGradient> old = out;
  const View<Vec3> at = x;
  parallel_for(
      "membrane_old_gradient", static_cast<int>(all.extent(0)),
      KOKKOS_LAMBDA(int i) { old(i) = sheet_gradient(all(i), at); }, 30);
}

SoftRowOptions membrane_row_options(const SoftOptions& options) {
  ClothOptions own;
  read_options(own);
  return {own.least_stiffness,
          options.projection == "absolute" || (options.projection == "automatic" && own.form == "compliance"),
          options.projection == "none" && own.form != "compliance", true};
}

std::unique_ptr<JointPool> build_bending(const Entities& entities, const World& world) {
  std::vector<ConstraintItem<BendingHinge>> items;
  const auto block_of = host_copy(entities.block_of);
  for (const ClothDescription& cloth : world.cloths) {
    const double D = bending_stiffness(cloth);
    if (D == 0) continue;
    for (const SharedEdge& edge : shared_edges(cloth.mesh)) {
      const std::array<int, 4> nodes{edge.node[0], edge.node[1], edge.corner[0], edge.corner[1]};
      ConstraintItem<BendingHinge> item;
      Pose rest[4];
      bool moves = false;
      for (int f = 0; f < 4; ++f) {
        item.entity[f] = entities.bodies + cloth.first_particle + nodes[f];
        rest[f].x = cloth.mesh.nodes[nodes[f]];
        moves = moves || block_of(item.entity[f]).v >= 0;
      }
      if (!moves) continue;
      double c[1];
      Vec3 J[1][8];
      item.element.rest = 0;
      item.element.evaluate(rest, c, J);
      item.element.rest = c[0];
      const Vec3 e = rest[1].x - rest[0].x;
      const double areas = 0.5 * (norm(cross(e, rest[2].x - rest[0].x)) + norm(cross(e, rest[3].x - rest[0].x)));
      item.law[0].stiffness = D * norm2(e) / areas;
      item.law[0].damping = cloth.bending_damping * item.law[0].stiffness;
      item.name = cloth.name + " edge " + std::to_string(nodes[0]) + "-" + std::to_string(nodes[1]);
      items.push_back(std::move(item));
    }
  }
  if (items.empty()) return nullptr;
  return std::make_unique<ConstraintPool<BendingHinge>>(entities, std::move(items));
}

}  // namespace clarke
