#pragma once
// The three-dimensional cone over a friction section, for those who treat normal and friction impulse as one vector
// [docs/theory.md, eq. F5].
//
//   K = {(Λ_n, Λ_f): Λ_f ∈ μ Λ_n C},     K* = {(y_n, y_f): y_n ≥ μ σ_C(−y_f)},     polar cone −K*
//   Π_K(p):  t = Λ_n of the nearest point solves   f(t) = t − p_n − μ (q − π)·π/R = 0,   q = p_f, R = μ t, π = π(q, R)
//   f rises, f' = 1 + μ² (|π|² − e (τ·π)²)/R² ≥ 1;
//   f ≤ 0 at max(0, p_n) and f ≥ 0 where q is in R C: Newton's steps in a bracket
//   ∂Π_K/∂p = ê êᵀ + k τ₃ τ₃ᵀ,    ê along the cone (1, π/t), τ₃ in its boundary across ê
//   k = e s²/(e s² + 1 − e),       s the sine between τ and ê, e the section's own (friction_section.hpp)
//
// With the disc s = 1, k = e = R/|q|: the second-order cone. At a corner of the section k = 0, on an edge k = 1.

#include "framework/math/vec3.hpp"
#include "framework/sets/friction_section.hpp"

namespace clarke {

/// σ_C(−v): what friction takes from a slip velocity v, over μ Λ_n [m/s]. Without a section that of the disc.
KOKKOS_INLINE_FUNCTION double unit_dissipation(const FrictionSection* section, double v1, double v2) {
  return section ? section_support(*section, -v1, -v2) : hypotenuse(v1, v2);
}

/// Its gradient; 0, a subgradient, at v = 0.
KOKKOS_INLINE_FUNCTION void unit_dissipation_gradient(const FrictionSection* section, double v1, double v2, double& g1,
                                                      double& g2) {
  g1 = g2 = 0;
  const double speed = hypotenuse(v1, v2);
  if (!(speed > 0)) return;
  if (!section) {
    g1 = v1 / speed;
    g2 = v2 / speed;
    return;
  }
  section_maximiser(*section, -v1, -v2, g1, g2);
  g1 = -g1;
  g2 = -g2;
}

/// Π_K(p), and its derivative, row-major, where P is given.
KOKKOS_INLINE_FUNCTION Vec3 project_on_section_cone(const FrictionSection& c, double mu, const Vec3& p,
                                                    double* P = nullptr) {
  if (P)
    for (int e = 0; e < 9; ++e) P[e] = 0;
  if (std::isnan(p.x + p.y + p.z)) return p;  // every comparison below would be false, and bisection ends anywhere
  if (p.x + mu * section_support(c, p.y, p.z) <= 0) return {};
  const double most = section_gauge(c, p.y, p.z) / mu;
  if (most <= p.x) {
    if (P) P[0] = P[4] = P[8] = 1;
    return p;
  }
  double low = p.x > 0 ? p.x : 0, high = most, t = low > 0 ? low : 0.5 * high;
  SectionPoint at{};
  constexpr int kMost = 100;  // bisections that double precision can need; Newton's steps take ten
  constexpr double kRounding = 4e-16;
  for (int n = 0; n < kMost; ++n) {
    const double R = mu * t;
    at = project_on_section(c, p.y, p.z, R);
    const double pull = mu * ((p.y - at.x) * at.x + (p.z - at.y) * at.y) / R, f = t - p.x - pull;
    if (std::fabs(f) <= kRounding * (t + std::fabs(p.x) + std::fabs(pull))) break;
    (f > 0 ? high : low) = t;
    if (high - low <= kRounding * high) break;
    const double along = at.nx * at.y - at.ny * at.x;  // τ·π
    const double next = t - f / (1 + (at.x * at.x + at.y * at.y - at.e * along * along) / (t * t));
    t = next > low && next < high ? next : 0.5 * (low + high);
  }
  if (!P) return {t, at.x, at.y};
  const Vec3 along{1, at.x / t, at.y / t}, across{0, -at.ny, at.nx};
  const Vec3 ruling = normalized(along);
  const double cosine = dot(across, ruling), sine2 = 1 - cosine * cosine;
  const Vec3 side = normalized(across - cosine * ruling);
  const double k = at.e * sine2 / (at.e * sine2 + 1 - at.e);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) P[3 * i + j] = ruling[i] * ruling[j] + k * side[i] * side[j];
  return {t, at.x, at.y};
}

}  // namespace clarke
