#include "framework/error.hpp"
#include "physics/description/tet_surface.hpp"
#include "physics/description/world.hpp"
#include "physics/soft/deforming_nodes.hpp"
#include "physics/soft/material_type.hpp"
#include "physics/soft/soft_regions.hpp"

#include <cmath>

namespace clarke {

void add_soft_body(World& world, SoftDescription body) {
  const std::string owner = "soft body '" + body.name + "'";
  const auto refuse = [&owner](const std::string& text) { throw InputError(owner + ": " + text); };
  check_tet_mesh(body.mesh, owner);
  const SoftParts parts = soft_parts(body);
  for (std::size_t k = 0; k < parts.materials.size(); ++k) {
    const SoftElastic& m = parts.materials[k];
    const std::string part = k == 0 ? owner : owner + ": region '" + body.regions[k - 1].name + "'";
    lame(m.young, m.poisson, part);
    soft_material_registry().create(m.model)->check_rows(body.rows, part);
    if (!(m.density > 0) || !std::isfinite(m.density)) throw InputError(part + ": density: expected > 0 [kg/m^3]");
    if (!(m.damping >= 0) || !std::isfinite(m.damping)) throw InputError(part + ": damping: expected >= 0 [s]");
    if (!(m.viscosity >= 0) || !std::isfinite(m.viscosity))
      throw InputError(part + ": viscosity: expected >= 0 [Pa s]");
  }
  if (!(body.mass_damping >= 0) || !std::isfinite(body.mass_damping)) refuse("mass_damping: expected >= 0 [1/s]");
  const int count = static_cast<int>(body.mesh.nodes.size());
  std::vector<double> mass(count, 0.0);
  for (std::size_t e = 0; e < body.mesh.tetrahedra.size(); ++e) {
    const std::array<int, 4>& t = body.mesh.tetrahedra[e];
    const auto& x = body.mesh.nodes;
    const double m = parts.materials[parts.material[e]].density * tet_volume(x[t[0]], x[t[1]], x[t[2]], x[t[3]]);
    for (const int n : t) mass[n] += m / 4;
  }
  const std::vector<char> fixed = fixed_nodes(body, owner);
  check_contact(body, owner);
  if (!(body.thickness >= 0) || !std::isfinite(body.thickness)) refuse("thickness: expected >= 0 [m]");
  if (body.contact != "surface" && body.thickness > 0)
    refuse("thickness is of faces: expected contact: surface, got '" + body.contact + "'");
  const std::vector<char> outside = surface_nodes(body.mesh);
  add_nodes(world, body, mass, fixed,
            [&](int n, ParticleDescription& p) { p.collides = outside[n] && body.contact == "points"; });
  add_surface(world, body, surface_triangles(body.mesh), body.thickness, false);
  world.softs.push_back(std::move(body));
}

}  // namespace clarke
