// What the turning of their arms adds to contacts, whose normals and places are fixed in the step: to the impulses on
// their bodies, and to the velocities that friction sees [docs/theory.md, eqs. G2, G3].

#include "framework/math/arm_stiffness.hpp"
#include "physics/contact/contact_contributor.hpp"

namespace clarke {

namespace {

/// From a body to its side of a contact. A particle has none, and a round surface adds none.
struct TurningArm {
  int slot;     // of the body's angular velocity among those of the item
  int block;    // of that velocity in u
  Vec3 r;       // [m]
  double sign;  // 1 of side a, −1 of side b
};

/// Those of contact i; returns how many.
KOKKOS_INLINE_FUNCTION int turning_arms(const ContactSet& c, const Entities& all, const StepPoint& at, int i,
                                        TurningArm* arms) {
  int slot = 0, count = 0;
  for (int side = 0; side < 2; ++side) {
    const int e = side == 0 ? c.a(i) : c.b(i);
    const View<BarycentricPoint>& place = side == 0 ? c.barycentric_a : c.barycentric_b;
    if (is_barycentric(place, i)) {
      for (int k = 0; k < 3 && place(i).node[k] >= 0; ++k) slot += all.block_of(place(i).node[k]).v >= 0;
      continue;
    }
    const EntityBlocks blocks = all.block_of(e);
    if (blocks.v >= 0) ++slot;
    if (blocks.w < 0) continue;
    const Quat q = pose_of(e, all.bodies, at.x, at.orientation).q;
    arms[count++] = {slot++, blocks.w, rotate(q, side == 0 ? c.point_a(i) : c.point_b(i)), side == 0 ? 1.0 : -1.0};
  }
  return count;
}

}  // namespace

/// ∂(r × p)/∂ω = r pᵀ − (r·p) 1 for the impulse p on the point r; of friction, whose arm is of the middle of the step,
/// half of it (friction_arms.hpp).
void ContactContributor::geometric_stiffness(const StepContext& context, const StepPoint& point,
                                             const SystemSlice& slice, const View<Mat3>& stiffness) {
  if (penalty_) return;  // T has it
  const ContactSet c = contacts_;
  const SystemSlice& s = slice;
  const StepPoint at = point;
  const Entities& all = entities_;
  const View<Mat3> out = stiffness;
  const double b = context.b, of_end = arm_of_end_;
  const bool whole = whole_stiffness_ && !positive_stiffness_;
  const ConeRows cone = cones_.rows();
  parallel_for(
      "contact_geometric_stiffness", c.count,
      KOKKOS_LAMBDA(int i) {
        const int row = s.first_row + 3 * i, slot = s.pattern.item_slot(s.first_item + i);
        const Vec3 p = at.impulse(row) * c.normal(i) +
                       of_end * (at.impulse(row + 1) * cone.d1(i) + at.impulse(row + 2) * cone.d2(i));
        TurningArm arms[2];
        for (int k = 0, count = turning_arms(c, all, at, i, arms); k < count; ++k) {
          const Vec3 r = arms[k].r, f = arms[k].sign * p;
          const double rf = dot(r, f);
          Mat3& to = out(slot + arms[k].slot);
          to = to + b * (whole ? Mat3::diagonal(rf, rf, rf) - outer(r, f) : arm_stiffness(r, f));
        }
      },
      400);
}

/// With u fixed, a turn θ of the body changes v_t = d·(v + ω × r̄) by d·(ω × (θ × ½ r)) = ½ θ·((ω·r) d − (d·r) ω).
void ContactContributor::add_turning_arms(const StepContext& context, const StepPoint& point, const SystemSlice& slice,
                                          const View<Vec3>& rows) const {
  if (penalty_) return;
  const ContactSet c = contacts_;
  const SystemSlice& s = slice;
  const StepPoint at = point;
  const Entities& all = entities_;
  const View<Vec3> out = rows;
  const double b = arm_of_end_ * context.b;
  const ConeRows cone = cones_.rows();
  parallel_for(
      "contact_turning_arms", c.count,
      KOKKOS_LAMBDA(int i) {
        const int item = s.first_item + i, slots = s.pattern.item_slot(item + 1) - s.pattern.item_slot(item),
                  value = s.pattern.item_value(item);
        TurningArm arms[2];
        for (int k = 0, count = turning_arms(c, all, at, i, arms); k < count; ++k) {
          const Vec3 r = arms[k].r, w = arms[k].sign * b * at.u(arms[k].block);
          for (int t = 1; t < 3; ++t) {
            const Vec3 d = t == 1 ? cone.d1(i) : cone.d2(i);
            out(value + t * slots + arms[k].slot) += dot(w, r) * d - dot(d, r) * w;
          }
        }
      },
      200);
}

}  // namespace clarke
