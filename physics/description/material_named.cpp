#include "physics/description/material_named.hpp"

#include "framework/error.hpp"

namespace clarke {

const MaterialDescription& material_named(const World& world, const std::string& material, const std::string& owner) {
  static const MaterialDescription plain;
  const auto found = world.materials.find(material);
  if (found != world.materials.end()) return found->second;
  if (material.empty()) return plain;
  std::vector<std::string> names;
  for (const auto& [name, description] : world.materials) names.push_back(name);
  throw InputError(owner + ": unknown material '" + material + "'" + suggestion(material, names));
}

}  // namespace clarke
