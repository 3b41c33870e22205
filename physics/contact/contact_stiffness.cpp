// What the turning of their arms adds to contacts, whose places are fixed in the step: to the impulses on their bodies,
// and to the velocities that friction sees [docs/theory.md, eqs. G2, G3]; and that of the few normals that turn, which
// ties both bodies together [eq. V7a].

#include "framework/math/arm_stiffness.hpp"
#include "framework/math/positive_part.hpp"
#include "framework/math/symmetric_eigen.hpp"
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
KOKKOS_INLINE_FUNCTION int turning_arms(const ContactSet& c, const Entities& all, const View<TurningNormal>& turning,
                                        const StepPoint& at, int i, TurningArm* arms) {
  const TurningPoints p = turning_points(turning, c, i);
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
    arms[count++] = {slot++, blocks.w, rotate(q, side == 0 ? p.a : p.b), side == 0 ? 1.0 : -1.0};
  }
  return count;
}

/// Slot of v_a, ω_a, v_b, ω_b among those of a contact of two bodies; −1: none.
struct TurningSlots {
  int of[4] = {-1, -1, -1, -1};
  int count = 0;

  KOKKOS_INLINE_FUNCTION TurningSlots(const EntityBlocks& a, const EntityBlocks& b) {
    const int block[4] = {a.v, a.w, b.v, b.w};
    for (int k = 0; k < 4; ++k)
      if (block[k] >= 0) of[k] = count++;
  }
};

/// K of the normal impulse of a contact whose normal turns: all blocks `to` of k × k at `tangent`, or, without it, the
/// positive part of those on the diagonal at `diagonal`.
KOKKOS_INLINE_FUNCTION void add_turning_normal(const TurningNormal& turning, const ContactSet& c, const Entities& all,
                                               const StepPoint& at, int i, double impulse, double b, bool positive,
                                               Mat3* tangent, Mat3* diagonal) {
  const TurningSlots slots(all.block_of(c.a(i)), all.block_of(c.b(i)));
  if (impulse == 0) {  // open, as most are
    for (int e = 0; tangent && e < slots.count * slots.count; ++e) tangent[e] = Mat3{};
    return;
  }
  const Pose pa = pose_of(c.a(i), all.bodies, at.x, at.orientation),
             pb = pose_of(c.b(i), all.bodies, at.x, at.orientation);
  double K[kTurningSize * kTurningSize];
  turning_stiffness(turning, pa, pb, c.point_a(i), c.point_b(i), c.radius_a(i), c.radius_b(i), impulse, b, K);
  const auto block = [&](const double* from, int size, int to, int by) {
    Mat3 m;
    for (int e = 0; e < 9; ++e) m(e / 3, e % 3) = from[(3 * to + e / 3) * size + 3 * by + e % 3];
    return m;
  };
  if (!tangent) {
    for (int k = 0; k < 4; ++k)
      if (slots.of[k] >= 0) diagonal[slots.of[k]] = diagonal[slots.of[k]] + positive_part(block(K, kTurningSize, k, k));
    return;
  }
  const int size = 3 * slots.count;
  double mine[kTurningSize * kTurningSize];  // of what can move
  for (int to = 0; to < kTurningSize; ++to)
    for (int by = 0; by < kTurningSize; ++by) {
      const int row = slots.of[to / 3], column = slots.of[by / 3];
      if (row >= 0 && column >= 0) mine[(3 * row + to % 3) * size + 3 * column + by % 3] = K[to * kTurningSize + by];
    }
  if (positive) positive_part_of<kTurningSize>(mine, size);
  for (int to = 0; to < slots.count; ++to)
    for (int by = 0; by < slots.count; ++by) tangent[to * slots.count + by] = block(mine, size, to, by);
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
  const View<TurningNormal> turning = turning_;
  const bool positive = positive_stiffness_, as_items = whole_stiffness_;
  parallel_for(
      "contact_geometric_stiffness", c.count,
      KOKKOS_LAMBDA(int i) {
        const int row = s.first_row + 3 * i, slot = s.pattern.item_slot(s.first_item + i);
        Vec3 p = of_end * (at.impulse(row + 1) * cone.d1(i) + at.impulse(row + 2) * cone.d2(i));
        if (turns(turning, i)) {
          Mat3* tangent = as_items ? &s.tangent(s.item_tangent(s.first_item + i)) : nullptr;
          add_turning_normal(turning(i), c, all, at, i, at.impulse(row), b, positive, tangent, &out(slot));
        } else {
          p += at.impulse(row) * c.normal(i);
        }
        TurningArm arms[2];
        for (int k = 0, count = turning_arms(c, all, turning, at, i, arms); k < count; ++k) {
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
  const View<TurningNormal> turning = turning_;
  parallel_for(
      "contact_turning_arms", c.count,
      KOKKOS_LAMBDA(int i) {
        const int item = s.first_item + i, slots = s.pattern.item_slot(item + 1) - s.pattern.item_slot(item),
                  value = s.pattern.item_value(item);
        TurningArm arms[2];
        for (int k = 0, count = turning_arms(c, all, turning, at, i, arms); k < count; ++k) {
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
