#pragma once
// The material that a body or a particle names.

#include "physics/description/world.hpp"

namespace clarke {

/// "" is the default material. Throws InputError with the owner, e.g. "body 'b1'", and the nearest name.
const MaterialDescription& material_named(const World& world, const std::string& material, const std::string& owner);

/// visit(material) for every entity, in order.
template <class Visit>
void for_all_materials(const World& world, const Visit& visit) {
  for (const BodyDescription& body : world.bodies)
    visit(material_named(world, body.material, "body '" + body.name + "'"));
  for (const ParticleDescription& particle : world.particles)
    visit(material_named(world, particle.material, "particle '" + particle.name + "'"));
}

}  // namespace clarke
