#pragma once
// Tangent map with the radius coupled to the normal multiplier: the exact semismooth Newton matrix of the projection,
// unsymmetric [docs/theory.md, eq. F3; Alart Curnier 1991].
//
//   as `disc_projection`, and in slip  row d:  B_dn = −r μ   (∂R/∂Λ_n = μ for Λ_n > 0)
//   section                    rows d, t:  B_dn = −r μ d·∂π/∂R,  B_tn = −r μ t·∂π/∂R       [eq. F5]
//
// Solves more hard problems than `disc_projection`; needs an unsymmetric linear solver (gmres, LU).

#include "ncp/friction_maps/disc_projection.hpp"

namespace clarke {

struct DiscProjectionCoupled {
  static constexpr const char* kName = "disc_projection_coupled";
  static constexpr bool kSymmetric = false;
  static constexpr bool kNeedsNcp = false;

  KOKKOS_INLINE_FUNCTION FrictionRows operator()(const FrictionArguments& x) const {
    FrictionRows rows = DiscProjection{}(x);
    const bool slip = rows.a_d == 0 && x.radius > 0;
    if (slip) rows.b_dn = -x.r * x.mu;
    return rows;
  }

  KOKKOS_INLINE_FUNCTION FrictionRows operator()(const FrictionArguments& x, const FrictionSection& section) const {
    FrictionRows rows = DiscProjection{}(x, section);
    if (rows.a_d != 0 || !(x.radius > 0)) return rows;
    const double p1 = x.l1 - x.v1 / x.r, p2 = x.l2 - x.v2 / x.r;
    double g1, g2;
    section_growth(section, project_on_section(section, p1, p2, x.radius), p1, p2, x.radius, g1, g2);
    rows.b_dn = -x.r * x.mu * (rows.cos * g1 + rows.sin * g2);
    rows.b_tn = -x.r * x.mu * (rows.cos * g2 - rows.sin * g1);
    return rows;
  }
};

}  // namespace clarke
