#pragma once
// Distance joint: two points keep their distance [docs/theory.md, eq. C1].
//
//   c = |d| − L  [m],   d = x_a + r_a − x_b − r_b,   n = d/|d|,   r = R p
//   J = [n, r_a × n, −n, −r_b × n]     one row
//
// Limit: d = 0 has no direction; a rest length of zero is refused (a ball joint is meant).

#include "physics/constraints/constraint_element.hpp"

namespace clarke {

struct Distance {
  static constexpr int kRows = 1;
  static constexpr const char* kName = "distance";
  static constexpr const char* kSummary = "two points keep their distance; one row";

  Vec3 anchor_a, anchor_b;  // [m] body frames
  double length;            // [m] rest length L

  static Distance from_description(const JointDescription& d, const Pose& a, const Pose& b) {
    const double length = d.length ? *d.length : norm(d.anchor_a - d.anchor_b);
    if (!(length > 0) || !(norm(d.anchor_a - d.anchor_b) > 0))
      throw InputError("joint '" + d.name +
                       "': distance: the anchors coincide or the length is not positive; a ball "
                       "joint keeps two points together");
    return {rotate_inverse(a.q, d.anchor_a - a.x), rotate_inverse(b.q, d.anchor_b - b.x), length};
  }

  KOKKOS_INLINE_FUNCTION void evaluate(const Pose& a, const Pose& b, double (&c)[kRows],
                                       Vec3 (&J)[kRows][kConstraintSlots]) const {
    const Vec3 ra = rotate(a.q, anchor_a), rb = rotate(b.q, anchor_b);
    const Vec3 d = a.x + ra - b.x - rb;
    const double now = norm(d);
    const Vec3 n = now > 0 ? d / now : Vec3{};
    c[0] = now - length;
    J[0][0] = n;
    J[0][1] = cross(ra, n);
    J[0][2] = -n;
    J[0][3] = -cross(rb, n);
  }
};

}  // namespace clarke
