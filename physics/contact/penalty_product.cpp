// T du of contacts without multipliers by dual numbers: F once, at a configuration and velocities that carry du along.

#include "framework/math/dual_vectors.hpp"
#include "physics/contact/contact_contributor.hpp"
#include "physics/contact/contact_geometry.hpp"
#include "physics/contact/penalty_contacts.hpp"

namespace clarke {

namespace {

/// One side of a contact that moves along du: x + ε b dv, turned by ε E dω, at v + ε dv, ω + ε dω.
struct DualSide {
  PoseT<Dual> pose;
  Vec3T<Dual> v, w;
};

KOKKOS_INLINE_FUNCTION DualSide dual_side(const Pose& pose, const Twist& now, const Twist& along, double b) {
  const Vec3 tau = (0.5 * b) * now.w;
  const Vec3 turn = (b / (1 + norm2(tau))) * (along.w + cross(tau, along.w));
  return {{dual(pose.x, b * along.v), dual(pose.q, turn)}, dual(now.v, along.v), dual(now.w, along.w)};
}

/// What the force on one side is in the momentum of its velocity blocks, in the order of the pattern.
KOKKOS_INLINE_FUNCTION void add_force(const View<BarycentricPoint>& place, int i, int entity,
                                      const View<EntityBlocks>& block_of, const Vec3T<Dual>& F, const Vec3T<Dual>& arm,
                                      const View<Vec3>& out, int& slot) {
  if (is_barycentric(place, i)) {
    const BarycentricPoint& p = place(i);
    for (int k = 0; k < 3 && p.node[k] >= 0; ++k)
      if (block_of(p.node[k]).v >= 0) out(slot++) = p.weight[k] * derivative_of(F);
    return;
  }
  const EntityBlocks blocks = block_of(entity);
  if (blocks.v >= 0) out(slot++) = derivative_of(F);
  if (blocks.w >= 0) out(slot++) = derivative_of(cross(arm, F));
}

}  // namespace

void PenaltyContacts::force_along(const StepContext& context, const StepPoint& point, const SystemSlice& slice,
                                  const ContactSet& contacts, const ContactFriction& cones, const View<Vec3>& du,
                                  const View<Vec3>& along) {
  const ContactSet c = contacts;
  const SystemSlice& s = slice;
  const StepPoint at = point;
  const View<EntityBlocks> block_of = entities_.block_of;
  const View<Twist> prescribed = entities_.prescribed, still = still_;
  const View<Vec3> change = du, out = along;
  const int bodies = entities_.bodies;
  const double h = context.h, step = context.b, distance = options_.distance,
               epsilon = epsilon_factor_ * options_.epsilon;
  const View<double> stiffness = stiffness_, frozen = lagged_normal_;
  const ConeRows cone = cones.rows();
  const ContactFriction::SpeedFactor pair = cones.speed_factor();
  const ContactPenalty law = law_;
  const bool lags = lagged_, sections = cones.sections(), stribeck = stribeck_ && cone.at_rest.extent(0) > 0;
  parallel_for(
      "penalty_force_along", c.count,
      KOKKOS_LAMBDA(int i) {
        const int ea = c.a(i), eb = c.b(i);
        const DualSide a = dual_side(side_pose(c.barycentric_a, i, ea, bodies, at.x, at.orientation),
                                     side_twist(c.barycentric_a, i, ea, block_of, prescribed, at.u),
                                     side_twist(c.barycentric_a, i, ea, block_of, still, change), step);
        const DualSide b = dual_side(side_pose(c.barycentric_b, i, eb, bodies, at.x, at.orientation),
                                     side_twist(c.barycentric_b, i, eb, block_of, prescribed, at.u),
                                     side_twist(c.barycentric_b, i, eb, block_of, still, change), step);
        const ContactFrame frame{c.normal(i), cone.d1(i), cone.d2(i), sections ? cone.section.data() + i : nullptr};
        const ContactGeometryT<Dual> geo =
            contact_geometry(a.pose, b.pose, c.point_a(i), c.point_b(i), c.radius_a(i), c.radius_b(i), frame.n);
        const ContactSlipT<Dual> slip = contact_slip(frame, a.v + cross(a.w, geo.arm_a) - b.v - cross(b.w, geo.arm_b));
        const Dual m =
            stribeck ? stribeck_weight(slip.speed, pair.rule, pair.surface(ea).speed, pair.surface(eb).speed) : Dual(1);
        const Vec3T<Dual> F =
            Dual(-h) * smooth_contact_force(contact_penalty_force(law, geo.gap, distance, stiffness(i)), frame, slip,
                                            stribeck ? cone.at_rest(i) : cone.friction(i), epsilon, m,
                                            lags ? frozen(i) : -1.0);
        int slot = s.pattern.item_slot(s.first_item + i);
        add_force(c.barycentric_a, i, ea, block_of, F, geo.arm_a, out, slot);
        add_force(c.barycentric_b, i, eb, block_of, -F, geo.arm_b, out, slot);
      },
      600);
}

bool ContactContributor::force_along(const StepContext& context, const StepPoint& point, const SystemSlice& slice,
                                     const View<Vec3>& du, const View<Vec3>& along) {
  if (penalty_) penalty_->force_along(context, point, slice, contacts_, cones_, du, along);
  return penalty_ != nullptr;
}

int ContactContributor::continuation_steps() const { return penalty_ ? penalty_->continuation_steps() : 0; }

void ContactContributor::set_continuation(int k) {
  if (penalty_) penalty_->set_continuation(k);
}

}  // namespace clarke
