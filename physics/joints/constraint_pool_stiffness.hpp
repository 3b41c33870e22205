#pragma once
// Geometric stiffness of a ConstraintPool: of each velocity block by itself [docs/theory.md, eq. G2], and of whole
// items [eq. G4]; by dual numbers, from the elements as they are.

#include "framework/math/positive_part.hpp"
#include "framework/math/symmetric_eigen.hpp"
#include "physics/constraints/distance.hpp"
#include "physics/joints/constraint_pool.hpp"
#include "physics/joints/constraint_pool_kernels.hpp"

namespace clarke {

/// J of item i, and in the dual parts its derivative along motion `e` (0 … 2) of the velocity block in slot `by`.
template <ConstraintElement E, int m, int kSlots, int kFrames>
KOKKOS_INLINE_FUNCTION void jacobian_in_motion(const E& element, const Pose (&pose)[kFrames], const View<int>& column,
                                               int i, int by, int e, Vec3T<Dual> (&J)[m][kSlots]) {
  PoseT<Dual> moved[kFrames];
  for (int f = 0; f < kFrames; ++f) {
    const Quat q = pose[f].q;
    moved[f].x = lift<Dual>(pose[f].x);
    moved[f].q = {Dual(q.w), Dual(q.x), Dual(q.y), Dual(q.z)};
    if (column(kSlots * i + 2 * f) == by) moved[f].x[e].d = 1;
    if (column(kSlots * i + 2 * f + 1) != by) continue;
    Vec3 w{};  // q̇ = ½ (0, ω) ∘ q
    w[e] = 0.5;
    const Quat dq = Quat{0, w.x, w.y, w.z} * q;
    moved[f].q = {Dual(q.w, dq.w), Dual(q.x, dq.x), Dual(q.y, dq.y), Dual(q.z, dq.z)};
  }
  Dual c[m];
  element.evaluate(moved, c, J);
}

template <ConstraintElement E>
void ConstraintPool<E>::geometric_stiffness(const StepContext& context, const StepPoint& point,
                                            const SystemSlice& slice, const View<Mat3>& stiffness) {
  if (whole_stiffness_ && positive_stiffness_)
    return geometric_pairs(context, point, slice, slice.item_tangent, slice.tangent);
  const View<E> element = element_;
  const View<int> entity = entity_, column = column_;
  const SystemSlice& s = slice;
  const StepPoint at = point;
  const int bodies = entities_.bodies;
  const double b = context.b;
  const View<Mat3> out = stiffness;
  const bool whole = whole_stiffness_;
  parallel_for(
      "joint_geometric_stiffness", count_,
      KOKKOS_LAMBDA(int i) {
        Pose pose[kFrames];
        poses_of_item(i, entity, bodies, at.x, at.orientation, pose);
        const int first = s.pattern.item_slot(s.first_item + i);
        const int columns = s.pattern.item_slot(s.first_item + i + 1) - first;
        const int tangent = whole ? s.item_tangent(s.first_item + i) : 0;
        for (int moving = 0; moving < columns; ++moving) {
          Mat3 K[kSlots] = {};  // ∂(Jᵀ Λ) of each slot/∂(motion of the velocity block); frames of a gear may share one
          for (int e = 0; e < 3; ++e) {
            Vec3T<Dual> J[m][kSlots];
            jacobian_in_motion(element(i), pose, column, i, moving, e, J);
            for (int k = 0; k < kSlots; ++k) {
              const int to = column(kSlots * i + k);
              if (to < 0) continue;
              for (int r = 0; r < m; ++r)
                for (int row = 0; row < 3; ++row) K[to](row, e) += J[r][k][row].d * at.impulse(s.first_row + i * m + r);
            }
          }
          if (!whole) out(first + moving) = out(first + moving) + positive_part(-b * K[moving]);
          for (int to = 0; whole && to < columns; ++to) s.tangent(tangent + to * columns + moving) = -b * K[to];
        }
      },
      1500);
}

/// Of a spring |d|: with J = ±n, γ⁻¹ (J_a·J_b 1 − J_a J_bᵀ) is what γ⁻¹ Jᵀ J lacks of γ⁻¹ [1 −1; −1 1].
struct SpringMajorant {
  SystemSlice s;
  View<double> compliance;
  View<int> start;
  View<Mat3> out;

  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const int item = s.first_item + i, value = s.pattern.item_value(item),
              columns = s.pattern.item_slot(item + 1) - s.pattern.item_slot(item);
    for (int to = 0; to < columns; ++to)
      for (int by = 0; by < columns; ++by) {
        const Vec3 a = s.jacobian(value + to), b = s.jacobian(value + by);
        const double w = 1 / compliance(i), same = w * dot(a, b);
        out(start(item) + to * columns + by) = Mat3::diagonal(same, same, same) - w * outer(a, b);
      }
  }
};

template <ConstraintElement E>
bool ConstraintPool<E>::set_majorant(bool on) {
  constexpr bool kSpring = std::is_same_v<E, Distance>;
  bool turns = false;
  const auto column = host_copy(column_);
  for (std::size_t k = 1; k < column.extent(0); k += 2) turns = turns || column(k) >= 0;
  if (on && (!kSpring || turns)) return false;
  majorant_ = on;
  return true;
}

template <ConstraintElement E>
void ConstraintPool<E>::geometric_pairs(const StepContext& context, const StepPoint& point, const SystemSlice& slice,
                                        const View<int>& first, const View<Mat3>& blocks) {
  if (majorant_) {
    parallel_for("joint_majorant", count_, SpringMajorant{slice, rows_.compliance, first, blocks}, 100);
    return;
  }
  const View<E> element = element_;
  const View<int> entity = entity_, column = column_, start = first;
  const SystemSlice& s = slice;
  const StepPoint at = point;
  const int bodies = entities_.bodies;
  const double b = context.b;
  const View<Mat3> out = blocks;
  parallel_for(
      "joint_geometric_pairs", count_,
      KOKKOS_LAMBDA(int i) {
        Pose pose[kFrames];
        poses_of_item(i, entity, bodies, at.x, at.orientation, pose);
        const int item = s.first_item + i, columns = s.pattern.item_slot(item + 1) - s.pattern.item_slot(item);
        const int n = 3 * columns;
        double K[9 * kSlots * kSlots] = {};  // −b ∂(Jᵀ Λ)/∂(motion of the item's velocity blocks)
        for (int by = 0; by < n; ++by) {
          Vec3T<Dual> J[m][kSlots];
          jacobian_in_motion(element(i), pose, column, i, by / 3, by % 3, J);
          for (int k = 0; k < kSlots; ++k) {
            const int to = column(kSlots * i + k);
            if (to < 0) continue;
            for (int r = 0; r < m; ++r)
              for (int row = 0; row < 3; ++row)
                K[(3 * to + row) * n + by] -= b * J[r][k][row].d * at.impulse(s.first_row + i * m + r);
          }
        }
        positive_part_of<3 * kSlots>(K, n);
        for (int to = 0; to < columns; ++to)
          for (int by = 0; by < columns; ++by)
            for (int e = 0; e < 9; ++e)
              out(start(item) + to * columns + by)(e / 3, e % 3) = K[(3 * to + e / 3) * n + 3 * by + e % 3];
      },
      5000);
}

}  // namespace clarke
