#pragma once
// What a rigid contact may keep of its gap. A step is solved to a velocity error of 10⁻⁹ m/s, so positions are good to
// some 10⁻¹¹ m, and the gaps that they leave are as likely to be overlaps. To close each of them in the next step is to
// move what rests, by as little, for ever; and where a body is jammed between two of them no step can.
//
//   row n   (C(q⁺) + d)/h in the place of C(q⁺)/h, fixed in the step by C⁻ = C(q⁻):
//           d = −C⁻   |C⁻| ≤ δ     the contact holds where it is
//           d = δ     C⁻ < −δ      it opens until δ is left
//           d = 0     C⁻ > δ       it closes at 0
//
//   C  gap [m]     δ  -contact_slop [m]; 0: every gap is closed exactly
//
// Laws of velocities (-integrator moreau_jean) close no gap at all, and compliant contacts are springs: both without.

#include "framework/options.hpp"
#include "physics/contact/contact_gaps.hpp"

namespace clarke {

struct ContactSlop {
  double length = 0;  // δ [m]
  void describe(OptionVisitor& v) {
    v.real("contact_slop", length,
           {"m",
            "a rigid contact whose gap or overlap is at most this when a step begins stays as it is, instead of being "
            "closed exactly",
            0.0});
  }
  /// d of a contact with that gap [m].
  KOKKOS_INLINE_FUNCTION double operator()(double gap) const {
    return gap > length ? 0 : gap < -length ? length : -gap;
  }
};

}  // namespace clarke
