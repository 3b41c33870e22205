#include "framework/contact_subproblem.hpp"

namespace clarke {

void apply_subproblem(RowSet& rows, const ContactSubproblem& subproblem) {
  const RowSet& c = rows;
  const ContactSubproblem s = subproblem;
  const int first = c.out.first_row;
  parallel_for(
      "subproblem_arguments", c.items,
      KOKKOS_LAMBDA(int i) {
        const int row = first + 3 * i;
        if (s.proximal > 0) {
          const double k = s.proximal * s.weight(row);
          for (int r = 0; r < 3; ++r) {
            s.compliance(row + r) = c.compliance(3 * i + r) + s.proximal * s.weight(row + r);
            c.velocity(3 * i + r) += k * (c.impulse(3 * i + r) - s.centre(row + r));
          }
        }
        if (s.associated)
          c.velocity(3 * i) += s.cone(row) - de_saxce_term(admissible_set(c, i), c.velocity.data() + 3 * i);
      },
      20);
  if (s.proximal > 0) rows.compliance = Kokkos::subview(s.compliance, Kokkos::make_pair(first, first + 3 * c.items));
}

void apply_subproblem_slopes(const RowSet& rows, const ContactSubproblem& subproblem) {
  if (!subproblem.associated || rows.out.A.extent(0) == 0) return;
  const RowSet& c = rows;
  parallel_for(
      "subproblem_slopes", c.items,
      KOKKOS_LAMBDA(int i) {
        const AdmissibleSet set = admissible_set(c, i);
        double g1, g2;
        unit_dissipation_gradient(set.section, c.velocity(3 * i + 1), c.velocity(3 * i + 2), g1, g2);
        const double cosine = c.out.slip_frame(2 * i), sine = c.out.slip_frame(2 * i + 1), mu = set.friction;
        const double d = mu * (cosine * g1 + sine * g2), t = mu * (cosine * g2 - sine * g1);
        const int q = c.out.pattern.item_square(c.out.first_item + i);
        for (int r = 0; r < 3; ++r) {
          const double an = c.out.A(q + 3 * r);
          c.out.A(q + 3 * r + 1) -= an * d;
          c.out.A(q + 3 * r + 2) -= an * t;
        }
      },
      20);
}

}  // namespace clarke
