#pragma once
// r = h² in force units, r_n = r_f = 1 [1/kg] in impulse units: right for bodies of about a kilogram
// [Macklin et al. 2019].

#include "ncp/r_factors/r_factor.hpp"

namespace clarke {

struct DtSquared {
  static constexpr const char* kName = "dt_squared";
  KOKKOS_INLINE_FUNCTION RFactorValue operator()(double, double, double, double) const { return {1, 1}; }
};

}  // namespace clarke
