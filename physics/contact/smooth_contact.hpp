#pragma once
// The force of a contact without a multiplier, and its derivatives: a penalty in the gap and smooth friction in the
// slip [docs/theory.md, eqs. N9, F10]. A pure function of one contact.
//
//   F = λ(d) n − λ_f μ k(σ) Σ q_i w_i d_i,   w_i = d_i·V,   σ² = Σ q_i w_i²          on side a [N]
//   V relative velocity of a against b at the contact [m/s];  d_1, d_2 scaled tangents of its cone (eq. F4)
//   q = 1 of discs and ellipses; of a section of quarters the squares of the semi-axes that −w points to: σ is its
//   dissipation, and F that point of it which dissipates most (eq. F5)
//   λ_f = λ(d), friction implicit; or lagged, as it was when it was frozen: then λ' has no part in its derivative
//
//   ∂F/∂d = λ' (n − μ k Σ q_i w_i d_i)                                        unsymmetric: friction follows λ
//   ∂F/∂V = −λ_f μ Σ (k q_i δ_ij + k'/σ q_i w_i q_j w_j) d_i d_jᵀ             k' = 0 with Picard's slope
//
// Normals and tangents are fixed in the step (eq. N1), so their turning has no part in it.

#include "framework/math/mat3.hpp"
#include "framework/sets/friction_section.hpp"
#include "physics/contact/penalties/cubic.hpp"
#include "physics/contact/penalties/log_barrier.hpp"
#include "physics/friction/smooth/coulomb_smooth.hpp"
#include "physics/friction/smooth/stribeck_smooth.hpp"

namespace clarke {

KOKKOS_INLINE_FUNCTION PenaltyValue contact_penalty(ContactPenalty law, double gap, double distance, double stiffness) {
  return law == ContactPenalty::cubic ? cubic_penalty(gap, distance, stiffness)
                                      : log_barrier_penalty(gap, distance, stiffness);
}

/// λ in any scalar.
template <class T>
KOKKOS_INLINE_FUNCTION T contact_penalty_force(ContactPenalty law, T gap, double distance, double stiffness) {
  return law == ContactPenalty::cubic ? cubic_force(gap, distance, stiffness)
                                      : log_barrier_force(gap, distance, stiffness);
}

/// Normal and scaled tangents; the section of the cone, null: a disc in these tangents.
struct ContactFrame {
  Vec3 n, d1, d2;
  const FrictionSection* section = nullptr;
};

/// Slip in the rows of the cone, what weighs it, and its dissipation.
template <class T>
struct ContactSlipT {
  T w1 = 0, w2 = 0;  // [m/s]
  double q1 = 1, q2 = 1;
  T speed = 0;  // σ [m/s]
};
using ContactSlip = ContactSlipT<double>;

template <class T>
KOKKOS_INLINE_FUNCTION ContactSlipT<T> contact_slip(const ContactFrame& frame, const Vec3T<T>& V) {
  using std::sqrt;
  ContactSlipT<T> out;
  out.w1 = dot(lift<T>(frame.d1), V);
  out.w2 = dot(lift<T>(frame.d2), V);
  if (const FrictionSection* c = frame.section) {
    const double a = out.w1 > T(0) ? c->a_minus : c->a_plus, b = out.w2 > T(0) ? c->b_minus : c->b_plus;
    out.q1 = a * a;
    out.q2 = b * b;
  }
  out.speed = sqrt(T(out.q1) * out.w1 * out.w1 + T(out.q2) * out.w2 * out.w2);
  return out;
}

struct SmoothContact {
  double normal;        // λ [N]
  double f1, f2;        // friction in the rows of the cone [N]
  Vec3 force;           // F [N]
  Vec3 along_gap;       // ∂F/∂d [N/m]
  Mat3 along_velocity;  // ∂F/∂V [N s/m]
};

/// F in any scalar: of dual numbers it has its derivative with it.
template <class T>
KOKKOS_INLINE_FUNCTION Vec3T<T> smooth_contact_force(T normal, const ContactFrame& frame, const ContactSlipT<T>& w,
                                                     double friction, double epsilon, T m, double lagged) {
  const T radius = T(friction) * (lagged < 0 ? normal : T(lagged)), k = m * smooth_direction_of(w.speed, epsilon);
  return normal * lift<T>(frame.n) - (radius * k * T(w.q1) * w.w1) * lift<T>(frame.d1) -
         (radius * k * T(w.q2) * w.w2) * lift<T>(frame.d2);
}

/// `lagged` < 0: friction is implicit; else λ_f. `m` is μ's factor at the speed σ, `picard` leaves k' out.
KOKKOS_INLINE_FUNCTION SmoothContact smooth_contact(const PenaltyValue& penalty, const ContactFrame& frame,
                                                    const ContactSlip& w, double friction, double epsilon,
                                                    const FrictionWeight& m, double lagged, bool picard) {
  SmoothContact out;
  out.normal = penalty.force;
  const double radius = friction * (lagged < 0 ? penalty.force : lagged);
  const FrictionWeight k = smooth_weight(w.speed, epsilon, m);
  out.f1 = -radius * k.value * w.q1 * w.w1;
  out.f2 = -radius * k.value * w.q2 * w.w2;
  const Vec3 slip = (w.q1 * w.w1) * frame.d1 + (w.q2 * w.w2) * frame.d2;
  out.force = penalty.force * frame.n + out.f1 * frame.d1 + out.f2 * frame.d2;
  out.along_gap = penalty.slope * frame.n;
  if (lagged < 0) out.along_gap = out.along_gap - (penalty.slope * friction * k.value) * slip;
  out.along_velocity = (-radius * k.value) * (w.q1 * outer(frame.d1, frame.d1) + w.q2 * outer(frame.d2, frame.d2));
  if (!picard && w.speed > 0)
    out.along_velocity = out.along_velocity - (radius * k.slope / w.speed) * outer(slip, slip);
  return out;
}

}  // namespace clarke
