#include "physics/contact/compliance.hpp"

#include "framework/error.hpp"
#include "physics/description/material_named.hpp"

namespace clarke {

ContactCompliance ContactCompliance::of(const World& world, const ComplianceOptions& options) {
  ContactCompliance out;
  out.viscous = options.friction_kind == "viscous";
  if (options.relaxation == "compliant")
    out.relaxed = {options.exponent, options.smoothing == "pseudo_huber" ? FrictionSmoothing::pseudo_huber
                                     : options.smoothing == "quintic"    ? FrictionSmoothing::quintic
                                                                         : FrictionSmoothing::huber};
  std::vector<SurfaceCompliance> surfaces;
  for_all_materials(world, [&](const MaterialDescription& m) {
    SurfaceCompliance s;
    if (options.relaxation == "compliant") {
      const auto inverse = [](double stiffness, double instead) {  // a material without stiffness has an infinite one
        if (stiffness < std::numeric_limits<double>::infinity()) return 1 / stiffness;
        return instead > 0 ? 1 / instead : 0.0;
      };
      s.normal = inverse(m.contact_stiffness, options.contact_stiffness);
      s.friction = inverse(m.friction_stiffness, options.friction_stiffness);
      s.damping = m.contact_damping;
      if (s.damping > 0 && options.exponent != 2)
        throw InputError(
            "contact_damping of a material is that of a linear spring: expected -contact_exponent 2, got " +
            std::to_string(options.exponent));
    }
    out.any = out.any || s.normal > 0 || s.friction > 0;
    surfaces.push_back(s);
  });
  out.surface = to_device("surface_compliance", surfaces);
  return out;
}

}  // namespace clarke
