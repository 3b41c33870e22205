#pragma once
// r = 1 in the papers' force units (C against λ, v against λ): in impulse units r_n = 1/h², r_f = 1/h [1/kg].
// The baseline of the comparison: ignores mass and step, and seldom converges.

#include "ncp/r_factors/r_factor.hpp"

namespace clarke {

struct Identity {
  static constexpr const char* kName = "identity";
  KOKKOS_INLINE_FUNCTION RFactorValue operator()(double, double, double, double h) const {
    return {1 / (h * h), 1 / h};
  }
};

}  // namespace clarke
