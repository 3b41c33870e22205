#pragma once
// Contacts as rows of the system: detection at the start of the step, geometry at every iterate, and a contact law that
// turns geometry into equations. Normals are fixed in the step; gaps, lever arms and tangential velocities follow q⁺.
//
//   row n    J = [n, r_a × n, −n, −r_b × n]                                       [eq. N1]
//   row t    the same with t = t1, t2 and the arms of the middle of the step,     [eq. N1b, friction_arms.hpp]
//            at velocity level those of q⁺: tangents and their scales are those
//            of the friction cone                                                 [eq. F4, contact_friction.hpp]
//   a side on a deforming surface has a block w_k n per node instead              [eq. N6, soft_faces.hpp]
//   contacts without multipliers are items without rows instead                   [eqs. N9, F10, penalty_contacts.hpp]
//   compliant contacts add γ Λ to the arguments of the law and A γ to its B       [eq. N3, compliance.hpp]
//   rigid ones may be near-rigid: D(Λ_n) is added to their normal row              [eq. N1c, near_rigid.hpp]
//   or else gaps within -contact_slop are kept                                    [contact_slop.hpp]

#include "framework/contributor.hpp"
#include "framework/item_keys.hpp"
#include "framework/row_law.hpp"
#include "physics/collision/contact_side.hpp"
#include "physics/collision/detection.hpp"
#include "physics/contact/compliance.hpp"
#include "physics/contact/contact_geometry.hpp"
#include "physics/contact/contact_slop.hpp"
#include "physics/contact/contacts_found_again.hpp"
#include "physics/contact/friction_arms.hpp"
#include "physics/contact/last_look.hpp"
#include "physics/contact/near_rigid.hpp"
#include "physics/contact/restitution.hpp"
#include "physics/friction/contact_friction.hpp"

#include <array>
#include <map>

namespace clarke {

class PenaltyContacts;  // penalty_contacts.hpp

struct WarmStartOptions {
  double match_radius = 0.01;
  void describe(OptionVisitor& v) {
    v.real("warm_start_radius", match_radius,
           {"m", "a contact whose id is new takes the impulse of an old one of its pair within this distance", 0.0});
  }
};

/// A solution, for the warm start: impulses in the world by contact.
struct ContactMemory {
  int count = 0;
  Buffer<std::uint64_t> id{"last_id"};
  Buffer<Vec3> impulse{"last_impulse"}, point{"last_point"};
};

class ContactContributor final : public Contributor {
 public:
  ContactContributor(const Entities& entities, std::unique_ptr<ContactDetection> detection, std::unique_ptr<RowLaw> law,
                     WarmStartOptions options, ContactSlop slop, NearRigidOptions near_rigid, Restitution restitution,
                     ContactCompliance compliance, ContactFriction cones, std::unique_ptr<PenaltyContacts> penalty);
  ~ContactContributor() override;

  std::string kind() const override { return "contact"; }
  bool touches() const override { return true; }
  void begin_step(const StepContext& context, const State& state) override;
  bool pattern_changed() const override { return pattern_changed_; }
  void pattern(PatternBuilder& builder) const override;
  RowTraits traits() const override {
    return penalty_ ? RowTraits{.symmetric_hessian = false} : RowTraits{.symmetric = law_->symmetric()};
  }
  void evaluate(const StepContext& context, const StepPoint& point, const SystemSlice& slice, bool linearise) override;
  void set_whole_stiffness(bool whole) override;
  /// Whether normals of what detect_again() finds turn with the features they belong to; they do.
  void set_turning_normals(bool turn) { may_turn_ = turn; }
  void set_positive_stiffness(bool positive) override { positive_stiffness_ = positive; }
  bool force_along(const StepContext& context, const StepPoint& point, const SystemSlice& slice, const View<Vec3>& du,
                   const View<Vec3>& along) override;
  int continuation_steps() const override;
  void set_continuation(int k) override;
  /// γ⁻¹ Jᵀ J, where arms do not turn.
  bool set_majorant(bool on) override { return !on || !penalty_; }
  bool has_friction_rows() const override { return !penalty_; }
  void add_turning_arms(const StepContext& context, const StepPoint& point, const SystemSlice& slice,
                        const View<Vec3>& rows) const override;
  void geometric_stiffness(const StepContext& context, const StepPoint& point, const SystemSlice& slice,
                           const View<Mat3>& stiffness) override;
  void delassus_diagonal_known(const StepContext& context, const SystemSlice& slice) override;
  /// The mean slip of its contacts that are nearer than their penalty, or closed, is taken from each v; half of it
  /// where both sides can move. Nothing turns.
  void stick(const SystemSlice& slice, const View<Vec3>& u) override;
  /// Contacts that are deeper than `tolerance` at the end join those of the step, or take the place of those of the
  /// same features; not at velocity level.
  int detect_again(const StepContext& context, const State& start, const State& now, const View<double>& impulse,
                   double tolerance) override;
  void warm_start(const View<double>& impulse) override;
  const char* again() override;
  bool may_ask_again() const override { return penalty_ != nullptr; }
  void end_step(const View<double>& impulse) override {
    if (!penalty_) remember_impulses(impulse, last_);
  }
  void carry_over(StateArchive& archive) override;
  std::string item_name(int item) const override;

  const ContactSet& contacts() const { return contacts_; }
  const ContactFriction& cones() const { return cones_; }
  /// Rows as the law saw them at the last evaluate(); none of contacts without multipliers.
  const RowSet* rows() const override { return penalty_ ? nullptr : &rows_; }
  /// Velocities and impulses as rows have them, whether the contacts have rows or not.
  const RowSet& readings() const { return rows_; }
  View<double> gaps() const override { return rows_.gap; }
  double step_potential(const StepContext& context) const override;
  const PenaltyContacts* penalty() const { return penalty_.get(); }
  /// Of the normal springs: ½ E_n λ_n², beside a damper ½ C²/E_n of those in compression [J].
  double elastic_energy(const View<double>& impulse, double h) const override;
  RowLaw& law() { return *law_; }
  void count_law_safeguards(std::map<std::string, long>& counts) const override;
  /// Contacts that -contact_reduction left out.
  void count_safeguards(std::map<std::string, long>& counts) const override;
  /// Another law from the next step on (StepProblem::forget_layout); returns the one before.
  std::unique_ptr<RowLaw> exchange_law(std::unique_ptr<RowLaw> law);
  ContactDetection& detection() { return *detection_; }

  // Public: device lambdas may not live in private members.
  void select_active_set(const StepContext& context, const State& state);
  void lag_compliance(const StepContext& context);
  void lag_slop(const State& state);
  void lag_near_rigid(const View<double>& delassus_diagonal);
  void lag_friction_arms(const StepContext& context, const State& state);
  void note_items();
  View<Vec3> remembered_point();
  void remember_impulses(const View<double>& impulse, ContactMemory& memory);

 private:
  void lay_contacts(const StepContext& context, const State& state);
  void begin_penalty(const State& state);
  /// Throws InputError for a law that cannot take the cones.
  void check_law(const RowLaw& law) const;
  /// Whether any row has a γ.
  bool gives_way() const { return compliance_.any || rows_.near_rigid.extent(0) > 0; }

  Entities entities_;
  WarmStartOptions options_;
  std::unique_ptr<ContactDetection> detection_;
  std::unique_ptr<RowLaw> law_;
  ContactSlop slop_;
  NearRigidOptions near_rigid_;
  Restitution restitution_;
  ContactFriction cones_;
  ContactSet contacts_;
  std::array<ContactStorage, 2> again_;  // of detect_again(): the set in use, and the one that is being made
  int again_now_ = 0;
  View<TurningNormal> turning_;  // empty where none turns
  bool may_turn_ = true;
  LastLook last_look_;
  bool whole_stiffness_ = false, positive_stiffness_ = false;
  std::unique_ptr<PenaltyContacts> penalty_;  // null: contacts are rows
  RowSet rows_;
  ItemKeys keys_;     // entities of both sides, and the nodes of places
  FoundItems items_;  // of the last pattern
  Buffer<int> block_count_{"contact_block_count"}, block_{"contact_block"};
  bool pattern_changed_ = true;
  // velocity level: the contacts that are predicted closed, and e v_n⁻ of each
  Buffer<int> keep_{"contact_keep"}, kept_first_{"kept_first"};
  Buffer<double> rebound_{"rebound"}, kept_rebound_{"kept_rebound"};
  ContactBuffers kept_{"kept"};
  Buffer<double> gap_{"gap"}, velocity_{"contact_velocity"}, r_normal_{"r_n"}, r_friction_{"r_f"};
  // compliant contacts: E_n [m/N], τ [s], γ [1/kg], and W_rr + γ
  ContactCompliance compliance_;
  Buffer<double> elasticity_{"contact_elasticity"}, relaxation_{"contact_relaxation"},
      row_compliance_{"contact_row_compliance"}, compliant_diagonal_{"contact_delassus_diagonal"},
      near_rigid_compliance_{"contact_near_rigid"};
  Buffer<double> kept_gap_{"contact_kept_gap"};  // d of contact_slop.hpp [m]
  double arm_of_end_ = 1;                        // share of the end's arms in those of friction; and the rest [m]
  Buffer<Vec3> friction_arm_a_{"friction_arm_a"}, friction_arm_b_{"friction_arm_b"};
  mutable SumScratch<1> energy_scratch_;
  Buffer<Vec3> slip_{"contact_slip"};
  ContactMemory last_, within_;  // of the last step that was accepted; of the last try at this one
  std::map<std::uint64_t, FoundAgain> known_again_;
  long kept_again_ = 0;       // of detect_again(): those that joined one of the same features
  long turning_again_ = 0;    // and those whose normals turn
  bool again_found_ = false;  // this step has been tried with fewer contacts
  Buffer<Vec3> match_point_{"contact_match_point"};
};

}  // namespace clarke
