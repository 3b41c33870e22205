#pragma once
// Resistance to spinning and rolling: moments of a contact, bounded by its normal impulse [docs/theory.md, eq. F9;
// Acary Bourrier 2021].
//
//   rows     ω_n = n·(ω_a − ω_b),   ω_r = (e_1, e_2)·(ω_a − ω_b)     [rad/s]
//   bounds   |Λ_τ| ≤ ℓ_t Λ_n,   |Λ_r| ≤ ℓ_r Λ_n                      [N m s], ℓ [m] the larger of the surfaces' lengths
//   law      Λ in its bounds dissipates most: Λ_τ opposes ω_n, Λ_r is antiparallel to ω_r, and ω = 0 inside the bounds
//
// |Λ_r| is a length, so the law is the same for all directions. With the friction of the contact these are the cone
// {|Λ_f| ≤ μ Λ_n, |Λ_r| ≤ ℓ_r Λ_n} and its De Saxcé law (F9). e_1, e_2 are the tangents of the contact.
// Λ_n is that of the iterate: the residual is never lagged, the Jacobian leaves ∂bound/∂Λ_n out.
// A body that cannot turn (a particle, a static body) has no part in it; a contact of two such has no rows.

#include "physics/contact/contact_contributor.hpp"

namespace clarke {

class RollingResistance final : public Contributor {
 public:
  /// Null where no surface of the world resists. `contacts` must come before this one among the contributors.
  static std::unique_ptr<RollingResistance> of(const World& world, const Entities& entities,
                                               const ContactContributor& contacts);
  RollingResistance(const Entities& entities, const ContactContributor& contacts, const std::vector<double>& rolling,
                    const std::vector<double>& torsional);

  void set_law(std::shared_ptr<RowLaw> law) { law_ = std::move(law); }
  std::string kind() const override { return "rolling_resistance"; }
  bool touches() const override { return true; }
  void items_changed() override { begin_step({}, {}); }
  void begin_step(const StepContext& context, const State& state) override;
  bool pattern_changed() const override { return pattern_changed_; }
  void pattern(PatternBuilder& builder) const override;
  void evaluate(const StepContext& context, const StepPoint& point, const SystemSlice& slice, bool linearise) override;
  void warm_start(const View<double>& impulse) override;
  void end_step(const View<double>& impulse) override;
  void carry_over(StateArchive& archive) override;
  const RowSet* rows() const override { return &rows_; }
  std::string item_name(int item) const override;

  // Public: device lambdas may not live in private members.
  void select_contacts();
  void note_items();
  void set_axes();

 private:
  Entities entities_;
  const ContactContributor& contacts_;
  View<double> rolling_, torsional_;  // per entity [m]
  std::shared_ptr<RowLaw> law_;
  ItemKeys keys_;     // entities of both sides
  FoundItems items_;  // of the last pattern
  Buffer<int> before_{"resisting_before"}, block_count_{"resisting_block_count"}, block_{"resisting_block"};
  bool pattern_changed_ = true;
  Buffer<int> contact_of_{"resisting_contact"};  // per item: number of its contact
  Buffer<Vec3> axis_{"resistance_axes"};         // n, e_1, e_2 of every item
  Buffer<double> velocity_{"resistance_velocity"}, lower_{"resistance_lower"}, upper_{"resistance_upper"},
      compliance_{"resistance_compliance"}, violation_{"resistance_violation"};
  Buffer<int> rigid_{"resistance_rigid"};
  RowSet rows_;
  // the last step's solution, for the warm start
  int last_count_ = 0;
  Buffer<std::uint64_t> last_id_{"resistance_last_id"};
  Buffer<Vec3> last_impulse_{"resistance_last_impulse"};
};

}  // namespace clarke
