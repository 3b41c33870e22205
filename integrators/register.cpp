#include "integrators/register.hpp"

#include "framework/options.hpp"
#include "integrators/bdf2.hpp"
#include "integrators/contact_implicit_trapezoidal.hpp"
#include "integrators/implicit_euler.hpp"
#include "integrators/moreau_jean.hpp"
#include "integrators/sdirk2.hpp"
#include "integrators/semi_implicit.hpp"
#include "integrators/stage_integrator.hpp"
#include "integrators/symplectic_euler.hpp"
#include "integrators/tr_bdf2.hpp"
#include "integrators/trapezoidal.hpp"

namespace clarke {

Registry<Integrator>& integrator_registry() {
  static Registry<Integrator> registry("integrator");
  return registry;
}

namespace {

template <class Scheme>
void add_stages(const char* citation) {
  integrator_registry().add(Scheme::kName, Scheme::kSummary, citation,
                            [] { return std::make_unique<StageIntegrator<Scheme>>(); });
}

}  // namespace

void register_integrators() {
  integrator_registry().add("implicit_euler", "first order, dissipative; laws hold at the end of the step",
                            "Stewart Trinkle 1996; Anitescu Potra 1997",
                            [] { return std::make_unique<ImplicitEuler>(); });
  integrator_registry().add("moreau_jean",
                            "theta method at velocity level, with restitution; joints drift and are pulled back",
                            "Moreau 1988; Jean 1999", [] { return std::make_unique<MoreauJean>(); });
  integrator_registry().add("symplectic_euler", "explicit, of springs and penalties; stable for h ω < 2",
                            "Hairer Lubich Wanner 2006", [] { return std::make_unique<SymplecticEuler>(); });
  integrator_registry().add("semi_implicit", "one Newton step of implicit Euler in the velocity per time step",
                            "Baraff Witkin 1998", [] { return std::make_unique<SemiImplicit>(); });
  add_stages<Bdf2>("Curtiss Hirschfelder 1952");
  add_stages<TrBdf2>("Bank et al. 1985");
  add_stages<Sdirk2>("Alexander 1977");
  add_stages<Trapezoidal>("Crank Nicolson 1947");
  add_stages<ContactImplicitTrapezoidal>("Li et al. 2020");
  add_option_group<MoreauJeanOptions>("moreau_jean", "integrator `moreau_jean`");
}

}  // namespace clarke
