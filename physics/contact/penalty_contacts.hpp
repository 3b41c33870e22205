#pragma once
// Contacts without multipliers: items without rows (framework/force_items.hpp), whose forces are those of a penalty and
// of smooth friction (smooth_contact.hpp), at the configuration and velocity of every iterate
// [docs/theory.md, eqs. N9, F10].
//
//   f = −h Lᵀ F(d, V)                 L the velocity of the contact's sides in u        [N s]
//   T = −h (Lᵀ (∂F/∂d N + ∂F/∂V G) + [F]× [c]× E)                                       [kg]
//     v of a body or particle    L = 1 (w_k at a node),   N = b n,             G = L
//     ω of a body                L = −[r]×,               N = (c × n)ᵀ E,      G = −[r]× − [ω]× [c]× E
//     c = R p, r = c ∓ ρ n,  E = ∂(turn in the step)/∂ω = b (1 + [τ]×)/(1 + |τ|²), τ = b ω/2 (eq. G3)
// T is the derivative, normals and tangents fixed; unsymmetric, since friction follows the normal force.
//
// κ of a contact point is what contact_stiffness of its surfaces gives (compliance.hpp), times what stiffening has made
// of it for this pair of entities:
//   -contact_stiffening n     a pair that ends the step with d < 0: κ ← κ b'(d)/b'(δ/2), and the step again, n times at
//                             most; counted. κ never falls again, and checkpoints keep it.
//   -friction_evaluation lagged, -friction_passes n: λ_f is that of the start of the step; pass 2 … n that of the end
//                             of the pass before.
//   -smooth_friction_continuation n: problems with 10^n ε, …, 10 ε come first, each solved from where the one before
//                             ended; counted.
// Products T du come from T, or from F in dual numbers (penalty_product.cpp, eq. L8).
//
// Limits: normals fixed in the step. A log barrier needs steps that start open. Rolling resistance hangs on multipliers
// and has none here; cones with corners have no smooth friction.

#include "framework/contributor.hpp"
#include "physics/collision/contact_side.hpp"
#include "physics/contact/compliance.hpp"
#include "physics/contact/penalty_options.hpp"
#include "physics/contact/smooth_contact.hpp"
#include "physics/friction/contact_friction.hpp"

#include <cmath>
#include <map>

namespace clarke {

class PenaltyContacts {
 public:
  /// Throws InputError for surfaces and options that it has no law for.
  PenaltyContacts(const World& world, const Entities& entities, const PenaltyOptions& options,
                  const ContactFriction& cones);

  /// The contacts of a step that begins at `state`. `name` of a contact, for errors.
  void begin_step(const ContactSet& contacts, const ContactCompliance& compliance, const ConeRows& cone,
                  const State& state, const std::function<std::string(int)>& name);
  void evaluate(const StepContext& context, const StepPoint& point, const SystemSlice& slice,
                const ContactSet& contacts, const ContactFriction& cones, bool linearise);
  /// Newton's unknown is the motion E u/b of what turns, and no velocity (eq. G3).
  void set_whole_stiffness(bool whole) { whole_stiffness_ = whole; }
  /// -smooth_friction_slope anew: recipes of -fallback_sequence may change it.
  void read_slope();
  double distance() const { return options_.distance; }
  /// ∂f/∂u du of the last evaluate(), by dual numbers, per slot of the whole pattern.
  void force_along(const StepContext& context, const StepPoint& point, const SystemSlice& slice,
                   const ContactSet& contacts, const ContactFriction& cones, const View<Vec3>& du,
                   const View<Vec3>& along);
  /// The problem that is k easier ones before the step's own: ε 10^k in the place of ε.
  int continuation_steps() const { return options_.continuation; }
  void set_continuation(int k) { epsilon_factor_ = std::pow(10.0, k); }
  /// Gap, slip and impulses of the last evaluate(), as rows would have them.
  void read(RowSet& rows) const;
  /// Whether the step that has just been evaluated is to be solved again, and for the sake of which option.
  const char* again(const ContactSet& contacts);
  /// Σ b of the last evaluate() [J].
  double energy() const;
  void carry_over(StateArchive& archive);

  // Public: device lambdas may not live in private members.
  void find_gaps(const ContactSet& contacts, const State& state);
  void freeze(const View<double>& gap);

 private:
  void refuse_polygons(const ConeRows& cone, const std::function<std::string(int)>& name) const;
  bool stiffen(const ContactSet& contacts);
  View<double> stiffness_of(const ContactSet& contacts, const ContactCompliance& compliance,
                            const std::function<std::string(int)>& name);

  Entities entities_;
  PenaltyOptions options_;
  ContactPenalty law_;
  bool stribeck_ = false, lagged_ = false, whole_stiffness_ = false;
  int pass_ = 1, stiffened_ = 0, count_ = 0;
  double epsilon_factor_ = 1;
  std::map<std::pair<int, int>, double> factor_;  // of κ, by entities
  Buffer<double> stiffness_{"penalty_stiffness"}, gap_start_{"penalty_gap_start"}, lagged_normal_{"penalty_lagged"};
  View<Twist> still_;  // per entity: what is prescribed does not change
  Buffer<double> gap_{"penalty_gap"}, velocity_{"penalty_velocity"}, impulse_{"penalty_impulse"},
      energy_{"penalty_energy"}, compliance_{"penalty_no_compliance"};
  mutable SumScratch<1> scratch_;
};

}  // namespace clarke
