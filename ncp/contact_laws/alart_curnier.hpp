#pragma once
// Alart and Curnier's function: projections on the half-line and on the disc of the augmented normal multiplier
// [Alart Curnier 1991; docs/theory.md, eq. S3].
//
//   τ = Λ_n − ĉ/r_n                       augmented multiplier [N s]
//   F_n = r_n (Λ_n − max(τ, 0)) = min(ĉ, r_n Λ_n)
//   F_f = r_f (Λ_f − Π_R(p)),   p = Λ_f − v_t/r_f,   R = μ max(τ, 0)
//   active  τ ≥ 0    ∂R/∂Λ_n = μ,   ∂R/∂ĉ = −μ/r_n        stick |p| ≤ R:  F_f = v_t;   slip: as F3, with ∂R/∂ĉ in A
//   open    τ < 0    F_f = r_f Λ_f
//
// Two factors, each from its own diagonal of W. R follows the trial τ and not Λ_n (compare jean_moreau): on active
// rows the disc knows at once what the gap asks of the normal impulse.

#include "ncp/contact_laws/whole_contact.hpp"

namespace clarke {

struct AlartCurnier {
  static constexpr const char* kName = "alart_curnier";
  static constexpr bool kSections = true;
  using Parameters = NoLawOptions;
  Parameters parameters{};

  KOKKOS_INLINE_FUNCTION ContactBlock operator()(const ContactArguments& s) const {
    ContactBlock out{};
    minimum_row(out, s);
    const double trial = s.ln - s.gap_velocity / s.r;
    if (s.mu > 0 && trial >= 0) {
      disc_rows(out, s, s.mu * trial, -s.mu / s.r, s.mu);
    } else {
      friction_off(out, s, s.r_f);
    }
    return out;
  }
};

}  // namespace clarke
