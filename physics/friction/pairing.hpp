#pragma once
// The friction cone of a contact from its two surfaces: explicit, and the same whichever is called a [docs/theory.md,
// eq. F6].
//
//   isotropic × isotropic      μ by -friction_pairing, as ever
//   with grain × isotropic     the ellipse of the grain; each coefficient paired with the isotropic one
//   ellipse × ellipse          axes: those of ln M_a + ln M_b, M the matrix with the surface's axes and coefficients;
//                              along an axis e the coefficients m_a(e), m_b(e) are paired, m(e) = exp(eᵀ ln M e). With
//                              geometric_mean: the matrices' geometric mean; parallel axes are paired one by one
//   a matchstick × with grain  the matchstick rule (matchstick.hpp), coefficients paired one by one
//   asymmetric or polygon × another   its own axes; each of its coefficients paired with m(e) of the other surface
//   two of asymmetric and polygon     no rule: refused when the model is built (contact_friction.cpp)
//
// Result: tangents t1, t2, coefficient μ0 and scales s1, s2 with s1 s2 = 1, so that rows s_i t_i see a disc of μ0 (or a
// section).

#include "physics/collision/contact_options.hpp"
#include "physics/friction/asymmetric.hpp"
#include "physics/friction/matchstick.hpp"
#include "physics/friction/polygon.hpp"

namespace clarke {

/// A surface where it touches: coefficients with the field's factor in them, and the direction of its grain in the
/// tangent plane.
struct SurfaceAt {
  ConeKind kind = ConeKind::isotropic;
  double friction = 0.5;                             // isotropic
  double along = 0.5, across = 0.5, backward = 0.5;  // ellipse, matchstick; asymmetric: forward, across, backward
  int facets = 0;
  Vec3 grain{};  // unit, world; of an isotropic surface nothing

  /// ln m(e) is linear in the square of the cosine between e and the grain.
  KOKKOS_INLINE_FUNCTION double coefficient(const Vec3& e) const {
    if (kind != ConeKind::ellipse && kind != ConeKind::matchstick) return friction;
    const double c = dot(e, grain);
    return std::exp(c * c * std::log(along) + (1 - c * c) * std::log(across));
  }
};

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

KOKKOS_INLINE_FUNCTION bool has_section(ConeKind kind) {
  return kind == ConeKind::asymmetric || kind == ConeKind::polygon;
}

/// Section of surface x against y; `on_b`: x is side b. Forces are those on a.
KOKKOS_INLINE_FUNCTION void pair_section(Pairing rule, const SurfaceAt& x, const SurfaceAt& y, bool on_b, const Vec3& n,
                                         PairedCone& out) {
  out.t1 = x.grain;
  out.t2 = cross(n, x.grain);
  const double along = y.coefficient(out.t1), across = y.coefficient(out.t2);
  if (x.kind == ConeKind::polygon) {
    out.friction = pair_coefficient(rule, x.friction, along);
    out.section = {SectionKind::polygon, 1, 1, 1, 1, x.facets, 0};
    return;
  }
  const double forward = pair_coefficient(rule, x.along, along), backward = pair_coefficient(rule, x.backward, along),
               side = pair_coefficient(rule, x.across, across);
  out.friction = std::fmax(side, std::fmax(forward, backward));
  if (!(out.friction > 0)) return;
  const double k = 1 / out.friction;
  // a slides over b along +grain: the force on a is along −grain. b slides over a along +grain: that on a is along
  // +grain.
  out.section = {SectionKind::quarters, k * (on_b ? backward : forward), k * (on_b ? forward : backward), k * side,
                 k * side};
}

KOKKOS_INLINE_FUNCTION PairedCone pair_cones(Pairing rule, const SurfaceAt& a, const SurfaceAt& b, const Vec3& n) {
  PairedCone out;
  if (has_section(a.kind) || has_section(b.kind)) {
    const bool on_b = has_section(b.kind);
    pair_section(rule, on_b ? b : a, on_b ? a : b, on_b, n, out);
    return out;
  }
  const bool grain_a = a.kind != ConeKind::isotropic, grain_b = b.kind != ConeKind::isotropic;
  if (!grain_a && !grain_b) {
    tangent_frame(n, out.t1, out.t2);
    out.friction = pair_coefficient(rule, a.friction, b.friction);
    return out;
  }
  if (grain_a && grain_b && (a.kind == ConeKind::matchstick || b.kind == ConeKind::matchstick)) {
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
