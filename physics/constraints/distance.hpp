#pragma once
// Distance joint: two points keep their distance, or, one-sided, get no farther apart (rope) or no closer (strut)
// [docs/theory.md, eq. C1].
//
//   c = |d| − L  [m],   d = x_a + r_a − x_b − r_b,   n = d/|d|,   r = R p
//   J = [n, r_a × n, −n, −r_b × n]     one row
//   both: c = 0      rope: c ≤ 0, Λ ≤ 0      strut: c ≥ 0, Λ ≥ 0
//
// Limit: d = 0 has no direction; a rest length of zero is refused (a ball joint is meant).

#include "physics/constraints/constraint_element.hpp"

namespace clarke {

struct Distance {
  static constexpr int kRows = 1, kFrames = 2;
  static constexpr bool kNeedsOrientation = false;
  static constexpr const char* kName = "distance";
  static constexpr const char* kSummary = "two points keep their distance, rope and strut on one side; one row";
  static constexpr JointTraits kTraits{.keys = JointKeys::distance};

  Vec3 anchor_a, anchor_b;  // [m] body frames
  double length;            // [m] rest length L

  static Distance from_description(const JointDescription& d, const Pose (&p)[2], const EntityLookup&) {
    const double length = d.length ? *d.length : norm(d.anchor_a - d.anchor_b);
    if (!(length > 0) || !(norm(d.anchor_a - d.anchor_b) > 0))
      throw InputError("joint '" + d.name +
                       "': distance: the anchors coincide or the length is not positive; a ball "
                       "joint keeps two points together");
    return {rotate_inverse(p[0].q, d.anchor_a - p[0].x), rotate_inverse(p[1].q, d.anchor_b - p[1].x), length};
  }

  template <class T>
  KOKKOS_INLINE_FUNCTION void evaluate(const PoseT<T> (&pose)[2], T (&c)[kRows], Vec3T<T> (&J)[kRows][4]) const {
    const PointPair<T> p(pose, anchor_a, anchor_b);
    const T now = norm(p.d);
    const Vec3T<T> n = now > T(0) ? p.d / now : Vec3T<T>{};
    c[0] = now - T(length);
    J[0][0] = n;
    J[0][1] = cross(p.ra, n);
    J[0][2] = -n;
    J[0][3] = -cross(p.rb, n);
  }
};

}  // namespace clarke
