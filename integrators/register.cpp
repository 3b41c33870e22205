#include "integrators/register.hpp"

#include "framework/options.hpp"
#include "integrators/implicit_euler.hpp"
#include "integrators/moreau_jean.hpp"

namespace clarke {

Registry<Integrator>& integrator_registry() {
  static Registry<Integrator> registry("integrator");
  return registry;
}

void register_integrators() {
  integrator_registry().add("implicit_euler", "first order, dissipative; laws hold at the end of the step",
                            "Stewart Trinkle 1996; Anitescu Potra 1997",
                            [] { return std::make_unique<ImplicitEuler>(); });
  integrator_registry().add("moreau_jean",
                            "theta method at velocity level, with restitution; joints drift and are pulled back",
                            "Moreau 1988; Jean 1999", [] { return std::make_unique<MoreauJean>(); });
  add_option_group<MoreauJeanOptions>("moreau_jean", "integrator `moreau_jean`");
}

}  // namespace clarke
