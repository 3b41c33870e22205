#include "physics/soft/soft_frame.hpp"

#include "physics/soft/deforming_nodes.hpp"
#include "physics/soft/material_type.hpp"
#include "physics/soft/soft_regions.hpp"

#include <cmath>

namespace clarke {

FrameSoft soft_frame(const SoftDescription& body, const std::vector<Vec3>& x, const std::vector<Vec3>& v) {
  FrameSoft f;
  frame_nodes(f, body, x, v);
  f.tetrahedra = body.mesh.tetrahedra;
  const SoftParts parts = soft_parts(body);
  std::vector<std::unique_ptr<SoftMaterial>> materials;
  for (const SoftElastic& m : parts.materials) {
    materials.push_back(soft_material_registry().create(m.model));
    materials.back()->set(lame(m.young, m.poisson, "soft body '" + body.name + "'"));
  }
  for (std::size_t e = 0; e < body.mesh.tetrahedra.size(); ++e) {
    const std::array<int, 4>& t = body.mesh.tetrahedra[e];
    const auto edges = [&t](const std::vector<Vec3>& p) {
      return transpose(Mat3{p[t[1]] - p[t[0]], p[t[2]] - p[t[0]], p[t[3]] - p[t[0]]});
    };
    const Mat3 F = edges(f.position) * inverse(edges(body.mesh.nodes));
    const double J = determinant(F);
    const Mat3 cauchy = 1 / J * (materials[parts.material[e]]->stress(F) * transpose(F));
    const Mat3 deviator = cauchy - trace(cauchy) / 3 * Mat3::identity();
    f.volumetric_strain.push_back(J - 1);
    f.von_mises.push_back(std::sqrt(1.5 * (norm2(deviator.r0) + norm2(deviator.r1) + norm2(deviator.r2))));
    f.quality.push_back(tet_quality(f.position[t[0]], f.position[t[1]], f.position[t[2]], f.position[t[3]]));
  }
  return f;
}

}  // namespace clarke
