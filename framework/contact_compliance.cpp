#include "framework/contact_compliance.hpp"

namespace clarke {

void add_compliance(const ContactRows& rows) {
  const ContactRows c = rows;
  parallel_for(
      "contact_compliance", c.count,
      KOKKOS_LAMBDA(int i) {
        for (int r = 0; r < 3; ++r) c.out.b(3 * i + r) += c.out.a(3 * i + r) * c.compliance(3 * i + r);
        if (c.out.A.extent(0) == 0) return;
        const int q = c.out.pattern.item_square(c.out.first_item + i);
        for (int e = 0; e < 9; ++e) c.out.B(q + e) += c.out.A(q + e) * c.compliance(3 * i + e % 3);
      },
      20);
}

}  // namespace clarke
