#pragma once
// The force of a contact without a multiplier, and its derivatives: a penalty in the gap and smooth friction in the
// slip [docs/theory.md, eqs. N9, F10]. A pure function of one contact.
//
//   F = λ(d) n − λ_f μ k(|w|) (w_1 d_1 + w_2 d_2),   w_i = d_i·V          on side a [N]
//   V relative velocity of a against b at the contact [m/s];  d_1, d_2 scaled tangents of its cone (eq. F4)
//   λ_f = λ(d), friction implicit; or lagged, as it was when it was frozen: then λ' has no part in its derivative
//
//   ∂F/∂d = λ' (n − μ k Σ w_i d_i)                                        unsymmetric as a whole: friction follows λ
//   ∂F/∂V = −λ_f μ Σ (k δ_ij + k'/v w_i w_j) d_i d_jᵀ                     k' = 0 with Picard's slope
//
// Normals and tangents are fixed in the step (eq. N1), so their turning has no part in it.

#include "framework/math/mat3.hpp"
#include "physics/contact/penalties/cubic.hpp"
#include "physics/contact/penalties/log_barrier.hpp"
#include "physics/friction/smooth/coulomb_smooth.hpp"
#include "physics/friction/smooth/stribeck_smooth.hpp"

namespace clarke {

KOKKOS_INLINE_FUNCTION PenaltyValue contact_penalty(ContactPenalty law, double gap, double distance, double stiffness) {
  return law == ContactPenalty::cubic ? cubic_penalty(gap, distance, stiffness)
                                      : log_barrier_penalty(gap, distance, stiffness);
}

/// Normal and scaled tangents.
struct ContactFrame {
  Vec3 n, d1, d2;
};

struct SmoothContact {
  double normal;        // λ [N]
  double w1, w2;        // slip in the rows of the cone [m/s]
  double f1, f2;        // friction in them [N]
  Vec3 force;           // F [N]
  Vec3 along_gap;       // ∂F/∂d [N/m]
  Mat3 along_velocity;  // ∂F/∂V [N s/m]
};

/// `lagged` < 0: friction is implicit; else λ_f. `m` is μ's factor at the speed |w|, `picard` leaves k' out.
KOKKOS_INLINE_FUNCTION SmoothContact smooth_contact(const PenaltyValue& penalty, const ContactFrame& frame,
                                                    const Vec3& V, double friction, double epsilon,
                                                    const FrictionWeight& m, double lagged, bool picard) {
  SmoothContact out;
  out.normal = penalty.force;
  out.w1 = dot(frame.d1, V);
  out.w2 = dot(frame.d2, V);
  const double v = std::hypot(out.w1, out.w2), radius = friction * (lagged < 0 ? penalty.force : lagged);
  const FrictionWeight k = smooth_weight(v, epsilon, m);
  out.f1 = -radius * k.value * out.w1;
  out.f2 = -radius * k.value * out.w2;
  const Vec3 slip = out.w1 * frame.d1 + out.w2 * frame.d2;
  out.force = penalty.force * frame.n + out.f1 * frame.d1 + out.f2 * frame.d2;
  out.along_gap = penalty.slope * frame.n;
  if (lagged < 0) out.along_gap = out.along_gap - (penalty.slope * friction * k.value) * slip;
  out.along_velocity = (-radius * k.value) * (outer(frame.d1, frame.d1) + outer(frame.d2, frame.d2));
  if (!picard && v > 0) out.along_velocity = out.along_velocity - (radius * k.slope / v) * outer(slip, slip);
  return out;
}

/// Speed in the rows of the cone.
KOKKOS_INLINE_FUNCTION double slip_speed(const ContactFrame& frame, const Vec3& V) {
  return std::hypot(dot(frame.d1, V), dot(frame.d2, V));
}

}  // namespace clarke
