#pragma once
// A point of a stays on a line of b [docs/theory.md, eq. C12].
//
//   c = t_k·d  [m]     d the distance of the two points, t_1, t_2 at right angles to the line through b's point,
//                      carried by b     two rows

#include "physics/constraints/constraint_element.hpp"

namespace clarke {

struct PointOnLine {
  static constexpr int kRows = 2, kFrames = 2;
  static constexpr bool kNeedsOrientation = false;
  static constexpr const char* kName = "point_on_line";
  static constexpr const char* kSummary = "a point of one end stays on a line of the other; two rows";
  static constexpr JointTraits kTraits{.axes = 1};

  Vec3 anchor_a, anchor_b;  // [m] body frames
  Vec3 t1, t2;              // frame of b

  static PointOnLine from_description(const JointDescription& d, const Pose (&p)[2], const EntityLookup&) {
    Vec3 t1, t2;
    tangent_frame(normalized(d.axis), t1, t2);
    return {rotate_inverse(p[0].q, d.anchor_a - p[0].x), rotate_inverse(p[1].q, d.anchor_b - p[1].x),
            rotate_inverse(p[1].q, t1), rotate_inverse(p[1].q, t2)};
  }

  template <class T>
  KOKKOS_INLINE_FUNCTION void evaluate(const PoseT<T> (&pose)[2], T (&c)[kRows], Vec3T<T> (&J)[kRows][4]) const {
    const PointPair<T> p(pose, anchor_a, anchor_b);
    displacement_row(p, rotate(pose[1].q, lift<T>(t1)), c[0], J[0]);
    displacement_row(p, rotate(pose[1].q, lift<T>(t2)), c[1], J[1]);
  }
};

}  // namespace clarke
