#pragma once
// Smooth friction: a force against the slip that is a function of it, and no set [docs/theory.md, eq. F10]:
//
//   F = −λ μ k(v) w,   k(v) = m(v) s(v)/v [s/m],   v = |w|         w the slip [m/s], λ the normal force [N]
//   s/v = (2 − v/ε)/ε for v < ε, else 1/v                          s from 0 to 1, with a continuous slope
//
// s/v is written as it stands, so nothing is divided by v = 0: k(0) = 2 m(0)/ε, and the derivative exists there.
// What rests under a tangential load f < λ μ creeps at ε (1 − √(1 − f/λμ)): a property of the law.
// Source: Larionov Longva Ascher Bender Pai 2021, eqs. 7 and 8.

#include <Kokkos_Macros.hpp>

#include <string>
#include <vector>

namespace clarke {

/// A function of v and its slope.
struct FrictionWeight {
  double value, slope;
};

/// s/v in any scalar.
template <class T>
KOKKOS_INLINE_FUNCTION T smooth_direction_of(T v, double epsilon) {
  return v < T(epsilon) ? (T(2) - v / T(epsilon)) / T(epsilon) : T(1) / v;
}

/// s/v and its slope.
KOKKOS_INLINE_FUNCTION FrictionWeight smooth_direction(double v, double epsilon) {
  return {smooth_direction_of(v, epsilon), v < epsilon ? -1 / (epsilon * epsilon) : -1 / (v * v)};
}

/// k of m, both with their slopes.
KOKKOS_INLINE_FUNCTION FrictionWeight smooth_weight(double v, double epsilon, const FrictionWeight& m) {
  const FrictionWeight s = smooth_direction(v, epsilon);
  return {m.value * s.value, m.slope * s.value + m.value * s.slope};
}

enum class SmoothFriction { coulomb_smooth, stribeck_smooth };

inline const std::vector<std::string>& smooth_friction_names() {
  static const std::vector<std::string> names{"coulomb_smooth", "stribeck_smooth"};
  return names;
}

}  // namespace clarke
