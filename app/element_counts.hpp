#pragma once
// How many elements a model has, for what the program says of it.

#include "physics/description/world.hpp"

namespace clarke {

struct ElementCounts {
  std::size_t tetrahedra = 0, triangles = 0;  // of soft bodies, of cloths
};

inline ElementCounts count_elements(const World& world) {
  ElementCounts out;
  for (const SoftDescription& body : world.softs) out.tetrahedra += body.mesh.tetrahedra.size();
  for (const ClothDescription& cloth : world.cloths) out.triangles += cloth.mesh.triangles.size();
  return out;
}

}  // namespace clarke
