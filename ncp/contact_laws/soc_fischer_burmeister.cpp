#include "ncp/contact_laws/soc_fischer_burmeister.hpp"

namespace clarke {

void SocOptions::describe(OptionVisitor& v) {
  v.choice("r_factor", r_factor, r_factor_registry().names(),
           {"", "weight between multipliers and constraints"});
  v.real("soc_smoothing", smoothing,
         {"J", "soc_fischer_burmeister: least spectral value of x² + z², over r", 0.0, 1.0});
}

SocFischerBurmeisterLaw::SocFischerBurmeisterLaw() {
  read_options(options_);
  r_factor_ = r_factor_registry().create(options_.r_factor);
}

void SocFischerBurmeisterLaw::compute_r_factors(const ContactRows& rows, double h) {
  r_factor_->evaluate(rows, h);
}

void SocFischerBurmeisterLaw::evaluate(const ContactRows& rows, bool linearise) {
  const ContactRows c = rows;
  const double smoothing = options_.smoothing;
  parallel_for(
      "soc_fischer_burmeister", c.count,
      KOKKOS_LAMBDA(int i) {
        const SocRows f = soc_fischer_burmeister(
            {c.gap_velocity(i), c.slip(2 * i), c.slip(2 * i + 1), c.impulse(3 * i),
             c.impulse(3 * i + 1), c.impulse(3 * i + 2), c.friction(i), c.r_normal(i), smoothing});
        for (int k = 0; k < 3; ++k) c.out.residual(3 * i + k) = f.f[k];
        if (!linearise) return;
        c.out.turn(2 * i) = 1;
        c.out.turn(2 * i + 1) = 0;
        c.out.safeguard_bits(i) = f.safeguards;
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

}  // namespace clarke
