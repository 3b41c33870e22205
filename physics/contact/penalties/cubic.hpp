#pragma once
// The cubic penalty: b = κ (δ − d)³/δ,  λ = 3 κ (δ − d)²/δ,  λ' = −6 κ (δ − d)/δ   for d < δ
//
// Defined at any depth, so a contact may start closed. Source: Larionov et al., Implicit frictional contact, smoothly,
// for soft constraints [docs/theory.md, eq. N9].

#include "physics/contact/penalties/contact_penalty.hpp"

namespace clarke {

/// λ in any scalar.
template <class T>
KOKKOS_INLINE_FUNCTION T cubic_force(T gap, double distance, double stiffness) {
  const T x = T(distance) - gap;
  return x > T(0) ? T(3 * (stiffness / distance)) * x * x : T(0);
}

KOKKOS_INLINE_FUNCTION PenaltyValue cubic_penalty(double gap, double distance, double stiffness) {
  const double x = distance - gap, k = stiffness / distance;
  if (x <= 0) return {0, 0, 0};
  return {k * x * x * x, cubic_force(gap, distance, stiffness), -6 * k * x};
}

}  // namespace clarke
