#pragma once
// Compliant contact: what two touching surfaces give way, as the compliance of the rows of their contacts
// [docs/theory.md, eq. N3; Macklin 2020, section 4.8.2].
//
//   normal     λ_n = max(0, −k_n C − d_n v_n)             k_n [N/m] and d_n [N s/m] per contact point
//              k_n (−C)^(p−1), p = 3 or 4, k_n [N/m^(p−1)]: undamped
//   friction   sticks as v_t = −λ_f/κ inside Coulomb's disc, slides on it:
//              displacement   κ = k_f h,  k_f [N/m]       a spring that starts anew in every step: creep depends on h
//              viscous        κ = k_f,    k_f [N s/m]     a dashpot: creep does not depend on h
// With E = 1/k, τ = d_n E_n and impulses Λ = h λ these are the hard laws with shifted arguments:
//   ĉ = (C + τ v_n)/(b + τ) + γ_n Λ_n,   γ_n = E_n/(h (b + τ))           [m/s, 1/kg]
//   v_t + γ_f Λ_f,                       γ_f = E_f/h²  or  E_f/h
// A smoothing of friction rounds the corner between sticking and sliding off, by the potentials of A2. What is not
// linear (p > 2, or a smoothing) has no γ: v then contains what Λ makes of the potentials,
//   ĉ = C/b + (γ_n Λ_n)^(1/(p−1)),   γ_n = E_n/(h b^(p−1));        v_t + (Λ_t − p_t(v_t))/w − v_t
// which is the law of the row all the same, but solved by primal strategies only.
// E = 0 is the hard contact. The rest penetration of a weight W on n points is W/(n k_n), a load F_t on n sticking ones
// creeps at F_t/(n κ): properties of the model, not errors of a solver.
//
// Limits: like a compliant limit, the damper acts before its spring, from a gap of τ |v_n| on (give such contacts a
// margin). The spring of friction stores nothing from step to step. At velocity level (Moreau-Jean) compliant contacts
// stay laws of positions: no restitution, no activation rule.

#include "framework/options.hpp"
#include "framework/sets/relaxed_contact.hpp"
#include "framework/state.hpp"
#include "physics/description/world.hpp"

#include <cmath>

namespace clarke {

struct ComplianceOptions {
  std::string relaxation = "compliant";
  double contact_stiffness = 0;   // [N/m]
  double friction_stiffness = 0;  // [N/m or N s/m]
  std::string friction_kind = "displacement", smoothing = "huber";
  int exponent = 2;
  void describe(OptionVisitor& v) {
    v.choice("contact_relaxation", relaxation, {"none", "compliant"},
             {"",
              "stiffness of materials: none (every contact is hard) or compliant (as the materials say; hard where "
              "they say nothing)"});
    v.real("contact_stiffness", contact_stiffness,
           {"N/m", "normal stiffness per contact point of materials that give none; 0: hard", 0.0});
    v.integer(
        "contact_exponent", exponent,
        {"1", "p: the normal force is k depth^(p−1), k in N/m^(p−1); above 2 for -snes_type primal and primal_descent",
         2.0, 4.0});
    v.real("friction_stiffness", friction_stiffness,
           {"N/m | N s/m", "friction stiffness per contact point of materials that give none; 0: hard", 0.0});
    v.choice("friction_stiffness_kind", friction_kind, {"displacement", "viscous"},
             {"", "what a friction stiffness multiplies: the displacement in the step (N/m) or the velocity (N s/m)"});
    v.choice("friction_smoothing", smoothing, {"huber", "pseudo_huber", "quintic"},
             {"",
              "friction between sticking and sliding: a spring up to Coulomb's force, or one of two smooth laws, for "
              "-snes_type primal and primal_descent"});
  }
};

/// Of one surface against its equal: E_n [m/N], d_n [N s/m], E_f [m/N or m/(N s)]. Zero E is hard.
struct SurfaceCompliance {
  double normal = 0, damping = 0, friction = 0;
};

/// Two surfaces in series. A material's numbers are those of a pair of equal surfaces, so each surface has twice its k
/// and d:
///   E = (E_a + E_b)/2,     d = (d_a E_a² + d_b E_b²)/(2 E²)
/// The springs in series are exact; d is that of the two dampers in slow motion (equal dissipation at equal force),
/// exact where both surfaces have the same τ. Against a hard surface k and d double. With p > 2 depths add up, so
/// E^(1/(p−1)) is the mean.
KOKKOS_INLINE_FUNCTION SurfaceCompliance pair_compliance(const SurfaceCompliance& a, const SurfaceCompliance& b,
                                                         int exponent = 2) {
  SurfaceCompliance out;
  out.normal = 0.5 * (a.normal + b.normal);
  if (exponent != 2) {
    const double n = exponent - 1;
    out.normal = std::pow(0.5 * (std::pow(a.normal, 1 / n) + std::pow(b.normal, 1 / n)), n);
  }
  out.friction = 0.5 * (a.friction + b.friction);
  if (out.normal > 0)
    out.damping = 0.5 * (a.damping * a.normal * a.normal + b.damping * b.normal * b.normal) / (out.normal * out.normal);
  return out;
}

/// What one step makes of it: τ [s], γ_n and γ_f [1/kg].
struct RowCompliance {
  double relaxation, normal, friction;
};

KOKKOS_INLINE_FUNCTION RowCompliance row_compliance(const SurfaceCompliance& pair, bool viscous, double h, double b,
                                                    int exponent = 2) {
  const double tau = pair.damping * pair.normal;
  const double depth = exponent == 2 ? b + tau : std::pow(b, exponent - 1);  // no damper where p > 2
  return {tau, pair.normal / (h * depth), pair.friction / (h * (viscous ? 1 : h))};
}

/// The surfaces of a model. Default: all hard.
struct ContactCompliance {
  bool any = false;                 // any surface is compliant
  bool viscous = false;             // kind of the friction stiffness
  RelaxedContact relaxed;           // exponent and smoothing
  View<SurfaceCompliance> surface;  // per entity

  static ContactCompliance of(const World& world, const ComplianceOptions& options);
};

}  // namespace clarke
