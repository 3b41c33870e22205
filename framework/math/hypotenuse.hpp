#pragma once
// √(a² + b²) without the price of std::hypot, which guards every call against squares beyond the range of a double.
//
// Squares, sum and root round once each: within one unit in the last place, as std::hypot. Where a square could over-
// or underflow (the larger side below 1e-140 or above 1e140, or not a number) std::hypot is called.

#include <Kokkos_Macros.hpp>

#include <cmath>

namespace clarke {

KOKKOS_INLINE_FUNCTION double hypotenuse(double a, double b) {
  constexpr double kLeast = 1e-280, kMost = 1e280;
  const double square = a * a + b * b;
  return square > kLeast && square < kMost ? std::sqrt(square) : std::hypot(a, b);
}

/// Of a type with a hypot() of its own, as Dual.
template <class T>
KOKKOS_INLINE_FUNCTION T hypotenuse(const T& a, const T& b) {
  return hypot(a, b);
}

}  // namespace clarke
