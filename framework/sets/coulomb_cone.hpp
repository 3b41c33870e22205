#pragma once
// Coulomb's cone and its disc: projections, their regions and generalised derivatives [docs/theory.md, eqs. F5, S2].
//
//   K = {(n, t): |t| ≤ μ n},   p = (p_n, p_t)                                     Π_K(p)
//   polar      μ |p_t| ≤ −p_n           0                    (tested first: with μ = 0 the next holds for −n too)
//   inside     |p_t| ≤ μ p_n            p
//   boundary   else                     n (1, μ d),   n = (p_n + μ |p_t|)/(1 + μ²),   d = p_t/|p_t|
//   ∂Π_K/∂p    0;   1;   e eᵀ/(1 + μ²) + (μ n/|p_t|) (1_t − d dᵀ),   e = (1, μ d)
// Over a section (friction_section.hpp) the cone is that of section_cone.hpp.

#include "framework/math/hypotenuse.hpp"
#include "framework/sets/section_cone.hpp"

namespace clarke {

enum class ConeRegion { polar, inside, boundary };

/// The projection where it is on the boundary, t = |p_t|.
KOKKOS_INLINE_FUNCTION Vec3 project_on_cone_boundary(const Vec3& p, double mu, double t) {
  const double n = (p.x + mu * t) / (1 + mu * mu);
  const double s = t > 0 ? mu * n / t : 0;
  return {n, s * p.y, s * p.z};
}

/// Projection of (n, t1, t2) onto the Coulomb cone K = {|t| ≤ μ n}.
KOKKOS_INLINE_FUNCTION Vec3 project_on_cone(const Vec3& p, double mu) {
  const double t = hypotenuse(p.y, p.z);
  if (mu * t <= -p.x) return {};  // first: with μ = 0 the other test holds for −n too
  if (t <= mu * p.x) return p;
  return project_on_cone_boundary(p, mu, t);
}

/// Projection of (t1, t2) onto the disc of radius R ≥ 0.
KOKKOS_INLINE_FUNCTION void project_on_disc(double& t1, double& t2, double radius) {
  const double t = hypotenuse(t1, t2);
  if (t <= radius) return;
  t1 *= radius / t;
  t2 *= radius / t;
}

struct ConeProjection {
  Vec3 point;
  ConeRegion region;
};

/// Π_K(p), its region, and ∂Π_K/∂p (3 × 3, row-major) where P is given. `section`: null for the disc.
KOKKOS_INLINE_FUNCTION ConeProjection cone_projection(const FrictionSection* section, double mu, const Vec3& p,
                                                      double* P = nullptr) {
  if (P)
    for (int e = 0; e < 9; ++e) P[e] = 0;
  if (section && mu > 0) {
    double Q[9];
    const Vec3 at = project_on_section_cone(*section, mu, p, Q);
    const bool inside = Q[0] == 1 && Q[4] == 1 && Q[8] == 1;
    const bool polar = Q[0] == 0 && Q[4] == 0 && Q[8] == 0;
    if (P)
      for (int e = 0; e < 9; ++e) P[e] = Q[e];
    return {at, inside ? ConeRegion::inside : polar ? ConeRegion::polar : ConeRegion::boundary};
  }
  const double t = hypotenuse(p.y, p.z);
  if (mu * t <= -p.x) return {{}, ConeRegion::polar};
  if (t <= mu * p.x) {
    if (P) P[0] = P[4] = P[8] = 1;
    return {p, ConeRegion::inside};
  }
  const Vec3 at = project_on_cone_boundary(p, mu, t);
  if (P && t > 0) {
    const double k = 1 / (1 + mu * mu), across = mu * at.x / t;
    const Vec3 d{0, p.y / t, p.z / t}, e{1, mu * d.y, mu * d.z};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        P[3 * i + j] = k * e[i] * e[j];
        if (i > 0 && j > 0) P[3 * i + j] += across * ((i == j ? 1 : 0) - d[i] * d[j]);
      }
  }
  return {at, ConeRegion::boundary};
}

}  // namespace clarke
