#pragma once
// A point of a stays in a plane of b [docs/theory.md, eq. C11].
//
//   c = n·d  [m], one row   d the distance of the two points, n the normal of the plane through b's point, carried by b

#include "physics/constraints/constraint_element.hpp"

namespace clarke {

struct PointOnPlane {
  static constexpr int kRows = 1, kFrames = 2;
  static constexpr bool kNeedsOrientation = false;
  static constexpr const char* kName = "point_on_plane";
  static constexpr const char* kSummary = "a point of one end stays in a plane of the other; one row";
  static constexpr JointTraits kTraits{.axes = 1, .axis_help = "normal of the plane, carried by b"};

  Vec3 anchor_a, anchor_b;  // [m] body frames
  Vec3 normal;              // frame of b

  static PointOnPlane from_description(const JointDescription& d, const Pose (&p)[2], const EntityLookup&) {
    return {rotate_inverse(p[0].q, d.anchor_a - p[0].x), rotate_inverse(p[1].q, d.anchor_b - p[1].x),
            rotate_inverse(p[1].q, normalized(d.axis))};
  }

  template <class T>
  KOKKOS_INLINE_FUNCTION void evaluate(const PoseT<T> (&pose)[2], T (&c)[kRows], Vec3T<T> (&J)[kRows][4]) const {
    displacement_row(PointPair<T>(pose, anchor_a, anchor_b), rotate(pose[1].q, lift<T>(normal)), c[0], J[0]);
  }
};

}  // namespace clarke
