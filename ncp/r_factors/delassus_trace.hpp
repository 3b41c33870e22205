#pragma once
// r_n = r_f = tr W / 3 [1/kg] of the contact's 3×3 Delassus block: one factor for the whole contact, as a law on the
// second-order cone wants it.

#include "ncp/r_factors/r_factor.hpp"

namespace clarke {

struct DelassusTrace {
  static constexpr const char* kName = "delassus_trace";
  KOKKOS_INLINE_FUNCTION RFactorValue operator()(double wnn, double w11, double w22, double) const {
    const double r = (wnn + w11 + w22) / 3;
    return {r, r};
  }
};

}  // namespace clarke
