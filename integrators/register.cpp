#include "integrators/register.hpp"

#include "integrators/implicit_euler.hpp"

namespace clarke {

Registry<Integrator>& integrator_registry() {
  static Registry<Integrator> registry("integrator");
  return registry;
}

void register_integrators() {
  integrator_registry().add("implicit_euler",
                            "first order, dissipative; laws hold at the end of the step",
                            "Stewart Trinkle 1996; Anitescu Potra 1997",
                            [] { return std::make_unique<ImplicitEuler>(); });
}

}  // namespace clarke
