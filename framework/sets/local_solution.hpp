#pragma once
// One item by itself: its impulse for a small block W, other items held still [docs/theory.md, eq. D1].
//
//   given W = J_i H⁻¹ J_iᵀ + E (m × m) [1/kg], v(Λ⁰) [m/s]:   v = v(Λ⁰) + W (Λ − Λ⁰),   −v − s(v) n ∈ N_K(Λ)
//   Λ ← Λ⁰ + ω (Λ − Λ⁰), back onto K
//
//   all of Rᵐ   Λ − Λ⁰ = −W⁻¹ v(Λ⁰)            W is inverted once, by prepare_local(); a singular one goes row by row
//   box         row by row, once: Λ_r ← clip(Λ_r − v_r/W_rr)
//   disc        row 0 as in a box; rows 1 and 2 by one projection with tr W_tt, which never overshoots
//   cone        exactly (local_contact.hpp); over a section by projections in turn
//
// Limits: W of a cone is made symmetric; |Λ − Λ⁰| of a box is one sweep over its rows, not the solution of its LCP.

#include "framework/math/small_solve.hpp"
#include "framework/sets/admissible_set.hpp"
#include "framework/sets/local_contact.hpp"

namespace clarke {

/// Makes W ready for solve_local(). Returns whether it holds its inverse now.
KOKKOS_INLINE_FUNCTION bool prepare_local(const AdmissibleSet& set, double* W) {
  const int m = set.rows;
  if (set.kind == SetKind::cone) {
    for (int r = 1; r < m; ++r)
      for (int e = 0; e < r; ++e) W[r * m + e] = W[e * m + r] = 0.5 * (W[r * m + e] + W[e * m + r]);
    return false;
  }
  if (!is_whole_space(set)) return false;
  double inverse[kMaxItemRows * kMaxItemRows];
  for (int e = 0; e < m * m; ++e) inverse[e] = W[e];
  if (!invert_small(inverse, m)) return false;  // dependent rows
  for (int e = 0; e < m * m; ++e) W[e] = inverse[e];
  return true;
}

namespace local {

/// v of row r after the changes made so far.
KOKKOS_INLINE_FUNCTION double velocity_now(int m, const double* W, const double* v, const double* change, int r) {
  double sum = v[r];
  for (int e = 0; e < m; ++e) sum += W[r * m + e] * change[e];
  return sum;
}

KOKKOS_INLINE_FUNCTION void solve_cone(const AdmissibleSet& set, const double* W, const double* v, const double* old,
                                       double relaxation, double* change) {
  const Mat3 w{{W[0], W[1], W[2]}, {W[3], W[4], W[5]}, {W[6], W[7], W[8]}};
  const Vec3 before{old[0], old[1], old[2]}, q = Vec3{v[0], v[1], v[2]} - w * before;
  Vec3 now = set.section ? solve_local_section(w, q, set.friction, *set.section, before).impulse
                         : solve_local_contact(w, q, set.friction, before).impulse;
  if (relaxation != 1) {
    now = before + relaxation * (now - before);
    if (now.x < 0) now = Vec3{};  // over-relaxation may leave the cone
    const double radius = set.friction * now.x;
    if (set.section) {
      const SectionPoint at = project_on_section(*set.section, now.y, now.z, radius);
      now.y = at.x, now.z = at.y;
    } else {
      project_on_disc(now.y, now.z, radius);
    }
  }
  for (int r = 0; r < 3; ++r) change[r] = now[r] - old[r];
}

}  // namespace local

/// The change of Λ of one item. `inverted`: what prepare_local() returned. Returns how large the change is as a
/// velocity, W_rr |ΔΛ_r| at most over the rows; of an inverted block |v_r|.
KOKKOS_INLINE_FUNCTION double solve_local(const AdmissibleSet& set, const double* W, bool inverted, const double* v,
                                          const double* old, double relaxation, double* change) {
  const int m = set.rows;
  double largest = 0;
  if (inverted) {
    for (int r = 0; r < m; ++r) {
      double sum = 0;
      for (int e = 0; e < m; ++e) sum -= W[r * m + e] * v[e];
      change[r] = relaxation * sum;
      largest = std::fmax(largest, std::fabs(v[r]));
    }
    return largest;
  }
  for (int r = 0; r < m; ++r) change[r] = 0;
  if (set.kind == SetKind::cone) {
    local::solve_cone(set, W, v, old, relaxation, change);
  } else {
    const int single = set.kind == SetKind::disc ? 1 : m;
    for (int r = 0; r < single; ++r) {
      const double w = W[(m + 1) * r];
      if (!(w > 0)) continue;
      double now = old[r] - relaxation * local::velocity_now(m, W, v, change, r) / w;
      if (set.lower && now < set.lower[r]) now = set.lower[r];
      if (set.lower && now > set.upper[r]) now = set.upper[r];
      change[r] = now - old[r];
    }
    if (const double w = set.kind == SetKind::disc ? W[4] + W[8] : 0; w > 0) {
      double p1 = old[1] - relaxation * local::velocity_now(m, W, v, change, 1) / w,
             p2 = old[2] - relaxation * local::velocity_now(m, W, v, change, 2) / w;
      project_on_disc(p1, p2, set.upper[1]);
      change[1] = p1 - old[1];
      change[2] = p2 - old[2];
      return std::fmax(W[0] * std::fabs(change[0]), w * std::fmax(std::fabs(change[1]), std::fabs(change[2])));
    }
  }
  for (int r = 0; r < m; ++r) largest = std::fmax(largest, W[(m + 1) * r] * std::fabs(change[r]));
  return largest;
}

}  // namespace clarke
