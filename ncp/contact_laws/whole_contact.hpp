#pragma once
// Laws for the whole contact: a pure function object of one contact gives F [m/s], and A and B as dense 3 × 3 blocks in
// (n, t1, t2)
//
//   ContactBlock operator()(const ContactArguments&) const        dF = A (dĉ, dv_t) + B dΛ
//
// A and B are an element of the generalised Jacobian [Clarke 1990; Qi Sun 1993], unsymmetric: GMRES, BiCGSTAB or LU.

#include "framework/math/hypotenuse.hpp"
#include "framework/registry.hpp"
#include "framework/row_law.hpp"
#include "ncp/contact_laws/section_laws.hpp"
#include "ncp/r_factors/r_factor.hpp"

namespace clarke {

struct ContactArguments {
  double gap_velocity, v1, v2;               // ĉ, v_t [m/s]
  double ln, l1, l2;                         // Λ [N s]
  double mu;                                 // μ
  double r;                                  // r_n [1/kg]; the only one for laws on the cone, which need one metric
  double r_f;                                // r_f [1/kg]
  const FrictionSection* section = nullptr;  // of the cone; null: the disc
};

struct ContactBlock {
  double f[3];        // F [m/s]
  double A[9], B[9];  // row-major
  int safeguard;      // 1: L::kSafeguard acted
};

/// Rows t of a contact without friction impulse: F_f = r Λ_f, and they only set it.
KOKKOS_INLINE_FUNCTION void friction_off(ContactBlock& out, const ContactArguments& s, double r) {
  out.f[1] = r * s.l1;
  out.f[2] = r * s.l2;
  out.B[4] = out.B[8] = r;
}

/// Row n of min(ĉ, r Λ_n); the corner is active.
KOKKOS_INLINE_FUNCTION void minimum_row(ContactBlock& out, const ContactArguments& s) {
  const bool active = s.gap_velocity <= s.r * s.ln;
  out.f[0] = active ? s.gap_velocity : s.r * s.ln;
  out.A[0] = active ? 1 : 0;
  out.B[0] = active ? 0 : s.r;
}

/// The same on a section: Π_R is π(p, R), and D and ∂π/∂R take the places of the disc's derivatives [docs/theory.md,
/// eq. F5].
KOKKOS_INLINE_FUNCTION void section_rows(ContactBlock& out, const ContactArguments& s, double p1, double p2,
                                         double radius, double dgap, double dln) {
  const SectionPoint at = project_on_section(*s.section, p1, p2, radius);
  if (at.inside) {
    out.f[1] = s.v1;
    out.f[2] = s.v2;
    out.A[4] = out.A[8] = 1;
    return;
  }
  double growth[2];
  section_growth(*s.section, at, p1, p2, radius, growth[0], growth[1]);
  const double l[2] = {s.l1, s.l2}, x[2] = {at.x, at.y}, t[2] = {-at.ny, at.nx};
  for (int i = 0; i < 2; ++i) {
    out.f[1 + i] = s.r_f * (l[i] - x[i]);
    out.A[3 * (1 + i)] = -s.r_f * growth[i] * dgap;
    out.B[3 * (1 + i)] = -s.r_f * growth[i] * dln;
    for (int k = 0; k < 2; ++k) {
      const double D = at.e * t[i] * t[k];
      out.A[3 * (1 + i) + 1 + k] = D;
      out.B[3 * (1 + i) + 1 + k] = s.r_f * ((i == k ? 1 : 0) - D);
    }
  }
}

/// Rows t of r_f (Λ_f − Π_R(p)), p = Λ_f − v_t/r_f, for a disc of radius R ≥ 0 with derivatives ∂R/∂ĉ and ∂R/∂Λ_n.
KOKKOS_INLINE_FUNCTION void disc_rows(ContactBlock& out, const ContactArguments& s, double radius, double dgap,
                                      double dln) {
  const double p1 = s.l1 - s.v1 / s.r_f, p2 = s.l2 - s.v2 / s.r_f, p = hypotenuse(p1, p2);
  if (s.section) {
    section_rows(out, s, p1, p2, radius, dgap, dln);
    return;
  }
  if (p <= radius) {
    out.f[1] = s.v1;
    out.f[2] = s.v2;
    out.A[4] = out.A[8] = 1;
    return;
  }
  const double d[2] = {p1 / p, p2 / p}, ratio = radius / p;
  const double l[2] = {s.l1, s.l2};
  for (int i = 0; i < 2; ++i) {
    out.f[1 + i] = s.r_f * (l[i] - radius * d[i]);
    out.A[3 * (1 + i)] = -s.r_f * d[i] * dgap;
    out.B[3 * (1 + i)] = -s.r_f * d[i] * dln;
    for (int k = 0; k < 2; ++k) {
      const double across = ratio * ((i == k ? 1 : 0) - d[i] * d[k]);  // ∂Π_R/∂p
      out.A[3 * (1 + i) + 1 + k] = across;
      out.B[3 * (1 + i) + 1 + k] = s.r_f * ((i == k ? 1 : 0) - across);
    }
  }
}

/// For laws without options of their own.
struct NoLawOptions {
  void describe(OptionVisitor&) {}
};

/// A batch of them. L has kName, kSections (it takes cones that are no disc), Parameters with describe(), a member
/// `parameters`, and, where it has a safeguard, kSafeguard: the option that sets it.
template <class L>
class WholeContactLaw final : public RowLaw {
 public:
  WholeContactLaw() {
    read_options(parameters_);
    read_options(choice_);
    r_factor_ = r_factor_registry().create(choice_.r_factor);
  }
  bool symmetric() const override { return false; }
  bool takes_sections() const override { return L::kSections; }
  std::string laws_with_sections() const override { return clarke::laws_with_sections(); }
  const char* safeguard() const override {
    if constexpr (requires { L::kSafeguard; }) return L::kSafeguard;
    return nullptr;
  }
  void compute_r_factors(const RowSet& rows, double h) override { r_factor_->evaluate(rows, h); }
  void describe(OptionVisitor& visitor) override {
    choice_.describe(visitor);
    parameters_.describe(visitor);
    r_factor_->describe(visitor);
  }
  void evaluate(const RowSet& rows, bool linearise) override {
    const RowSet& c = rows;
    const L law{parameters_};
    const bool sections = c.section.extent(0) > 0;
    parallel_for(
        L::kName, c.items,
        KOKKOS_LAMBDA(int i) {
          const ContactBlock f = law({c.velocity(3 * i), c.velocity(3 * i + 1), c.velocity(3 * i + 2), c.impulse(3 * i),
                                      c.impulse(3 * i + 1), c.impulse(3 * i + 2), c.friction(i), c.r_normal(i),
                                      c.r_friction(i), sections ? c.section.data() + i : nullptr});
          for (int k = 0; k < 3; ++k) c.out.residual(3 * i + k) = f.f[k];
          if (!linearise) return;
          c.out.slip_frame(2 * i) = 1;
          c.out.slip_frame(2 * i + 1) = 0;
          c.out.safeguard(i) = f.safeguard;
          const int q = c.out.pattern.item_square(c.out.first_item + i);
          for (int e = 0; e < 9; ++e) {
            c.out.A(q + e) = f.A[e];
            c.out.B(q + e) = f.B[e];
          }
          for (int k = 0; k < 3; ++k) {
            c.out.a(3 * i + k) = f.A[4 * k];
            c.out.b(3 * i + k) = f.B[4 * k];
          }
        },
        200);
  }

  /// Every law with an r-factor declares the same choice.
  struct RFactorChoice {
    std::string r_factor = "delassus_diagonal";
    void describe(OptionVisitor& v) {
      v.choice("r_factor", r_factor, r_factor_registry().names(), {"", "weight between multipliers and constraints"});
    }
  };

 private:
  typename L::Parameters parameters_;
  RFactorChoice choice_;
  std::unique_ptr<RFactor> r_factor_;
};

}  // namespace clarke
