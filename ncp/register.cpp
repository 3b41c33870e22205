#include "ncp/register.hpp"

#include "ncp/contact_laws/alart_curnier.hpp"
#include "ncp/contact_laws/decoupled.hpp"
#include "ncp/contact_laws/jean_moreau.hpp"
#include "ncp/contact_laws/natural_map.hpp"
#include "ncp/contact_laws/soc_fischer_burmeister.hpp"
#include "ncp/friction_maps/disc_projection.hpp"
#include "ncp/friction_maps/disc_projection_coupled.hpp"
#include "ncp/friction_maps/fixed_point.hpp"
#include "ncp/functions/fischer_burmeister.hpp"
#include "ncp/functions/minimum_map.hpp"
#include "ncp/functions/penalized_fischer_burmeister.hpp"
#include "ncp/r_factors/delassus_diagonal.hpp"
#include "ncp/r_factors/delassus_trace.hpp"
#include "ncp/r_factors/dt_squared.hpp"
#include "ncp/r_factors/global.hpp"
#include "ncp/r_factors/identity.hpp"
#include "ncp/strategies/admm.hpp"
#include "ncp/strategies/desaxce.hpp"
#include "ncp/strategies/dual_ascent.hpp"
#include "ncp/strategies/explicit.hpp"
#include "ncp/strategies/newton_globalisation.hpp"
#include "ncp/strategies/nonsmooth_newton.hpp"
#include "ncp/strategies/nsgs.hpp"
#include "ncp/strategies/primal.hpp"
#include "ncp/strategies/primal_descent.hpp"
#include "ncp/strategies/proximal_point.hpp"
#include "ncp/strategies/snes_step_solver.hpp"
#include "ncp/strategies/ssnal.hpp"

namespace clarke {

Registry<NcpFunction>& ncp_function_registry() {
  static Registry<NcpFunction> registry("ncp_function");
  return registry;
}
Registry<FrictionMap>& friction_map_registry() {
  static Registry<FrictionMap> registry("friction_map");
  return registry;
}
Registry<RFactor>& r_factor_registry() {
  static Registry<RFactor> registry("r_factor");
  return registry;
}
Registry<RowLaw>& contact_law_registry() {
  static Registry<RowLaw> registry("contact_law");
  return registry;
}

void NcpOptions::describe(OptionVisitor& v) {
  v.choice("ncp_function", ncp_function, ncp_function_registry().names(),
           {"", "complementarity function of normal rows, limits and drives"});
  v.real("ncp_slope_min", slope_min,
         {"1", "a row with a smaller ∂φ/∂a only sets its multiplier in Newton's matrix", 0.0, 1.0});
  v.choice("ncp_corner", corner, {"active", "inactive", "symmetric"},
           {"",
            "slopes (∂φ/∂a, ∂φ/∂b) at the corner a = b = 0: active (1,0), inactive (0,1), "
            "symmetric (1−1/√2, 1−1/√2)"});
  v.real("ncp_corner_radius", corner_radius,
         {"m/s", "arguments closer to the corner than this take the corner's slopes", 0.0});
}

NcpCorner corner_of(const NcpOptions& options) {
  const double middle = 1 - std::sqrt(0.5);
  if (options.corner == "inactive") return {options.corner_radius, 0, 1};
  if (options.corner == "symmetric") return {options.corner_radius, middle, middle};
  return {options.corner_radius, 1, 0};
}

namespace {

template <class Interface, class Batch, class Thing>
void add(Registry<Interface>& registry, const char* summary, const char* citation) {
  registry.add(Thing::kName, summary, citation, [] { return std::make_unique<Batch>(); });
}
/// Parameters of its own are in the options reference without another line.
template <class Thing>
void add_parameters(const std::string& what) {
  if constexpr (requires { typename Thing::Parameters; })
    if constexpr (!std::is_same_v<typename Thing::Parameters, NoLawOptions>)
      add_option_group<typename Thing::Parameters>(Thing::kName, what + " `" + Thing::kName + "`");
}
template <class Phi>
void add_ncp_function(const char* summary, const char* citation) {
  add_parameters<Phi>("NCP function");
  add<NcpFunction, NcpBatch<Phi>, Phi>(ncp_function_registry(), summary, citation);
}
template <class Map>
void add_friction_map(const char* summary, const char* citation) {
  add<FrictionMap, FrictionBatch<Map>, Map>(friction_map_registry(), summary, citation);
}
template <class R>
void add_r_factor(const char* summary, const char* citation) {
  add<RFactor, RFactorBatch<R>, R>(r_factor_registry(), summary, citation);
}
template <class L>
void add_contact_law(const char* summary, const char* citation) {
  add_parameters<L>("contact law");
  add<RowLaw, WholeContactLaw<L>, L>(contact_law_registry(), summary, citation);
}

}  // namespace

void register_ncp() {
  add_ncp_function<MinimumMap>("min(a, b); piecewise linear", "Pang 1990");
  add_ncp_function<FischerBurmeister>("a + b - sqrt(a^2 + b^2); smooth off the corner", "Fischer 1992");
  add_ncp_function<PenalizedFischerBurmeister>("Fischer-Burmeister plus the product of the positive parts",
                                               "Chen Chen Kanzow 2000");

  add_friction_map<FixedPoint>("lagged compliance W, as in the papers; symmetric",
                               "Macklin Erleben Mueller Chentanez Jeschke Makoviychuk 2019");
  add_friction_map<DiscProjection>("semismooth Newton on the disc, radius lagged; symmetric", "");
  add_friction_map<DiscProjectionCoupled>("disc projection with the radius coupled; unsymmetric", "Alart Curnier 1991");

  add_r_factor<Identity>("1 in force units", "Macklin et al. 2019");
  add_r_factor<DtSquared>("h^2 in force units: right for one kilogram", "Macklin et al. 2019");
  add_r_factor<DelassusDiagonal>("diagonal of the Delassus operator, per direction", "Macklin et al. 2019");
  add_r_factor<DelassusTrace>("a third of the trace of the contact's Delassus block", "");

  r_factor_registry().add(Global::kName, "one for all: largest eigenvalue of the Delassus operator", "Erleben 2017",
                          [] { return std::make_unique<Global>(); });

  contact_law_registry().add("decoupled", "NCP function for the normal, friction map for the rest", "",
                             [] { return std::make_unique<DecoupledLaw>(); });
  add_contact_law<SocFischerBurmeister>(
      "second-order-cone Fischer-Burmeister with De Saxce's change of variable; unsymmetric",
      "De Saxce Feng 1998; Fukushima Luo Tseng 2002");
  add_contact_law<NaturalMap>("projection on the friction cone with De Saxce's change of variable; unsymmetric",
                              "De Saxce Feng 1998; Acary Bremond Huber 2018");
  add_contact_law<AlartCurnier>("projections on half-line and disc of the trial normal impulse; unsymmetric",
                                "Alart Curnier 1991");
  add_contact_law<JeanMoreau>("projections on half-line and disc of the present normal impulse; unsymmetric",
                              "Jean 1999; Christensen Klarbring Pang Stroemberg 1998");

  add_option_group<DecoupledLawOptions>("decoupled", "contact law `decoupled`");
  add_option_group<GlobalOptions>("global", "r-factor `global`");
  add_option_group<StepOptions>("step", "what is solved in a step, and when it counts as solved");
  add_option_group<NewtonOptions>("nonsmooth_newton", "SNES type `nonsmooth_newton`");
  add_option_group<GlobalisationOptions>("newton_globalisation", "line search and watchdog of `nonsmooth_newton`");
  register_nonsmooth_newton();
  add_option_group<NsgsOptions>("nsgs", "SNES type `nsgs`, and -newton_start_sweeps");
  register_nsgs();
  add_option_group<ProximalOptions>("proximal_point", "SNES type `proximal_point`");
  register_proximal_point();
  add_option_group<DesaxceOptions>("desaxce", "SNES type `desaxce`");
  register_desaxce();
  add_option_group<AdmmOptions>("admm", "SNES type `admm`");
  register_admm();
  register_ssnal();
  register_dual_ascent();
  register_explicit();
  register_primal();
  register_primal_descent();
}

}  // namespace clarke
