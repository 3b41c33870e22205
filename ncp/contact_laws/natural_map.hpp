#pragma once
// Natural map of the second-order cone with De Saxcé's change of variable
// [De Saxcé Feng 1998; Acary Brémond Huber 2018; docs/theory.md, eq. S2].
//
//   F = r (Λ − Π_K(p)),   p = Λ − y/r,   y = (ĉ + μ |v_t|, v_t),   K = K_μ = {|Λ_f| ≤ μ Λ_n}       in m/s
//   inside   |p_f| ≤ μ p_n           Π_K(p) = p                  F = y
//   polar    μ |p_f| ≤ −p_n          Π_K(p) = 0                  F = r Λ
//   else     Π_K(p) = π (1, μ d),    π = (p_n + μ |p_f|)/(1 + μ²),   d = p_f/|p_f|
//   A = P ∂y/∂(ĉ, v_t),   B = r (1 − P),   P = ∂Π_K/∂p
//
// One r for the whole contact (r_n), because the projection needs one metric. |v_t| has the subgradient 0 at v_t = 0.
// On a section (F5) K is the cone over it, y_n = ĉ + μ σ_C(−v_t), and Π_K with its derivative that of
// framework/sets/section_cone.hpp.
//
// F is r times what the verdict calls the natural map, where the verdict's ρ is r. A frictionless contact is min(ĉ, r
// Λ_n), Λ_f = 0.

#include "framework/sets/coulomb_cone.hpp"
#include "ncp/contact_laws/whole_contact.hpp"

namespace clarke {

struct NaturalMap {
  static constexpr const char* kName = "natural_map";
  static constexpr bool kSections = true;
  using Parameters = NoLawOptions;
  Parameters parameters{};

  KOKKOS_INLINE_FUNCTION ContactBlock operator()(const ContactArguments& s) const {
    ContactBlock out{};
    if (s.mu <= 0) {
      minimum_row(out, s);
      friction_off(out, s, s.r);
      return out;
    }
    const double mu = s.mu, r = s.r;
    const Vec3 y{s.gap_velocity + mu * unit_dissipation(s.section, s.v1, s.v2), s.v1, s.v2}, l{s.ln, s.l1, s.l2};
    double P[9];  // ∂Π_K/∂p
    const ConeProjection at = cone_projection(s.section, mu, l - (1 / r) * y, P);
    const Vec3 F = at.region == ConeRegion::inside ? y : r * (l - at.point);  // inside without cancellation
    double d1, d2;
    unit_dissipation_gradient(s.section, s.v1, s.v2, d1, d2);
    d1 *= mu;
    d2 *= mu;
    for (int i = 0; i < 3; ++i) {
      out.f[i] = F[i];
      out.A[3 * i] = P[3 * i];
      out.A[3 * i + 1] = P[3 * i + 1] + d1 * P[3 * i];
      out.A[3 * i + 2] = P[3 * i + 2] + d2 * P[3 * i];
      for (int j = 0; j < 3; ++j) out.B[3 * i + j] = r * ((i == j ? 1 : 0) - P[3 * i + j]);
    }
    return out;
  }
};

}  // namespace clarke
