#pragma once
// How far one contact is from Signorini's condition and Coulomb's law: pure functions of the physical quantities, the
// same for every solver. Nothing here depends on an NCP function, a friction map or an r-factor.
//
//   complementarity   min(ĉ, W_n Λ_n)                                            [m/s]
//   friction          r_f |Λ_f − Π_R(Λ_f − v_t/r_f)|,  R = μ max(Λ_n, 0)         [m/s]
//   natural map       |Λ − Π_K(Λ − (ĉ + μ|v_t|, v_t)/ρ)|,  K = {|Λ_f| ≤ μ Λ_n}   [N s]  [Acary Brémond Huber 2018]
//   cone excess       max(0, |Λ_f| − μ Λ_n)                                      [N s]
//   De Saxcé gap      |Λ_n (ĉ + μ|v_t|) + Λ_f·v_t|                               [J]
// with W the diagonal of the Delassus operator at the start of the step: W_n = W_nn, r_f = (W_11 + W_22)/2,
// ρ = tr W/3 [1/kg]. Rows scaled by s (contact_rows.hpp): the two vectors are computed as they are, in the metric of
// the rows, and brought back to the world, by 1/s where they are velocities and by s where they are impulses. Cones
// with a section: section_residuals().

#include "framework/device.hpp"
#include "framework/frame.hpp"
#include "framework/sets/coulomb_cone.hpp"

#include <cmath>

namespace clarke {

struct ContactQuantities {
  double gap_velocity, v1, v2;  // ĉ, v_t [m/s] as in contact_rows.hpp, compliance included
  double ln, l1, l2;            // Λ [N s]
  double mu;
  double wnn, w11, w22;   // [1/kg], compliance included
  double s1 = 1, s2 = 1;  // scales of the tangential rows
};

struct ContactResiduals {
  double complementarity, friction, natural_map, cone_excess, desaxce_gap;
  double natural_scale;  // max(|Λ|, |v|/ρ): what natural_map is relative to [N s]
  ContactStatus status;  // open: Λ_n ≤ 0 would be projected away; slip: outside the disc; else stick
};

KOKKOS_INLINE_FUNCTION ContactResiduals contact_residuals(const ContactQuantities& c) {
  ContactResiduals out{};
  const double wn = c.wnn * c.ln;
  out.complementarity = std::fabs(c.gap_velocity < wn ? c.gap_velocity : wn);
  const double radius = c.mu * (c.ln > 0 ? c.ln : 0), rf = 0.5 * (c.w11 + c.w22);
  double p1 = c.l1 - c.v1 / rf, p2 = c.l2 - c.v2 / rf;
  constexpr double kOnCone = 1e-9;  // a sticking impulse within rounding of the cone counts as sticking
  out.status = c.gap_velocity > wn                           ? ContactStatus::open
               : hypotenuse(p1, p2) > radius * (1 + kOnCone) ? ContactStatus::slip
                                                             : ContactStatus::stick;
  project_on_disc(p1, p2, radius);
  out.friction = rf * hypotenuse((c.l1 - p1) / c.s1, (c.l2 - p2) / c.s2);
  const double rho = (c.wnn + c.w11 + c.w22) / 3, speed = hypotenuse(c.v1, c.v2);
  const Vec3 impulse{c.ln, c.l1, c.l2};
  const Vec3 v{c.gap_velocity + c.mu * speed, c.v1, c.v2};
  const Vec3 off = impulse - project_on_cone(impulse - v / rho, c.mu);
  out.natural_map = norm(Vec3{off.x, c.s1 * off.y, c.s2 * off.z});
  out.natural_scale = std::fmax(norm(impulse), norm(v) / rho);
  out.cone_excess = std::fmax(0.0, hypotenuse(c.l1, c.l2) - c.mu * c.ln);
  out.desaxce_gap = std::fabs(dot(impulse, v));
  return out;
}

/// The same for a cone with a section C: Π onto R C instead of the disc, μ|v_t| becomes the dissipation μ σ_C(−v_t),
/// and the natural map is that of the half-line and R C, |(Λ_n − max(0, Λ_n − ĉ/ρ), Λ_f − Π(Λ_f − v_t/ρ))|, with the
/// same zeros.
KOKKOS_INLINE_FUNCTION ContactResiduals section_residuals(const ContactQuantities& c, const FrictionSection& section) {
  ContactResiduals out{};
  const double wn = c.wnn * c.ln, radius = c.mu * (c.ln > 0 ? c.ln : 0), rf = 0.5 * (c.w11 + c.w22);
  out.complementarity = std::fabs(c.gap_velocity < wn ? c.gap_velocity : wn);
  const auto off = [&](double r, double& o1, double& o2) {
    const SectionPoint at = project_on_section(section, c.l1 - c.v1 / r, c.l2 - c.v2 / r, radius);
    o1 = c.l1 - at.x;
    o2 = c.l2 - at.y;
    return at.inside;
  };
  double o1, o2;
  const bool inside = off(rf, o1, o2);
  out.status = c.gap_velocity > wn ? ContactStatus::open : inside ? ContactStatus::stick : ContactStatus::slip;
  out.friction = rf * hypotenuse(o1, o2);
  const double rho = (c.wnn + c.w11 + c.w22) / 3, trial = c.ln - c.gap_velocity / rho;
  (void)off(rho, o1, o2);
  out.natural_map = norm(Vec3{c.ln - (trial > 0 ? trial : 0), o1, o2});
  const Vec3 impulse{c.ln, c.l1, c.l2};
  const Vec3 v{c.gap_velocity + c.mu * section_support(section, -c.v1, -c.v2), c.v1, c.v2};
  out.natural_scale = std::fmax(norm(impulse), norm(v) / rho);
  out.cone_excess = std::fmax(0.0, section_gauge(section, c.l1, c.l2) - c.mu * c.ln);
  out.desaxce_gap = std::fabs(dot(impulse, v));
  return out;
}

}  // namespace clarke
