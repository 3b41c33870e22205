#pragma once
// Tangent map: semismooth Newton on Λ_f = Π_R(Λ_f − v_t/r) with the radius lagged in the Jacobian, symmetric
// [docs/theory.md, eq. F2].
//
//   p = Λ_f − v_t/r,   F_f = r (Λ_f − Π_R(p)),   R = μ max(Λ_n, 0)
//   stick |p| ≤ R      F_f = v_t                          A = 1, B = 0
//   slip  |p| > R      F_f = r (Λ_f − R d), d = p/|p|     row d: A = 0, B = r      the impulse is pinned to the cone
//                                                         row t: A = R/|p|, B = r (1 − R/|p|)
//   section            the same with π(p, R) of the section: d its normal at π, and e in place of R/|p|       [eq. F5]
//
// Limit: the dropped coupling ∂R/∂Λ_n = μ can cost convergence at large μ (see disc_projection_coupled).

#include "ncp/friction_maps/friction_map.hpp"

namespace clarke {

struct DiscProjection {
  static constexpr const char* kName = "disc_projection";
  static constexpr bool kSymmetric = true;
  static constexpr bool kNeedsNcp = false;

  KOKKOS_INLINE_FUNCTION FrictionRows operator()(const FrictionArguments& x) const {
    const double p1 = x.l1 - x.v1 / x.r, p2 = x.l2 - x.v2 / x.r;
    const double p = hypotenuse(p1, p2);
    // Below this ratio the disc is a point to rounding, and the row t would have no slope.
    constexpr double kPointDisc = 1e-14;
    if (x.radius <= kPointDisc * p || x.radius <= 0) return friction_rows_off(x);
    if (p <= x.radius) return {x.v1, x.v2, 1, 0, 1, 0, 1, 0, 0, 0};
    const double c = p1 / p, s = p2 / p, ratio = x.radius / p;
    return {x.r * (x.l1 - x.radius * c), x.r * (x.l2 - x.radius * s), c, s, 0, x.r, ratio, x.r * (1 - ratio), 0, 0};
  }

  KOKKOS_INLINE_FUNCTION FrictionRows operator()(const FrictionArguments& x, const FrictionSection& section) const {
    const double p1 = x.l1 - x.v1 / x.r, p2 = x.l2 - x.v2 / x.r;
    constexpr double kPointSection = 1e-14;
    if (x.radius <= kPointSection * hypotenuse(p1, p2) || x.radius <= 0) return friction_rows_off(x);
    const SectionPoint at = project_on_section(section, p1, p2, x.radius);
    if (at.inside) return {x.v1, x.v2, 1, 0, 1, 0, 1, 0, 0, 0};
    return {x.r * (x.l1 - at.x), x.r * (x.l2 - at.y), at.nx, at.ny, 0, x.r, at.e, x.r * (1 - at.e), 0, 0};
  }
};

}  // namespace clarke
