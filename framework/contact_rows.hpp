#pragma once
// Where physics and complementarity meet: physics fills the geometry of the contact rows, a contact law fills the
// residual and its linearisation. Both know only this struct.
//
// Rows of contact i in the order (n, t1, t2). Velocity–impulse form, so the law's arguments are
//   gap velocity     ĉ = C(q⁺)/b        [m/s]       C gap at the end of the step, b = ∂q⁺/∂u; at velocity level
//                    ĉ = v_n⁺ + e v_n⁻              instead: Newton's impact law (integrators/moreau_jean.hpp)
//   slip velocity    v_t                [m/s]       of a against b at the end of the step
//   impulse          Λ = (Λ_n, Λ_t1, Λ_t2) [N s]    on a
//   condition        0 ≤ ĉ ⊥ Λ_n ≥ 0,   Λ_f ∈ D(μ Λ_n) opposing v_t (maximal dissipation)
// A compliant contact obeys the same law with shifted arguments, γ its compliance in this step [docs/theory.md, eq.
// N3]:
//                    ĉ ← ĉ + γ_n Λ_n,   v_t ← v_t + γ_f Λ_f,   so dĉ = J_n du + γ_n dΛ_n and dv_t = J_t du + γ_f dΛ_f
// Laws give A and B as if γ were zero; physics then adds A γ to B. W_rr below means J M⁻¹ Jᵀ + γ.
// The tangential rows may be scaled, J' = s J, so that an ellipse is a disc: v_t and Λ_f are then s_i v_i and Λ_i/s_i
// of the world's, which laws need not know. Cones whose section is no disc come with it, for the laws that can take one
// [docs/theory.md, eqs. F4, F5].

#include "framework/friction_section.hpp"
#include "framework/options.hpp"
#include "framework/system.hpp"

#include <memory>

namespace clarke {

struct ContactRows {
  int count = 0;
  View<double> gap;           // C(q⁺) [m], count
  View<double> gap_velocity;  // ĉ, count, compliance included
  View<double> slip;          // v_t, 2 × count, compliance included
  View<double>
      compliance;  // γ of the three rows [1/kg], 3 × count: fixed during the step, zero where the contact is hard
  View<double> impulse;           // Λ, 3 × count (a slice of the unknowns)
  View<double> friction;          // μ, count
  View<double> tangent_scale;     // s of the two tangential rows, 2 × count; empty: all 1
  View<FrictionSection> section;  // count; empty: all discs
  View<double> r_normal;          // r_n [1/kg], count: fixed during the step
  View<double> r_friction;        // r_f [1/kg], count: fixed during the step
  SystemSlice out;                // its delassus_diagonal is W_rr of the rows, compliance included
};

/// How contact becomes equations. One call per batch; the law's maths are pure functions of one contact.
class ContactLaw {
 public:
  virtual ~ContactLaw() = default;
  /// A and B diagonal in the turned frame, see system.hpp.
  virtual bool symmetric() const = 0;
  /// Takes cones whose section is no disc.
  virtual bool takes_sections() const { return false; }
  /// Fills residual; with `linearise` also turn, a, b (symmetric) or A, B (general), and the safeguard bits.
  virtual void evaluate(const ContactRows& rows, bool linearise) = 0;
  /// r-factors of this step from the effective mass W_rr of the rows and the step length.
  virtual void compute_r_factors(const ContactRows& rows, double h) = 0;
  /// Options of the law and its parts, for reading and for the record.
  virtual void describe(OptionVisitor& visitor) = 0;
};

}  // namespace clarke
