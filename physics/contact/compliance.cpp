#include "physics/contact/compliance.hpp"

namespace clarke {

ContactCompliance ContactCompliance::of(const World& world, const ComplianceOptions& options) {
  ContactCompliance out;
  out.viscous = options.friction_kind == "viscous";
  std::vector<SurfaceCompliance> surfaces;
  const auto add = [&](const std::string& name) {
    SurfaceCompliance s;
    if (options.relaxation == "compliant") {
      const auto found = world.materials.find(name);
      const MaterialDescription m = found == world.materials.end() ? MaterialDescription{} : found->second;
      const auto inverse = [](double stiffness, double instead) {  // a material without stiffness has an infinite one
        if (stiffness < std::numeric_limits<double>::infinity()) return 1 / stiffness;
        return instead > 0 ? 1 / instead : 0.0;
      };
      s.normal = inverse(m.contact_stiffness, options.contact_stiffness);
      s.friction = inverse(m.friction_stiffness, options.friction_stiffness);
      s.damping = m.contact_damping;
    }
    out.any = out.any || s.normal > 0 || s.friction > 0;
    surfaces.push_back(s);
  };
  for (const BodyDescription& body : world.bodies) add(body.material);
  for (const ParticleDescription& particle : world.particles) add(particle.material);
  out.surface = to_device("surface_compliance", surfaces);
  return out;
}

}  // namespace clarke
