#include "framework/contact_subproblem.hpp"

#include "framework/sets/section_cone.hpp"

namespace clarke {

void apply_subproblem(RowSet& rows, const ContactSubproblem& shift) {
  const RowSet c = rows;
  const ContactSubproblem s = shift;
  const int first = c.out.first_row;
  const bool sections = c.section.extent(0) > 0;
  parallel_for(
      "subproblem_arguments", c.items,
      KOKKOS_LAMBDA(int i) {
        const int row = first + 3 * i;
        if (s.proximal > 0) {
          for (int r = 0; r < 3; ++r) s.compliance(row + r) = c.compliance(3 * i + r) + s.proximal * s.weight(row + r);
          const double k = s.proximal * s.weight(row);
          c.gap_velocity(i) += k * (c.impulse(3 * i) - s.centre(row));
          c.slip(2 * i) += k * (c.impulse(3 * i + 1) - s.centre(row + 1));
          c.slip(2 * i + 1) += k * (c.impulse(3 * i + 2) - s.centre(row + 2));
        }
        if (s.associated)
          c.gap_velocity(i) += s.cone(row) - c.friction(i) * unit_dissipation(sections ? &c.section(i) : nullptr,
                                                                              c.slip(2 * i), c.slip(2 * i + 1));
      },
      20);
  if (shift.proximal > 0)
    rows.compliance = Kokkos::subview(shift.compliance, Kokkos::make_pair(first, first + 3 * c.items));
}

void apply_subproblem_slopes(const RowSet& rows, const ContactSubproblem& shift) {
  if (!shift.associated || rows.out.A.extent(0) == 0) return;
  const RowSet c = rows;
  const bool sections = c.section.extent(0) > 0;
  parallel_for(
      "subproblem_slopes", c.items,
      KOKKOS_LAMBDA(int i) {
        double g1, g2;
        unit_dissipation_gradient(sections ? &c.section(i) : nullptr, c.slip(2 * i), c.slip(2 * i + 1), g1, g2);
        const double cosine = c.out.slip_frame(2 * i), sine = c.out.slip_frame(2 * i + 1), mu = c.friction(i);
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
