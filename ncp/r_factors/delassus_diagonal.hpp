#pragma once
// r_n = W_nn, r_f = (W_11 + W_22)/2 [1/kg]: the inverse effective mass of the contact in each direction
// [Macklin et al. 2019; Macklin 2020]. With it a single contact under the minimum map converges in one step.

#include "ncp/r_factors/r_factor.hpp"

namespace clarke {

struct DelassusDiagonal {
  static constexpr const char* kName = "delassus_diagonal";
  KOKKOS_INLINE_FUNCTION RFactorValue operator()(double wnn, double w11, double w22, double) const {
    return {wnn, 0.5 * (w11 + w22)};
  }
};

}  // namespace clarke
