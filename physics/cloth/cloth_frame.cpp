#include "physics/cloth/cloth_frame.hpp"

#include "physics/cloth/plane_stress.hpp"
#include "physics/cloth/triangle_sheet.hpp"
#include "physics/soft/deforming_nodes.hpp"
#include "physics/soft/material_type.hpp"

#include <cmath>

namespace clarke {

FrameSoft cloth_frame(const ClothDescription& cloth, const std::vector<Vec3>& x, const std::vector<Vec3>& v) {
  FrameSoft f;
  frame_nodes(f, cloth, x, v);
  f.triangles = cloth.mesh.triangles;
  const auto material = soft_material_registry().create(cloth.model);
  material->set(lame(cloth.young, cloth.poisson, "cloth '" + cloth.name + "'", true));
  for (const std::array<int, 3>& t : cloth.mesh.triangles) {
    const auto& X = cloth.mesh.nodes;
    const auto b = shape_gradients(X[t[0]], X[t[1]], X[t[2]]);
    Vec3 f0{}, f1{};
    double edges = 0;
    for (int a = 0; a < 3; ++a) {
      f0 += b[a][0] * f.position[t[a]];
      f1 += b[a][1] * f.position[t[a]];
      edges += norm2(f.position[t[(a + 1) % 3]] - f.position[t[a]]);
    }
    const SheetStretch s = sheet_stretch(f0, f1);
    const PlaneState p = plane_stress(*material, s.s1, s.s2);
    const double J = p.s.x * p.s.y * p.s.z, one = p.s.x * p.gradient.x / J, two = p.s.y * p.gradient.y / J;
    f.volumetric_strain.push_back(s.s1 * s.s2 - 1);
    f.von_mises.push_back(std::sqrt(one * one - one * two + two * two));
    f.quality.push_back(2 * std::sqrt(3.0) *
                        norm(cross(f.position[t[1]] - f.position[t[0]], f.position[t[2]] - f.position[t[0]])) / edges);
  }
  return f;
}

}  // namespace clarke
