#pragma once
// The admissible set K of the impulses Λ of one item, and all that strategies, laws and the judge ask of it.
//
//   the law of every row           −v − s(v) n ∈ N_K(Λ)   ⇔   Λ = Π_K(Λ − (v + s n)/w) for any w > 0   [eq. A1]
//   v  velocity of the rows [m/s, rad/s], compliance included;  s = μ σ(−v_t) De Saxcé's term of a cone, else 0
//
//   box    Λ_r ∈ [l_r, u_r]:                         joints (l = −∞, u = ∞: a bilateral row), limits, ropes, drives,
//                                                    dry friction of joints, elements of soft bodies and cloth
//   disc   Λ_0 ∈ [l_0, u_0], |(Λ_1, Λ_2)| ≤ u_1:      rolling and torsional resistance; u is set by the contact's Λ_n
//   cone   |Λ_f| ≤ μ Λ_n, or Λ_f ∈ μ Λ_n C:           a whole contact
//
//   projection      Π_K(p), nearest in Σ w_r (x_r − p_r)², w_t = k w_n for the rows that a set couples
//   derivative      P ∈ ∂Π_K(p), positive semi-definite in that metric
//   distance        ½ |p − Π_K(p)|²: value, slope p − Π_K(p), curvature 1 − P
//   natural map     f = w (Λ − Π_K(Λ − (v + s n)/w))  [m/s], w(set_metric); zero exactly where the law holds
// The local solution for a small block W is in local_solution.hpp.
//
// Pure functions of one item, on host and device: no strategy asks what kind a row is.
// Limits: sets of up to kMaxItemRows rows; the derivative is an element of the generalised Jacobian where Π_K has a
// kink. Sources: [Rockafellar 1976; De Saxcé Feng 1998; Acary Brémond Huber 2018].

#include "framework/sets/coulomb_cone.hpp"

#include <cmath>

namespace clarke {

enum class SetKind : int { box, disc, cone };

/// Bounds beyond this are none.
inline constexpr double kNoBound = 1e300;

struct AdmissibleSet {
  SetKind kind = SetKind::box;
  int rows = 0;
  const double *lower = nullptr, *upper = nullptr;  // box and disc: bounds of Λ, a number per row [N s]; null: none
  double friction = 0;                              // cone: μ
  const FrictionSection* section = nullptr;         // cone: C; null: the unit disc
};

/// All of Rᵐ: every row is bilateral.
KOKKOS_INLINE_FUNCTION bool is_whole_space(const AdmissibleSet& set) {
  if (set.kind != SetKind::box) return false;
  if (!set.lower) return true;
  for (int r = 0; r < set.rows; ++r)
    if (set.lower[r] > -kNoBound || set.upper[r] < kNoBound) return false;
  return true;
}

/// Rows with bounds of their own; those behind them are bounded together, or not at all.
KOKKOS_INLINE_FUNCTION int rows_alone(const AdmissibleSet& set) {
  return set.kind == SetKind::disc ? 1 : set.kind == SetKind::box && set.lower ? set.rows : 0;
}

/// w of the rows as the set can use it: rows that are bounded together share their mean.
KOKKOS_INLINE_FUNCTION void set_metric(const AdmissibleSet& set, double* w) {
  if (set.kind == SetKind::cone) {
    const double mean = (w[0] + w[1] + w[2]) / 3;
    w[0] = w[1] = w[2] = mean;
  } else if (set.kind == SetKind::disc) {
    w[1] = w[2] = 0.5 * (w[1] + w[2]);
  }
}

/// p within [l, u]; NaN stays NaN, which fmin and fmax would turn into a bound.
KOKKOS_INLINE_FUNCTION double project_on_interval(double p, double lower, double upper) {
  return p < lower ? lower : p > upper ? upper : p;
}

/// p ← Π_K(p)
KOKKOS_INLINE_FUNCTION void project(const AdmissibleSet& set, double* p) {
  if (set.kind == SetKind::cone) {
    const Vec3 at = cone_projection(set.section, set.friction, {p[0], p[1], p[2]}).point;
    p[0] = at.x;
    p[1] = at.y;
    p[2] = at.z;
    return;
  }
  const int single = rows_alone(set);
  for (int r = 0; r < single; ++r) p[r] = project_on_interval(p[r], set.lower[r], set.upper[r]);
  if (set.kind == SetKind::disc) project_on_disc(p[1], p[2], set.upper[1]);
}

/// P = ∂Π_K/∂p, rows × rows, row-major.
KOKKOS_INLINE_FUNCTION void projection_derivative(const AdmissibleSet& set, const double* p, double* P) {
  const int m = set.rows;
  if (set.kind == SetKind::cone) {
    (void)cone_projection(set.section, set.friction, {p[0], p[1], p[2]}, P);
    return;
  }
  for (int e = 0; e < m * m; ++e) P[e] = 0;
  const int single = rows_alone(set);
  for (int r = 0; r < m; ++r) P[(m + 1) * r] = 1;
  for (int r = 0; r < single; ++r) P[(m + 1) * r] = p[r] >= set.lower[r] && p[r] <= set.upper[r] ? 1 : 0;
  if (set.kind != SetKind::disc) return;
  const double size = hypotenuse(p[1], p[2]), radius = set.upper[1];
  const double keep = size > radius ? radius / size : 1, out = size > radius ? keep : 0;
  for (int i = 1; i < 3; ++i)
    for (int j = 1; j < 3; ++j) P[3 * i + j] = (i == j ? keep : 0) - (size > 0 ? out * p[i] * p[j] / (size * size) : 0);
}

/// ½ |p − Π_K(p)|², and its slope p − Π_K(p), m numbers. The curvature is 1 − projection_derivative().
KOKKOS_INLINE_FUNCTION double half_squared_distance(const AdmissibleSet& set, const double* p, double* slope) {
  double value = 0;
  for (int r = 0; r < set.rows; ++r) slope[r] = p[r];
  project(set, slope);
  for (int r = 0; r < set.rows; ++r) {
    slope[r] = p[r] - slope[r];
    value += 0.5 * slope[r] * slope[r];
  }
  return value;
}

/// s = μ σ_C(−v_t) of a cone, what De Saxcé adds to v_n so that friction becomes associated; else 0 [m/s].
KOKKOS_INLINE_FUNCTION double de_saxce_term(const AdmissibleSet& set, const double* v) {
  return set.kind == SetKind::cone ? set.friction * unit_dissipation(set.section, v[1], v[2]) : 0;
}

/// One row: the median of v, w (Λ − l), w (Λ − u). NaN in v or Λ is NaN.
KOKKOS_INLINE_FUNCTION double interval_natural_map(double v, double impulse, double lower, double upper, double w) {
  if (std::isnan(impulse)) return impulse;
  const double low = w * (impulse - lower), high = w * (impulse - upper);  // low ≥ high
  double f = v;
  if (f > low) f = low;
  if (f < high) f = high;
  return f;
}

/// f = w (Λ − Π_K(Λ − (v + s n)/w)) [m/s]; `w` after set_metric(). Inside a cone f = v + s n, without cancellation.
KOKKOS_INLINE_FUNCTION void natural_map(const AdmissibleSet& set, const double* v, const double* impulse,
                                        const double* w, double* f) {
  if (set.kind == SetKind::cone) {
    const Vec3 y{v[0] + de_saxce_term(set, v), v[1], v[2]}, l{impulse[0], impulse[1], impulse[2]};
    const ConeProjection at = cone_projection(set.section, set.friction, l - (1 / w[0]) * y);
    const Vec3 F = at.region == ConeRegion::inside ? y : w[0] * (l - at.point);
    f[0] = F.x, f[1] = F.y, f[2] = F.z;
    return;
  }
  for (int r = 0; r < set.rows; ++r) f[r] = v[r];
  const int single = rows_alone(set);
  for (int r = 0; r < single; ++r) f[r] = interval_natural_map(v[r], impulse[r], set.lower[r], set.upper[r], w[r]);
  if (set.kind != SetKind::disc) return;
  const double p1 = impulse[1] - v[1] / w[1], p2 = impulse[2] - v[2] / w[2];
  const double size = std::hypot(p1, p2), keep = size > set.upper[1] ? set.upper[1] / size : 1;
  f[1] = w[1] * (impulse[1] - keep * p1);
  f[2] = w[2] * (impulse[2] - keep * p2);
}

}  // namespace clarke
