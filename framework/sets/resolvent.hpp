#pragma once
// The resolvent of a contact with friction: what one proximal step makes of its impulse, De Saxcé's term inside
// [docs/theory.md, eq. D5].
//
//   p = Π_K(z),  z = r − (v + s n)/c,  s = μ |v_t|,    in the metric c = (c_n, k c_n, k c_n);   D = ∂Π_K(z)
//   r [N s], v [m/s], c [1/kg];  a disc of friction, μ > 0 and c > 0
//
// Where the contact slides, p_n = e/(1 + k μ²) with e = z_n + k μ |z_t|. In z both are as large as |v_t|/c, for a small
// c 10⁸ times an impulse, and cancel. Written out they have cancelled beforehand:
//   e = r_n − v_n/c_n + k μ (|r_t|² − 2 r_t·b)/(|r_t − b| + |b|),    b = v_t/c_t
// so that rounding of p goes with r and v_n/c, and c may be as small as it likes.
//
// Limits: cones over a section (section_cone.hpp) have no such form here; theirs is Π_K(z) as it stands.

#include "framework/sets/admissible_set.hpp"

namespace clarke {

/// Whether resolvent() has this set.
KOKKOS_INLINE_FUNCTION bool has_resolvent(const AdmissibleSet& set) {
  return set.kind == SetKind::cone && set.friction > 0 && !set.section;
}

/// p, three numbers, and D, nine of them, row-major.
KOKKOS_INLINE_FUNCTION void resolvent(const AdmissibleSet& set, const double* r, const double* v, const double* c,
                                      double* p, double* D) {
  const double mu = set.friction, k = c[1] / c[0], b1 = v[1] / c[1], b2 = v[2] / c[2];
  const double z[3] = {r[0] - (v[0] + de_saxce_term(set, v)) / c[0], r[1] - b1, r[2] - b2};
  const double t = hypotenuse(z[1], z[2]), sum = t + hypotenuse(b1, b2);
  const double across = sum == 0 ? 0 : (r[1] * (r[1] - 2 * b1) + r[2] * (r[2] - 2 * b2)) / sum;
  const double excess = r[0] - v[0] / c[0] + k * mu * across;
  projection_derivative(set, z, D, k);
  if (excess <= 0) {
    p[0] = p[1] = p[2] = 0;
  } else if (t <= mu * z[0]) {
    p[0] = z[0], p[1] = z[1], p[2] = z[2];
  } else {
    p[0] = excess / (1 + k * mu * mu);
    p[1] = mu * p[0] * z[1] / t;
    p[2] = mu * p[0] * z[2] / t;
  }
}

}  // namespace clarke
