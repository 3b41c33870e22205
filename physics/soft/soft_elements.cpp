#include "physics/soft/soft_pool.hpp"
#include "physics/soft/soft_regions.hpp"

#include <algorithm>

namespace clarke {

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
      out.damped = out.damped || e.damping > 0;
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
