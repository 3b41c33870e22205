#pragma once
// Ball joint: two points coincide [docs/theory.md, eq. C2].
//
//   c = x_a + r_a − x_b − r_b  [m],   r = R p with p the anchor in the frame of its body
//   J = [1, −[r_a]×, −1, [r_b]×]     three rows

#include "physics/constraints/constraint_element.hpp"

namespace clarke {

struct Ball {
  static constexpr int kRows = 3;
  static constexpr const char* kName = "ball";
  static constexpr const char* kSummary = "two points coincide; three rows";

  Vec3 anchor_a, anchor_b;  // [m] body frames

  static Ball from_description(const JointDescription& d, const Pose& a, const Pose& b) {
    return {rotate_inverse(a.q, d.anchor_a - a.x), rotate_inverse(b.q, d.anchor_b - b.x)};
  }

  KOKKOS_INLINE_FUNCTION void evaluate(const Pose& a, const Pose& b, double (&c)[kRows],
                                       Vec3 (&J)[kRows][kConstraintSlots]) const {
    const Vec3 ra = rotate(a.q, anchor_a), rb = rotate(b.q, anchor_b);
    const Vec3 d = a.x + ra - b.x - rb;
    for (int k = 0; k < kRows; ++k) {
      Vec3 e{};
      e[k] = 1;
      c[k] = d[k];
      J[k][0] = e;
      J[k][1] = cross(ra, e);  // e·(ω × r) = (r × e)·ω
      J[k][2] = -e;
      J[k][3] = -cross(rb, e);
    }
  }
};

}  // namespace clarke
