#pragma once
// Where physics and complementarity meet. Physics brings the geometry of the rows of one contributor and the admissible
// set of their impulses; a law makes equations of them; strategies and the judge see the same rows, and none of them
// asks what kind of thing they belong to [docs/theory.md, eq. A1].
//
//   velocity     v [m/s, rad/s]     what the law is about, at the end of the step, compliance included
//   impulse      Λ [N s, N m s]     on the first side
//   law          −v − s(v) n ∈ N_K(Λ),   K the admissible set of the item (framework/sets/admissible_set.hpp)
//   compliance   γ of a row, or a dense block E of the item:   dv = J du + γ dΛ
//
// Contacts have three rows (n, t1, t2) and K a cone:
//   v_0 = ĉ = C(q⁺)/b     gap velocity: C the gap at the end of the step, b = ∂q⁺/∂u; at velocity level v_n⁺ + e v_n⁻,
//                         Newton's impact law (integrators/moreau_jean.hpp)
//   v_1, v_2 = v_t        slip velocity of a against b at the end of the step
//   0 ≤ ĉ ⊥ Λ_n ≥ 0,   Λ_f ∈ D(μ Λ_n) opposing v_t (maximal dissipation)
// A compliant contact obeys the same law with ĉ + γ_n Λ_n and v_t + γ_f Λ_f for arguments [docs/theory.md, eq. N3].
// Laws of cones give A and B as if γ were zero; physics then adds A γ to B. W_rr below means J M⁻¹ Jᵀ + γ.
// The tangential rows may be scaled, J' = s J, so that an ellipse is a disc: v_t and Λ_f are then s_i v_i and Λ_i/s_i
// of the world's. Cones whose section is no disc come with it, for the laws that can take one [docs/theory.md, eqs. F4,
// F5].
//
// Joints have K a box: v is what the row would have zero, damping included, ∂v/∂u = J, ∂v/∂Λ = γ, and
//   Λ ∈ [l, u]:   v ≥ 0 at the lower bound, v ≤ 0 at the upper bound, v = 0 between               [eq. B3]
// A limit has Λ ∈ [0, ∞), a rope (−∞, 0], a drive [−hτ, hτ], a bilateral row all of R: F = v, a = 1, b = γ. Rolling and
// torsional resistance have K a disc [eq. F9]. Elements have all of Rᵐ and a dense E [eqs. E9, E22].

#include "framework/options.hpp"
#include "framework/sets/admissible_set.hpp"
#include "framework/sets/relaxed_contact.hpp"
#include "framework/system.hpp"

#include <memory>
#include <vector>

namespace clarke {

/// The rows of one contributor as of its last evaluate(). Rows of an item follow each other; all its items have as
/// many.
struct RowSet {
  SetKind kind = SetKind::box;
  int items = 0, rows = 0;
  View<double> velocity;      // v, rows
  View<double> impulse;       // Λ, rows (a slice of the unknowns)
  View<double> compliance;    // γ [1/kg, 1/(kg m²)], rows; empty where it is dense: then in out.B
  View<double> lower, upper;  // of Λ in this step, rows; empty: none
  bool bounded = false;       // any row may have a bound
  View<double> violation;     // c(q⁺) less its target [m or rad], rows; may be empty
  View<int> rigid;            // 1: a bilateral row whose violation must vanish; may be empty
  View<double> unprojected;   // how far elements are from their law, as a velocity, rows; else empty:
                              // what the judge takes for v, since their E may be a solver's projection
  // cones, a number per item
  View<double> gap;                   // C(q⁺) [m]
  View<double> friction;              // μ
  View<double> tangent_scale;         // s of the two tangential rows, 2 × items; empty: all 1
  View<FrictionSection> section;      // empty: all discs
  View<double> r_normal, r_friction;  // r_n, r_f [1/kg]: fixed during the step
  RelaxedContact relaxed;             // how they give way; where that is not linear, γ is 1/k of the potentials and v
                                      // includes what Λ makes of them, and only the primal form solves it
  View<double> near_rigid;            // a [1/kg] of contacts that are rigid but for eq. N1c, 0 of others; empty: none
  double near_rigid_fold = 0;         // v₀ of these [m/s]
  SystemSlice out;                    // its delassus_diagonal is W_rr of the rows, a cone's compliance included

  bool sections() const { return section.extent(0) > 0; }
  /// Compliance is a symmetric block per item.
  bool dense() const { return compliance.extent(0) == 0; }
};

/// γ on the host, of rows that are soft: near-rigid contacts are not.
std::vector<double> softness(const RowSet& rows);

/// The set of item i of the rows.
KOKKOS_INLINE_FUNCTION AdmissibleSet admissible_set(const RowSet& rows, int i) {
  AdmissibleSet set;
  const int m = rows.rows / rows.items;
  set.kind = rows.kind;
  set.rows = m;
  if (rows.kind == SetKind::cone) {
    set.friction = rows.friction(i);
    set.section = rows.section.extent(0) > 0 ? rows.section.data() + i : nullptr;
  } else {
    set.lower = rows.lower.data() + m * i;
    set.upper = rows.upper.data() + m * i;
  }
  return set;
}

/// How rows become equations. One call per batch; the law's maths are pure functions of one item.
class RowLaw {
 public:
  virtual ~RowLaw() = default;
  /// A and B diagonal in the slip frame, see system.hpp.
  virtual bool symmetric() const = 0;
  /// Takes cones whose section is no disc; else which options choose a law that does.
  virtual bool takes_sections() const { return false; }
  virtual std::string laws_with_sections() const { return ""; }
  /// The option of its safeguard, under which the items where it acted are counted; null where it has none.
  virtual const char* safeguard() const { return nullptr; }
  /// Fills residual; with `linearise` also slip_frame, a, b (symmetric) or A, B (general), and where the safeguard
  /// acted. A law of boxes leaves rows without bounds as they are.
  virtual void evaluate(const RowSet& rows, bool linearise) = 0;
  /// r-factors of this step from W_rr of the rows and the step length.
  virtual void compute_r_factors(const RowSet&, double /*h*/) {}
  /// Options of the law and its parts, for reading and for the record.
  virtual void describe(OptionVisitor& visitor) = 0;
};

}  // namespace clarke
