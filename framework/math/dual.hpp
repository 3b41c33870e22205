#pragma once
// Dual numbers v + d ε with ε² = 0: a function of duals returns its value and, exactly, its derivative along the
// direction its arguments carry. Gives second derivatives of constraints from their written-out Jacobians
// [docs/theory.md, eq. G2].

#include <Kokkos_Macros.hpp>

#include <cmath>

namespace clarke {

struct Dual {
  double v = 0, d = 0;

  KOKKOS_INLINE_FUNCTION constexpr Dual() = default;
  KOKKOS_INLINE_FUNCTION constexpr Dual(double value, double derivative = 0) : v(value), d(derivative) {}

  KOKKOS_INLINE_FUNCTION constexpr Dual& operator+=(Dual b) {
    v += b.v, d += b.d;
    return *this;
  }
  KOKKOS_INLINE_FUNCTION constexpr Dual& operator-=(Dual b) {
    v -= b.v, d -= b.d;
    return *this;
  }
  KOKKOS_INLINE_FUNCTION constexpr Dual& operator*=(Dual b) {
    d = d * b.v + v * b.d, v *= b.v;
    return *this;
  }
};

KOKKOS_INLINE_FUNCTION constexpr Dual operator+(Dual a, Dual b) { return a += b; }
KOKKOS_INLINE_FUNCTION constexpr Dual operator-(Dual a, Dual b) { return a -= b; }
KOKKOS_INLINE_FUNCTION constexpr Dual operator-(Dual a) { return {-a.v, -a.d}; }
KOKKOS_INLINE_FUNCTION constexpr Dual operator*(Dual a, Dual b) { return a *= b; }
KOKKOS_INLINE_FUNCTION constexpr Dual operator/(Dual a, Dual b) { return {a.v / b.v, (a.d - a.v / b.v * b.d) / b.v}; }
KOKKOS_INLINE_FUNCTION constexpr bool operator<(Dual a, Dual b) { return a.v < b.v; }
KOKKOS_INLINE_FUNCTION constexpr bool operator>(Dual a, Dual b) { return a.v > b.v; }
KOKKOS_INLINE_FUNCTION constexpr bool operator<=(Dual a, Dual b) { return a.v <= b.v; }
KOKKOS_INLINE_FUNCTION constexpr bool operator>=(Dual a, Dual b) { return a.v >= b.v; }

KOKKOS_INLINE_FUNCTION Dual sqrt(Dual a) {
  const double r = std::sqrt(a.v);
  return {r, r > 0 ? a.d / (2 * r) : 0.0};
}
KOKKOS_INLINE_FUNCTION Dual log(Dual a) { return {std::log(a.v), a.d / a.v}; }
KOKKOS_INLINE_FUNCTION Dual fabs(Dual a) { return a.v < 0 ? -a : a; }
KOKKOS_INLINE_FUNCTION Dual hypot(Dual a, Dual b) {
  const double n = std::hypot(a.v, b.v);
  return {n, n > 0 ? (a.v * a.d + b.v * b.d) / n : 0.0};
}
KOKKOS_INLINE_FUNCTION Dual atan2(Dual y, Dual x) {
  return {std::atan2(y.v, x.v), (x.v * y.d - y.v * x.d) / (x.v * x.v + y.v * y.v)};
}

/// The plain number in a scalar of either kind.
KOKKOS_INLINE_FUNCTION constexpr double value_of(double a) { return a; }
KOKKOS_INLINE_FUNCTION constexpr double value_of(Dual a) { return a.v; }

}  // namespace clarke
