#pragma once
// The truncated log barrier, d in (0, δ):
//
//   b = −κ (δ − d)² ln(d/δ),   λ = κ ((δ − d)²/d − 2 (δ − d) ln(d/δ)),
//   λ' = κ (2 ln(d/δ) − 4 (δ − d)/d − (δ − d)²/d²)
//
// Infinite where d ≤ 0: a contact that is closed by then has no force that a solver could follow, and a step of Newton
// that leads there has to be shortened. Source: Li et al. 2020 [docs/theory.md, eq. N9].

#include "physics/contact/penalties/contact_penalty.hpp"

#include <cmath>

namespace clarke {

/// λ in any scalar.
template <class T>
KOKKOS_INLINE_FUNCTION T log_barrier_force(T gap, double distance, double stiffness) {
  using std::log;
  const T x = T(distance) - gap;
  if (x <= T(0)) return T(0);
  if (!(gap > T(0))) return T(INFINITY);
  return T(stiffness) * (x * (x / gap) - T(2) * x * log(gap / T(distance)));
}

KOKKOS_INLINE_FUNCTION PenaltyValue log_barrier_penalty(double gap, double distance, double stiffness) {
  const double x = distance - gap;
  if (x <= 0) return {0, 0, 0};
  if (!(gap > 0)) return {INFINITY, INFINITY, -INFINITY};
  const double ln = std::log(gap / distance), r = x / gap;
  return {-stiffness * x * x * ln, log_barrier_force(gap, distance, stiffness), stiffness * (2 * ln - 4 * r - r * r)};
}

}  // namespace clarke
