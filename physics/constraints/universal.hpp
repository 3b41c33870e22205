#pragma once
// Universal (Cardan) joint: two points coincide and an axis of a stays at right angles to one of b
// [docs/theory.md, eq. C7].
//
//   rows 1–3   c = x_a + r_a − x_b − r_b  [m]           along the world's axes
//   row  4     c = (R_a n₂)·(R_b n₁)      [rad]         n₁ the first axis, carried by b; n₂ the second, carried by a
//
// At rest c = 0. Coordinates: the angle of the cross about n₁, then of a about n₂ (coordinate.hpp).

#include "physics/constraints/constraint_element.hpp"

namespace clarke {

struct Universal {
  static constexpr int kRows = 4, kFrames = 2;
  static constexpr bool kNeedsOrientation = true;
  static constexpr const char* kName = "universal";
  static constexpr const char* kSummary = "rotation about two axes at right angles; four rows";
  static constexpr JointTraits kTraits{
      .axes = 2,
      .coordinates = 2,
      .coordinate = {{{"angle_1", "about the first axis"}, {"angle_2", "about the second axis", true, true}}}};

  Vec3 anchor_a, anchor_b;  // [m] body frames
  Vec3 axis_2;              // frame of a
  Vec3 axis_1;              // frame of b

  static Universal from_description(const JointDescription& d, const Pose (&p)[2], const EntityLookup&) {
    return {rotate_inverse(p[0].q, d.anchor_a - p[0].x), rotate_inverse(p[1].q, d.anchor_b - p[1].x),
            rotate_inverse(p[0].q, normalized(d.axis_2)), rotate_inverse(p[1].q, normalized(d.axis))};
  }

  template <class T>
  KOKKOS_INLINE_FUNCTION void evaluate(const PoseT<T> (&pose)[2], T (&c)[kRows], Vec3T<T> (&J)[kRows][4]) const {
    point_rows(PointPair<T>(pose, anchor_a, anchor_b), c, J);
    direction_row(rotate(pose[0].q, lift<T>(axis_2)), rotate(pose[1].q, lift<T>(axis_1)), c[3], J[3]);
  }
};

}  // namespace clarke
