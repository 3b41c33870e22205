#include "physics/soft/soft_batch.hpp"
#include "physics/soft/soft_regions.hpp"

#include <algorithm>

namespace clarke {

void old_deformation_gradients(const View<TetElement>& elements, const View<Vec3>& x, const View<Mat3>& out) {
  const View<TetElement> all = elements;
  const View<Mat3> old = out;
  const View<Vec3> at = x;
  parallel_for(
      "soft_old_gradient", static_cast<int>(all.extent(0)),
      KOKKOS_LAMBDA(int i) { old(i) = deformation_gradient(all(i), at); }, 60);
}

void refuse_velocity_level(const StepContext& context, const std::string& who) {
  if (context.level.velocity)
    throw InputError(
        who + ": expected an integrator that evaluates forces at the end of the step: -integrator implicit_euler");
}

SoftRowOptions row_options(const SoftOptions& options) {
  const bool rows = options.form != "stiffness";
  if (rows && options.projection == "none")
    throw InputError(
        "-soft_projection none: rows need the inverse of an element's stiffness, which may be indefinite: use clamp "
        "or absolute, or -soft_form stiffness");
  if (rows && options.mass == "consistent")
    throw InputError(
        "-soft_mass consistent couples nodes through H, and rows of -soft_form compliance need its inverse: use "
        "-soft_form stiffness");
  const bool automatic = options.projection == "automatic";
  return {options.least_stiffness, options.projection == "absolute" || (automatic && rows),
          options.projection == "none" || (automatic && !rows), options.stretch_compliance == "full"};
}

SoftElements soft_elements(const Entities& entities, const World& world, const std::vector<int>& bodies,
                           const std::string& model) {
  const auto block_of = host_copy(entities.block_of);
  SoftElements out;
  for (const int b : bodies) {
    const SoftDescription& body = world.softs[b];
    const SoftParts parts = soft_parts(body);
    std::vector<int> material(parts.materials.size(), -1), pressure(body.regions.size(), -1);  // numbers in the pool
    for (std::size_t t = 0; t < body.mesh.tetrahedra.size(); ++t) {
      const SoftElastic& made_of = parts.materials[parts.material[t]];
      if (made_of.model != model) continue;
      const std::array<int, 4>& corners = body.mesh.tetrahedra[t];
      TetElement e{};
      std::vector<int> touched;
      Vec3 X[4];
      for (int a = 0; a < 4; ++a) {
        X[a] = body.mesh.nodes[corners[a]];
        e.node[a] = entities.bodies + body.first_particle + corners[a];
        const int block = block_of(e.node[a]).v;
        e.column[a] = block < 0 ? -1 : static_cast<int>(touched.size());
        if (block >= 0) touched.push_back(block);
      }
      if (touched.empty()) continue;  // fixed: nothing to solve for
      const Mat3 inverse_edges = inverse(transpose(Mat3{X[1] - X[0], X[2] - X[0], X[3] - X[0]}));
      for (int a = 0; a < 3; ++a) e.b[a + 1] = inverse_edges[a];
      e.b[0] = -(e.b[1] + e.b[2] + e.b[3]);
      e.volume = tet_volume(X[0], X[1], X[2], X[3]);
      e.size = std::cbrt(e.volume);
      e.damping = made_of.damping;
      e.viscosity = made_of.viscosity;
      e.mass = made_of.density * e.volume;
      e.mass_damping = body.mass_damping;
      out.remembers = out.remembers || e.damping > 0 || e.viscosity > 0;
      int& number = material[parts.material[t]];
      if (number < 0) {
        number = static_cast<int>(out.materials.size());
        out.materials.push_back(lame(made_of.young, made_of.poisson, "soft body '" + body.name + "'"));
      }
      e.material = number;
      e.pressure = -1;
      if (const int region = parts.pressure[t]; region >= 0) {
        if (pressure[region] < 0) {
          pressure[region] = static_cast<int>(out.pressures.size());
          out.pressures.push_back(*body.regions[region].pressure);
        }
        e.pressure = pressure[region];
      }
      out.elements.push_back(e);
      out.blocks.push_back(std::move(touched));
      out.names.push_back(body.name + " element " + std::to_string(t));
    }
  }
  return out;
}

}  // namespace clarke
