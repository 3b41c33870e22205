#pragma once
// Fischer-Burmeister: φ(a, b) = a + b − √(a² + b²)   [Fischer 1992; docs/theory.md, eq. P2].
//
//   (∂a, ∂b) = (1 − a/n, 1 − b/n),  n = √(a² + b²)
//   at the corner a = b = 0 any point of the disc around (1, 1): an option.
//
// Written without cancellation: φ = 2ab/(a + b + n) for a + b > 0, 1 − a/n = b²/(n (n + a)) for a > 0.
// Smooth away from the corner, so truncated linear solves do it little harm (docs/theory.md, "Which NCP function").

#include "framework/math/hypotenuse.hpp"
#include "ncp/functions/ncp_function.hpp"

namespace clarke {

struct FischerBurmeister {
  static constexpr const char* kName = "fischer_burmeister";
  NcpCorner corner{};

  template <class T>
  KOKKOS_INLINE_FUNCTION NcpValue<T> operator()(T a, T b) const {
    const T n = hypotenuse(a, b);
    const T value = a + b > T(0) ? T(2) * a * b / (a + b + n) : a + b - n;
    if (n <= T(corner.radius)) return {value, T(corner.da), T(corner.db)};
    const T da = a > T(0) ? (b / n) * (b / (n + a)) : T(1) - a / n;
    const T db = b > T(0) ? (a / n) * (a / (n + b)) : T(1) - b / n;
    return {value, da, db};
  }
};

}  // namespace clarke
