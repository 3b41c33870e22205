#pragma once
// Ball joint: two points coincide [docs/theory.md, eq. C2].
//
//   c = x_a + r_a − x_b − r_b  [m],   r = R p with p the anchor in the frame of its body
//   J = [1, −[r_a]×, −1, [r_b]×]     three rows, along the world's axes (a compliance per row is along them too)

#include "physics/constraints/constraint_element.hpp"

namespace clarke {

struct Ball {
  static constexpr int kRows = 3, kFrames = 2;
  static constexpr bool kNeedsOrientation = false;
  static constexpr const char* kName = "ball";
  static constexpr const char* kSummary = "two points coincide; three rows";

  Vec3 anchor_a, anchor_b;  // [m] body frames

  static Ball from_description(const JointDescription& d, const Pose (&p)[2], const EntityLookup&) {
    return {rotate_inverse(p[0].q, d.anchor_a - p[0].x), rotate_inverse(p[1].q, d.anchor_b - p[1].x)};
  }

  template <class T>
  KOKKOS_INLINE_FUNCTION void evaluate(const PoseT<T> (&pose)[2], T (&c)[kRows], Vec3T<T> (&J)[kRows][4]) const {
    point_rows(PointPair<T>(pose, anchor_a, anchor_b), c, J);
  }
};

}  // namespace clarke
