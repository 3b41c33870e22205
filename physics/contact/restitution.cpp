#include "physics/contact/restitution.hpp"

#include "physics/description/material_named.hpp"

namespace clarke {

Restitution Restitution::of(const World& world, const RestitutionOptions& options) {
  std::vector<double> surfaces;
  for_all_materials(world, [&](const MaterialDescription& m) { surfaces.push_back(m.restitution); });
  return {to_device("restitution", surfaces), pairing_named(options.pairing)};
}

}  // namespace clarke
