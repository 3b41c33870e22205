#pragma once
// The resolvent of Coulomb's law: what one proximal step makes of the impulse of a contact [docs/theory.md, eq. D5].
//
//   p obeys Coulomb's law at the velocity  ṽ = v + c (p − r),  in the metric c = (c_n, c_t, c_t):
//     p_n = max(z_n, 0),   p_t = Π_{R C}(z_t),   R = μ p_n,   z = r − v/c
//   r [N s], v [m/s], c [1/kg], all > 0;  C the disc, or the section of the cone (friction_section.hpp)
//   D = ∂p/∂z:   D_nn = 1,  D_tn = μ ∂Π/∂R,  D_tt = ∂Π/∂z_t = (R 1 − R ẑ ẑᵀ)/|z_t| where a disc slides, ẑ = z_t/|z_t|
//   tangent      D with  (R 1 − sym(q ẑᵀ))/|z_t|,  q an estimate of p_t in the disc of radius R; sym(X) = ½ (X + Xᵀ)
//
// It is what a contact with the compliance c and the rest impulse r has for a law, closed and exact: sticking contacts
// have D = 1, so what is unsymmetric is the friction of those that slide. p = r means ṽ = v: Coulomb's law itself.
//
// Why the tangent: R z_t/|z_t| turns with z_t, and Newton's iteration on a direction converges only from within its
// size. With p_t as an unknown of its own, |z_t| p_t = R z_t is bilinear, and its linearisation has q, the friction of
// the last iterate, for R ẑ [Chan Golub Mulet 1999; Hüeber Stadler Wohlmuth 2008]. D_tt stays positive semidefinite
// since |q| ≤ R, and is the derivative where q = p_t.

#include "framework/sets/admissible_set.hpp"

namespace clarke {

/// Whether resolvent() has this set.
KOKKOS_INLINE_FUNCTION bool has_resolvent(const AdmissibleSet& set) {
  return set.kind == SetKind::cone && set.friction > 0;
}

/// p, three numbers, and the tangent, nine of them, row-major; q: two numbers. Of a section D is the derivative.
KOKKOS_INLINE_FUNCTION void resolvent(const AdmissibleSet& set, const double* r, const double* v, const double* c,
                                      const double* q, double* p, double* D) {
  const double z0 = r[0] - v[0] / c[0], z1 = r[1] - v[1] / c[1], z2 = r[2] - v[2] / c[2];
  for (int e = 0; e < 9; ++e) D[e] = 0;
  p[0] = z0 <= 0 ? 0 : z0;  // NaN stays
  p[1] = p[2] = 0;
  if (!(z0 > 0)) return;
  D[0] = 1;
  const double mu = set.friction, radius = mu * z0;
  if (set.section) {
    const SectionPoint at = project_on_section(*set.section, z1, z2, radius);
    const double tangent[2] = {-at.ny, at.nx};
    double growth[2] = {0, 0};
    section_growth(*set.section, at, z1, z2, radius, growth[0], growth[1]);
    p[1] = at.x, p[2] = at.y;
    for (int i = 0; i < 2; ++i) {
      D[3 * (i + 1)] = mu * growth[i];
      for (int j = 0; j < 2; ++j) D[3 * (i + 1) + j + 1] = at.inside ? i == j : at.e * tangent[i] * tangent[j];
    }
    return;
  }
  const double t = hypotenuse(z1, z2);
  if (t <= radius) {
    p[1] = z1, p[2] = z2;
    D[4] = D[8] = 1;
    return;
  }
  const double x = z1 / t, y = z2 / t, size = hypotenuse(q[0], q[1]), scale = size > radius ? radius / size : 1.0;
  const double a = scale * q[0], b = scale * q[1];
  p[1] = radius * x, p[2] = radius * y;
  D[3] = mu * x, D[6] = mu * y;
  D[4] = (radius - a * x) / t, D[8] = (radius - b * y) / t;
  D[5] = D[7] = -0.5 * (a * y + b * x) / t;
}

/// Twice what the contact adds to a potential whose gradient in v is −p where R is held: |p|² of the normal row, and
/// |z_t|² − dist²(z_t, R C), in c [J]. p as resolvent() found it at R of its own.
KOKKOS_INLINE_FUNCTION double resolvent_envelope(const AdmissibleSet& set, const double* r, const double* v,
                                                 const double* c, double radius, double normal) {
  const double z1 = r[1] - v[1] / c[1], z2 = r[2] - v[2] / c[2];
  double p1 = z1, p2 = z2;
  if (set.section) {
    const SectionPoint at = project_on_section(*set.section, z1, z2, radius);
    p1 = at.x, p2 = at.y;
  } else {
    project_on_disc(p1, p2, radius);
  }
  const double away = (z1 - p1) * (z1 - p1) + (z2 - p2) * (z2 - p2);
  return c[0] * normal * normal + c[1] * (z1 * z1 + z2 * z2 - away);
}

}  // namespace clarke
