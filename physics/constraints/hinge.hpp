#pragma once
// Hinge: two points coincide and an axis of b stays parallel to one of a [docs/theory.md, eq. C6].
//
//   rows 1–3   c = x_a + r_a − x_b − r_b  [m]           along the world's axes
//   rows 4–5   c = (R_a t_k)·(R_b n)      [rad]         n the axis, t_1, t_2 at right angles to it at the start
//
// At rest c = 0. The angle about the axis is the joint's coordinate (coordinate.hpp). Limit: an axis that has turned
// over (n against its own direction on a) satisfies the rows too; no motion leads there while they hold.

#include "physics/constraints/constraint_element.hpp"

namespace clarke {

struct Hinge {
  static constexpr int kRows = 5, kFrames = 2;
  static constexpr bool kNeedsOrientation = true;
  static constexpr const char* kName = "hinge";
  static constexpr const char* kSummary = "rotation about one axis; five rows";
  static constexpr JointTraits kTraits{.axes = 1, .coordinates = 1};

  Vec3 anchor_a, anchor_b;  // [m] body frames
  Vec3 t1, t2;              // frame of a
  Vec3 axis;                // frame of b

  static Hinge from_description(const JointDescription& d, const Pose (&p)[2], const EntityLookup&) {
    Vec3 t1, t2;
    const Vec3 n = normalized(d.axis);
    tangent_frame(n, t1, t2);
    return {rotate_inverse(p[0].q, d.anchor_a - p[0].x), rotate_inverse(p[1].q, d.anchor_b - p[1].x),
            rotate_inverse(p[0].q, t1), rotate_inverse(p[0].q, t2), rotate_inverse(p[1].q, n)};
  }

  template <class T>
  KOKKOS_INLINE_FUNCTION void evaluate(const PoseT<T> (&pose)[2], T (&c)[kRows], Vec3T<T> (&J)[kRows][4]) const {
    point_rows(PointPair<T>(pose, anchor_a, anchor_b), c, J);
    const Vec3T<T> n = rotate(pose[1].q, lift<T>(axis));
    direction_row(rotate(pose[0].q, lift<T>(t1)), n, c[3], J[3]);
    direction_row(rotate(pose[0].q, lift<T>(t2)), n, c[4], J[4]);
  }
};

}  // namespace clarke
