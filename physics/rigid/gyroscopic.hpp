#pragma once
// The gyroscopic term of Euler's equations, I ω̇ + ω × I ω = τ, over one step without torque. Pure functions of one
// body.
//
//   explicit   ω̃ = ω − h I_w⁻¹ (ω × I_w ω)       world frame, as in the papers; grows energy: a rotor at 50 rad/s and
//                                                h = 1/120 s gains a factor ten in a second
//   implicit   I (ω̃ − ω) + h ω̃ × I ω̃ = 0         body frame; ω̃ᵀ· gives ½ω̃ᵀIω̃ = ½ωᵀIω − ½(ω̃−ω)ᵀI(ω̃−ω),
//                                                so energy never grows, for any h (unconditionally stable)
//
// The body frame of q⁻ serves for both ends of the step: turning about ω leaves ω's body coordinates unchanged
// (quat.hpp). Torque enters ũ beside this term. First order in h.

#include "framework/math/mat3.hpp"

namespace clarke {

/// ω̃ − ω by the explicit formula, in the frame in which `inertia` [kg m²] and w [rad/s] are given.
template <class T>
KOKKOS_INLINE_FUNCTION Vec3T<T> gyroscopic_explicit(const Mat3T<T>& inertia, const Vec3T<T>& w, T h) {
  return -h * (inverse(inertia) * cross(w, inertia * w));
}

/// Newton iterations of gyroscopic_implicit; six reach rounding for h|ω| below 1, the rest is for wilder steps.
inline constexpr int kGyroscopicIterations = 30;

/// ω̃ − ω by the implicit formula in the body frame: Newton with backtracking on |f|.
template <class T>
KOKKOS_INLINE_FUNCTION Vec3T<T> gyroscopic_implicit(const Mat3T<T>& inertia, const Vec3T<T>& w0, T h) {
  Vec3T<T> w = w0;
  Vec3T<T> f = h * cross(w, inertia * w);
  T f2 = norm2(f);
  const T stop = T(1e-32) * norm2(inertia * w0);  // rounding of the momentum, squared
  for (int it = 0; it < kGyroscopicIterations && f2 > stop; ++it) {
    const Mat3T<T> slope = inertia + h * (cross_matrix(w) * inertia - cross_matrix(inertia * w));
    const Vec3T<T> step = inverse(slope) * f;
    T alpha(1);
    for (int cut = 0; cut < 20; ++cut) {
      const Vec3T<T> trial = w - alpha * step;
      const Vec3T<T> ft = inertia * (trial - w0) + h * cross(trial, inertia * trial);
      const T ft2 = norm2(ft);
      if (ft2 < f2) {
        w = trial, f = ft, f2 = ft2;
        break;
      }
      alpha = alpha / T(2);
      if (cut == 19) return w - w0;  // rounding: no further decrease is possible
    }
  }
  return w - w0;
}

}  // namespace clarke
