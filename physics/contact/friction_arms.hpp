#pragma once
// Lever arms at which slip is seen and friction acts over a step: those of its middle, at a place that both sides share
// [docs/theory.md, eq. N1b].
//
//   r̄_a = ½ (r_a⁻ + r_a⁺) − s_a w d⁻,    r̄_b = ½ (r_b⁻ + r_b⁺) + s_b w d⁻          [m]
//   v_t = Tᵀ (v_a + ω_a × r̄_a − v_b − ω_b × r̄_b)                                  [m/s]
//     r⁻, r⁺  arms at q⁻ and q⁺ (contact_set.hpp)          d = x_a + r_a − x_b − r_b, of which the gap is n·d
//     s_a = s_b = ½;   a particle or node has no arm, and the other side all of d⁻
//     w(|d⁻|)  1 up to ℓ, 0 from 2 ℓ on, linear between;   ℓ = kNear × the shorter |r⁻| of the bodies that turn
//
// As (r⁺ − r⁻)/h = ω × ½ (r⁻ + r⁺) for q⁺ = (1, hω/2) ∘ q⁻, v_t is the displacement of the two points against each
// other, seen by those who turn with them,
//
//   h v_t = Tᵀ (d⁺ − d⁻ − h ½ (ω_a + ω_b) × d⁻)
//
// and zero where the two turn as one body, to any angle where d⁻ = 0. With the arms of the end of the step, v_t of such
// a pair is ½ h |ω|² times the distance of their centres, and what sticks to several neighbours is held by rows that
// contradict each other by that little, until impulses have grown to the bounds of friction.
//
// What lands from afar has d⁻ for no part of its arms: a ball turns about its radius, not about that and half the way
// it still had to fall. w is continuous, for contacts of one pair have arms of several lengths: those that took d⁻ and
// those that did not would contradict each other.

#include "physics/collision/contact_side.hpp"
#include "physics/contact/contact_geometry.hpp"
#include "physics/contact/turning_normal.hpp"

#include <cmath>

namespace clarke {

/// What a step knows of r̄ when it begins: r̄ = kOfEnd r⁺ + this [m].
struct FrictionArms {
  static constexpr double kOfEnd = 0.5;
  static constexpr double kNear = 0.1;
  Vec3 a, b;
};

/// Of contact i in a step that begins at `start`; for kernels. What of a round shape does not turn with the body is the
/// same at q⁻ and q⁺.
KOKKOS_INLINE_FUNCTION FrictionArms friction_arms(const ContactSet& c, int i, const Entities& all, const State& start,
                                                  const View<TurningNormal>& turning) {
  const int ea = c.a(i), eb = c.b(i);
  const Pose a = side_pose(c.barycentric_a, i, ea, all.bodies, start.x, start.orientation),
             b = side_pose(c.barycentric_b, i, eb, all.bodies, start.x, start.orientation);
  const TurningPoints p = turning_points(turning, c, i);
  const ContactGeometry g = contact_geometry(a, b, p.a, p.b, p.rho_a, p.rho_b, c.normal(i));
  Vec3 stays_a{}, stays_b{};
  if (turns(turning, i)) stays_a = turning(i).side_a.stays, stays_b = turning(i).side_b.stays;
  const Vec3 arm_a = g.arm_a + stays_a, arm_b = g.arm_b + stays_b, d = a.x + arm_a - b.x - arm_b;
  const bool body_a = !is_barycentric(c.barycentric_a, i) && ea < all.bodies,
             body_b = !is_barycentric(c.barycentric_b, i) && eb < all.bodies;
  const double reach_a = body_a && all.block_of(ea).w >= 0 ? norm(arm_a) : INFINITY,
               reach_b = body_b && all.block_of(eb).w >= 0 ? norm(arm_b) : INFINITY;
  const double near = FrictionArms::kNear * std::fmin(reach_a, reach_b), length = norm(d);
  const Vec3 shared = length > near ? std::fmax(0.0, 2 * near / length - 1) * d : d;
  return {(1 - FrictionArms::kOfEnd) * g.arm_a + stays_a - (body_b ? 0.5 : 1.0) * shared,
          (1 - FrictionArms::kOfEnd) * g.arm_b + stays_b + (body_a ? 0.5 : 1.0) * shared};
}

}  // namespace clarke
