#pragma once
// Tangent map with the radius coupled to the normal multiplier: the exact semismooth Newton matrix of the projection,
// unsymmetric [docs/theory.md, eq. F3; Alart Curnier 1991].
//
//   as `tangent`, and in slip  row d:  B_dn = −r μ   (∂R/∂Λ_n = μ for Λ_n > 0)
//
// Solves more hard problems than `tangent`; needs an unsymmetric linear solver (gmres, LU).

#include "ncp/friction_maps/tangent.hpp"

namespace clarke {

struct TangentCoupled {
  static constexpr const char* kName = "tangent_coupled";
  static constexpr bool kSymmetric = false;
  static constexpr bool kNeedsNcp = false;

  KOKKOS_INLINE_FUNCTION FrictionRows operator()(const FrictionArguments& x) const {
    FrictionRows rows = Tangent{}(x);
    const bool slip = rows.a_d == 0 && x.radius > 0;
    if (slip) rows.b_dn = -x.r * x.mu;
    return rows;
  }
};

}  // namespace clarke
