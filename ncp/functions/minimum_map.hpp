#pragma once
// Minimum map: φ(a, b) = min(a, b)   [Pang 1990; docs/theory.md, eq. P1].
//
//   active    a ≤ b    φ = a,  (∂a, ∂b) = (1, 0)          inactive   a > b    φ = b,  (∂a, ∂b) = (0, 1)
//
// At the corner -ncp_corner inactive gives (0, 1); active and symmetric give (1, 0), as the gradient has no other
// point. Piecewise linear: finite termination on a fixed active set, but truncated linear solves make sets chatter.

#include "ncp/functions/ncp_function.hpp"

namespace clarke {

struct MinimumMap {
  static constexpr const char* kName = "minimum_map";
  NcpCorner corner{};

  template <class T>
  KOKKOS_INLINE_FUNCTION NcpValue<T> operator()(T a, T b) const {
    using std::fabs;
    if (fabs(a) <= T(corner.radius) && fabs(b) <= T(corner.radius)) {
      const T value = a < b ? a : b;
      if (corner.da >= corner.db) return {value, T(1), T(0)};
      return {value, T(0), T(1)};
    }
    return a <= b ? NcpValue<T>{a, T(1), T(0)} : NcpValue<T>{b, T(0), T(1)};
  }
};

}  // namespace clarke
