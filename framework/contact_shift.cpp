#include "framework/contact_shift.hpp"

namespace clarke {

void shift_arguments(ContactRows& rows, const ContactShift& shift) {
  const ContactRows c = rows;
  const ContactShift s = shift;
  const int first = c.out.first_row;
  parallel_for(
      "contact_shift_arguments", c.count,
      KOKKOS_LAMBDA(int i) {
        const int row = first + 3 * i;
        if (s.proximal > 0) {
          for (int r = 0; r < 3; ++r)
            s.compliance(row + r) = c.compliance(3 * i + r) + s.proximal * s.weight(row + r);
          const double k = s.proximal * s.weight(row);
          c.gap_velocity(i) += k * (c.impulse(3 * i) - s.centre(row));
          c.slip(2 * i) += k * (c.impulse(3 * i + 1) - s.centre(row + 1));
          c.slip(2 * i + 1) += k * (c.impulse(3 * i + 2) - s.centre(row + 2));
        }
        if (s.associated)
          c.gap_velocity(i) += s.cone(row) - c.friction(i) * std::hypot(c.slip(2 * i), c.slip(2 * i + 1));
      },
      20);
  if (shift.proximal > 0)
    rows.compliance = Kokkos::subview(shift.compliance, Kokkos::make_pair(first, first + 3 * c.count));
}

void shift_slopes(const ContactRows& rows, const ContactShift& shift) {
  if (!shift.associated || rows.out.A.extent(0) == 0) return;
  const ContactRows c = rows;
  parallel_for(
      "contact_shift_slopes", c.count,
      KOKKOS_LAMBDA(int i) {
        const double v1 = c.slip(2 * i), v2 = c.slip(2 * i + 1), speed = std::hypot(v1, v2);
        if (!(speed > 0)) return;  // the subgradient 0 of |v_t|
        const double cosine = c.out.turn(2 * i), sine = c.out.turn(2 * i + 1), k = c.friction(i) / speed;
        const double d = k * (cosine * v1 + sine * v2), t = k * (cosine * v2 - sine * v1);
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
