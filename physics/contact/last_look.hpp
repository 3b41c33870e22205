#pragma once
// Where -detect_again looked last and found nothing that overlaps by more than its depth δ. As long as nothing has
// moved far from there it need not look again: what rests is searched for contacts once in a step, not twice.
//
//   |x_e − x_e'| + 2 ρ_e |q_e − q_e'| ≤ ½ d     for all entities e: no two have come closer by more than d
//
//   x', q'  pose at the last look     ρ_e  largest distance of a point of e from x_e [m]     d = kShare δ [m]
//
// A rotation by θ moves points by at most 2 ρ sin(θ/2) ≤ 2 ρ · 2 sin(θ/4) = 2 ρ |q − q'|. What is missing is then at
// most (1 + kShare) δ deep, whatever the contacts of the step are.

#include "framework/state.hpp"

namespace clarke {

class LastLook {
 public:
  explicit LastLook(const Entities& entities) {
    x_.resize(entities.count);
    orientation_.resize(entities.bodies);
  }

  /// d over the depth: far below what the judge allows beyond it (simulation.cpp).
  static constexpr double kShare = 0.1;

  /// Whether no two of the entities have come closer by more than kShare `depth` [m] since remember(). `reach`: ρ.
  bool covers(const State& now, const View<double>& reach, double depth) const {
    if (!known_) return false;
    const View<Vec3> x = now.x, from = x_.view();
    const View<Quat> q = now.orientation, turned = orientation_.view();
    const View<double> rho = reach;
    const int bodies = static_cast<int>(q.extent(0));
    const double most = 0.5 * kShare * depth;
    return largest_of(
               "last_look_moved", static_cast<int>(x.extent(0)), KOKKOS_LAMBDA(int e) {
                 const double way = norm(x(e) - from(e));
                 if (e >= bodies) return way <= most ? 0.0 : 1.0;  // not of what is no number
                 const Quat a = q(e), b = turned(e);
                 const double turn = std::sqrt((a.w - b.w) * (a.w - b.w) + (a.x - b.x) * (a.x - b.x) +
                                               (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
                 return (turn > 0 ? way + 2 * rho(e) * turn : way) <= most ? 0.0 : 1.0;
               }) == 0;
  }

  /// Nothing was found there.
  void remember(const State& now) {
    Kokkos::deep_copy(x_.view(), now.x);
    Kokkos::deep_copy(orientation_.view(), now.orientation);
    known_ = true;
  }

 private:
  bool known_ = false;
  Buffer<Vec3> x_{"last_look_x"};
  Buffer<Quat> orientation_{"last_look_orientation"};
};

}  // namespace clarke
