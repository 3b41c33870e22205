// What contacts take over from the start of the step, where it stays until the end.

#include "framework/row_assembly.hpp"
#include "physics/contact/contact_contributor.hpp"
#include "physics/contact/penalty_contacts.hpp"

namespace clarke {

/// γ and what belongs to it, fixed in the step.
void ContactContributor::lag_compliance(const StepContext& context) {
  const ContactSet c = contacts_;
  const View<double> gamma = rows_.compliance = row_compliance_.resize(3 * c.count);
  const View<double> elasticity = elasticity_.resize(c.count), relaxation = relaxation_.resize(c.count);
  compliant_diagonal_.resize(3 * c.count);
  rows_.near_rigid = {};
  if (near_rigid_.compliance > 0 && !context.level.velocity) {
    rows_.near_rigid = near_rigid_compliance_.resize(c.count);
    rows_.near_rigid_fold = near_rigid_.depth / context.b;
    fill(rows_.near_rigid, 0.0);
  }
  if (!compliance_.any) {
    fill(gamma, 0.0);
    fill(elasticity, 0.0);
    fill(relaxation, 0.0);
    return;
  }
  const ContactCompliance all = compliance_;
  const double h = context.h, b = context.b;
  const int p = all.relaxed.exponent;
  parallel_for(
      "contact_row_compliance", c.count,
      KOKKOS_LAMBDA(int i) {
        const SurfaceCompliance pair = pair_compliance(all.surface(c.a(i)), all.surface(c.b(i)), p);
        const RowCompliance row = row_compliance(pair, all.viscous, h, b, p);
        elasticity(i) = pair.normal;
        relaxation(i) = row.relaxation;
        gamma(3 * i) = row.normal;
        gamma(3 * i + 1) = gamma(3 * i + 2) = row.friction;
      },
      16);
}

/// a of near-rigid contacts, once W is known.
void ContactContributor::lag_near_rigid(const View<double>& delassus_diagonal) {
  const View<double> a = rows_.near_rigid, gamma = row_compliance_, E = elasticity_, W = delassus_diagonal;
  const double alpha = near_rigid_.compliance;
  parallel_for(
      "contact_near_rigid", static_cast<int>(a.extent(0)), KOKKOS_LAMBDA(int i) {
        if (E(i) > 0) return;
        a(i) = gamma(3 * i) = alpha * W(3 * i);
      });
}

/// What contacts keep of their gaps at the start of the step.
void ContactContributor::lag_slop(const State& state) {
  const ContactSet c = contacts_;
  const View<double> kept = kept_gap_.resize(c.count);
  if (!(slop_.length > 0) || rows_.near_rigid.extent(0) > 0) return fill(kept, 0.0);
  const ContactSlop slop = slop_;
  const int bodies = entities_.bodies;
  const State start = state;
  const View<TurningNormal> turning = turning_;
  parallel_for(
      "contact_slop", c.count, KOKKOS_LAMBDA(int i) { kept(i) = slop(contact_gap(c, i, bodies, start, turning)); }, 30);
}

/// What the arms of friction are made of at the start of the step. A law of velocities sees those of q⁺.
void ContactContributor::lag_friction_arms(const StepContext& context, const State& state) {
  const ContactSet c = contacts_;
  const View<Vec3> arm_a = friction_arm_a_.resize(c.count), arm_b = friction_arm_b_.resize(c.count);
  arm_of_end_ = context.level.velocity ? 1 : FrictionArms::kOfEnd;
  if (context.level.velocity) {
    fill(arm_a, Vec3{});
    fill(arm_b, Vec3{});
    return;
  }
  const Entities& all = entities_;
  const State start = state;
  const View<TurningNormal> turning = turning_;
  parallel_for(
      "contact_friction_arms", c.count,
      KOKKOS_LAMBDA(int i) {
        const FrictionArms arms = friction_arms(c, i, all, start, turning);
        arm_a(i) = arms.a;
        arm_b(i) = arms.b;
      },
      60);
}

void ContactContributor::delassus_diagonal_known(const StepContext& context, const SystemSlice& slice) {
  if (penalty_) return;
  rows_.out = slice;
  lag_near_rigid(slice.delassus_diagonal);
  // Where it is not linear there is no γ to add; W_rr alone is as good a metric for the verdict.
  if (gives_way() && rows_.relaxed.linear()) add_compliance_to_diagonal(rows_, slice, compliant_diagonal_);
  law_->compute_r_factors(rows_, context.h);
}

}  // namespace clarke
