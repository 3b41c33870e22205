#pragma once
// Jean and Moreau's function: projections on the half-line and on the disc of the present normal impulse
// [Moreau 1988; Jean 1999; Christensen Klarbring Pang Strömberg 1998; docs/theory.md, eq. S4].
//
//   F_n = min(ĉ, r_n Λ_n)
//   F_f = r_f (Λ_f − Π_R(p)),   p = Λ_f − v_t/r_f,   R = μ max(Λ_n, 0)
//   stick |p| ≤ R:  F_f = v_t;      slip: as F3, ∂R/∂Λ_n = μ for Λ_n ≥ 0 on active rows
//
// The residual is that of `decoupled` with minimum_map and disc_projection_coupled. The Jacobian differs where Λ_n = 0:
// there an active contact already has the slope of its disc, so that the first step from zero couples friction to the
// normal impulse.

#include "ncp/contact_laws/whole_contact.hpp"

namespace clarke {

struct JeanMoreau {
  static constexpr const char* kName = "jean_moreau";
  static constexpr bool kSections = true;
  using Parameters = NoLawOptions;
  Parameters parameters{};

  KOKKOS_INLINE_FUNCTION ContactBlock operator()(const ContactArguments& s) const {
    ContactBlock out{};
    minimum_row(out, s);
    const bool coupled = s.ln > 0 || (s.ln == 0 && s.gap_velocity <= 0);
    if (s.mu > 0 && coupled) {
      disc_rows(out, s, s.mu * s.ln, 0, s.mu);
    } else {
      friction_off(out, s, s.r_f);
    }
    return out;
  }
};

}  // namespace clarke
