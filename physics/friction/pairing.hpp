#pragma once
// The friction cone of a contact from its two surfaces: explicit, and the same whichever is called a [docs/theory.md,
// eq. F6].
//
//   disc × disc                μ by -friction_pairing, as ever
//   with grain × disc          the ellipse of the grain; each coefficient paired with the disc's
//   ellipse × ellipse          axes: those of ln M_a + ln M_b, M the matrix with the surface's axes and coefficients;
//                              along an axis e the coefficients m_a(e), m_b(e) are paired, m(e) = exp(eᵀ ln M e). With
//                              geometric_mean: the matrices' geometric mean; parallel axes are paired one by one
//   a matchstick × with grain  the matchstick rule (matchstick.hpp), coefficients paired one by one
//   a section × another        its own axes; each of its coefficients paired with m(e) of the other surface
//   two sections               no rule: refused when the model is built (contact_friction.cpp)
//
// Result: tangents t1, t2, coefficient μ0 and scales s1, s2 with s1 s2 = 1, so that rows s_i t_i see a disc of μ0 (or a
// section).

#include "physics/friction/cones/matchstick.hpp"
#include "physics/friction/pair_coefficient.hpp"

namespace clarke {

struct PairedCone {
  Vec3 t1, t2;
  double friction = 0;
  double s1 = 1, s2 = 1;
  FrictionSection section;
};

/// Major and minor coefficient as one disc and the scales of the two rows.
KOKKOS_INLINE_FUNCTION void scale_to_disc(double mu1, double mu2, PairedCone& out) {
  out.friction = mu1 == mu2 ? mu1 : std::sqrt(mu1 * mu2);
  if (mu1 == mu2 || !(out.friction > 0)) return;
  out.s1 = mu1 / out.friction;
  out.s2 = mu2 / out.friction;
}

/// The section of surface x against y, in the contact's frame; `on_b`: x is side b. What slides over b is a, and t2 is
/// on the left of b's grain; what slides over a is b, whose force is the opposite, and the left of a's grain is −t2.
KOKKOS_INLINE_FUNCTION void pair_section(Pairing rule, const SurfaceAt& x, const SurfaceAt& y, bool on_b, const Vec3& n,
                                         PairedCone& out) {
  out.t1 = x.grain;
  out.t2 = cross(n, x.grain);
  const FrictionSection& own = x.section;
  const double along = y.coefficient(out.t1), across = y.coefficient(out.t2);
  if (own.kind == SectionKind::polygon) {
    out.friction = pair_coefficient(rule, x.friction, along);
    out.section = own;
    if (!on_b) out.section.angle = (own.corners % 2 == 1 ? std::numbers::pi : 0.0) - own.angle;
    return;
  }
  const double plus = pair_coefficient(rule, on_b ? own.a_plus : own.a_minus, along),
               minus = pair_coefficient(rule, on_b ? own.a_minus : own.a_plus, along),
               left = pair_coefficient(rule, own.b_plus, across), right = pair_coefficient(rule, own.b_minus, across);
  out.friction = std::fmax(std::fmax(left, right), std::fmax(plus, minus));
  if (!(out.friction > 0)) return;
  const double k = 1 / out.friction;
  out.section = {SectionKind::quarters, k * plus, k * minus, k * left, k * right};
}

KOKKOS_INLINE_FUNCTION PairedCone pair_cones(Pairing rule, const SurfaceAt& a, const SurfaceAt& b, const Vec3& n) {
  PairedCone out;
  if (a.form == ConeForm::section || b.form == ConeForm::section) {
    const bool on_b = b.form == ConeForm::section;
    pair_section(rule, on_b ? b : a, on_b ? a : b, on_b, n, out);
    return out;
  }
  const bool grain_a = a.form != ConeForm::disc, grain_b = b.form != ConeForm::disc;
  if (!grain_a && !grain_b) {
    tangent_frame(n, out.t1, out.t2);
    out.friction = pair_coefficient(rule, a.friction, b.friction);
    return out;
  }
  if (grain_a && grain_b && (a.form == ConeForm::matchstick || b.form == ConeForm::matchstick)) {
    const double c = dot(a.grain, b.grain);
    const Ellipse e =
        matchstick_cone(pair_coefficient(rule, a.along, b.along), pair_coefficient(rule, a.across, b.across),
                        pair_coefficient(rule, a.friction, b.friction), c);
    out.t1 = normalized(c < 0 ? a.grain - b.grain : a.grain + b.grain);
    out.t2 = cross(n, out.t1);
    scale_to_disc(e.mu_t, e.mu_b, out);
    return out;
  }
  out.t1 = grain_a ? a.grain : b.grain;
  if (grain_a && grain_b) {
    // The deviators of ln M as vectors at the doubled angle from a's grain; their sum is at the doubled angle of the
    // axis.
    const double c = dot(a.grain, b.grain), s = dot(cross(a.grain, b.grain), n);
    const double da = std::log(a.along / a.across), db = std::log(b.along / b.across);
    const double x = da + db * (c * c - s * s), y = 2 * db * c * s;
    if (x != 0 || y != 0) {
      const double angle = 0.5 * std::atan2(y, x);
      out.t1 = std::cos(angle) * a.grain + std::sin(angle) * cross(n, a.grain);
    }
  }
  out.t2 = cross(n, out.t1);
  // Along its own axes a surface has its own numbers exactly.
  const SurfaceAt& own = grain_a ? a : b;
  const bool alone = !(grain_a && grain_b);
  const SurfaceAt& other = grain_a ? b : a;
  const double m1 = alone ? own.along : own.coefficient(out.t1), m2 = alone ? own.across : own.coefficient(out.t2);
  scale_to_disc(pair_coefficient(rule, m1, other.coefficient(out.t1)),
                pair_coefficient(rule, m2, other.coefficient(out.t2)), out);
  return out;
}

}  // namespace clarke
