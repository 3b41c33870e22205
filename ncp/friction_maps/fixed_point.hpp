#pragma once
// The papers' fixed point: friction as a lagged compliance W [Macklin et al. 2019, eq. 31; docs/theory.md, eq. F1].
//
//   F_f = v_t + W Λ_f,   W = (|v_t| − φ)/(|Λ_f| + φ/r),   φ = NCP(|v_t|, r (R − |Λ_f|)),   R = μ max(Λ_n, 0)
//   Jacobian, W lagged:  A = 1, B = W      symmetric
//
// Safeguards (needed for |Λ_f| > 2R): numerator ≥ 0, denominator ≥ k R with k = -fixed_point_denominator_min, counted.
// Limit: with several contacts per body it stalls near the cone (docs/theory.md, "Which friction map").

#include "ncp/friction_maps/friction_map.hpp"

namespace clarke {

struct FixedPoint {
  static constexpr const char* kName = "fixed_point";
  static constexpr bool kSymmetric = true;
  static constexpr bool kNeedsNcp = true;
  static constexpr const char* kSafeguard = "fixed_point_denominator_min";

  KOKKOS_INLINE_FUNCTION FrictionRows operator()(const FrictionArguments& x) const {
    if (x.radius <= 0) return friction_rows_off(x);
    const double v = hypotenuse(x.v1, x.v2), l = hypotenuse(x.l1, x.l2);
    double numerator = v - x.phi, denominator = l + x.phi / x.r;
    int clamped = 0;
    if (numerator < 0) numerator = 0;  // rounding only: φ ≤ |v| for every NCP function here
    if (denominator < x.denominator_min * x.radius) {
      denominator = x.denominator_min * x.radius;
      clamped = 1;
    }
    const double w = numerator / denominator;
    return {x.v1 + w * x.l1, x.v2 + w * x.l2, 1, 0, 1, w, 1, w, 0, clamped};
  }
};

}  // namespace clarke
