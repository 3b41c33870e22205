#include "physics/soft/soft_regions.hpp"

#include <set>

namespace clarke {

SoftParts soft_parts(const SoftDescription& body) {
  const auto refuse = [&body](const std::string& text) { throw InputError("soft body '" + body.name + "': " + text); };
  const int count = static_cast<int>(body.mesh.tetrahedra.size());
  const SoftElastic own{body.model, body.young, body.poisson, body.density, body.damping, body.viscosity};
  SoftParts out{{own}, std::vector<int>(count, 0), std::vector<int>(count, -1)};
  for (std::size_t r = 0; r < body.regions.size(); ++r) {
    const SoftRegion& region = body.regions[r];
    if (region.elements.empty()) refuse("region '" + region.name + "' has no elements");
    out.materials.push_back({region.model.value_or(own.model), region.young.value_or(own.young),
                             region.poisson.value_or(own.poisson), region.density.value_or(own.density),
                             region.damping.value_or(own.damping), region.viscosity.value_or(own.viscosity)});
    const bool material =
        region.model || region.young || region.poisson || region.density || region.damping || region.viscosity;
    for (const int e : region.elements) {
      if (e < 0 || e >= count)
        refuse("region '" + region.name + "': there is no element " + std::to_string(e) + " of " +
               std::to_string(count));
      const auto twice = [&](int other, const char* what) {
        refuse("element " + std::to_string(e) + " gets its " + what + " from two regions, '" +
               body.regions[other].name + "' and '" + region.name + "'");
      };
      if (material && out.material[e] > 0) twice(out.material[e] - 1, "material");
      if (material) out.material[e] = static_cast<int>(r) + 1;
      if (region.pressure && out.pressure[e] >= 0) twice(out.pressure[e], "pressure");
      if (region.pressure) out.pressure[e] = static_cast<int>(r);
    }
  }
  return out;
}

std::vector<std::string> soft_models(const SoftDescription& body) {
  const SoftParts parts = soft_parts(body);
  std::set<std::string> models;
  for (const int m : parts.material) models.insert(parts.materials[m].model);
  return {models.begin(), models.end()};
}

}  // namespace clarke
