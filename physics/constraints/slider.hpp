#pragma once
// Slider (prismatic joint): a slides along an axis of b and does not turn [docs/theory.md, eq. C9].
//
//   rows 1–2   c = t_k·d  [m]      d the distance of the two points, t_k carried by b at right angles to the axis
//   rows 3–5   c = 2 d_v  [rad]    turn of a against b since the start, about the world's axes then, carried by b
//
// At rest c = 0. The displacement along the axis is the joint's coordinate (coordinate.hpp).

#include "physics/constraints/constraint_element.hpp"

namespace clarke {

struct Slider {
  static constexpr int kRows = 5, kFrames = 2;
  static constexpr bool kNeedsOrientation = true;
  static constexpr const char* kName = "slider";
  static constexpr const char* kSummary = "sliding along one axis without turning; five rows";
  static constexpr JointTraits kTraits{.axes = 1, .coordinates = 1, .coordinate = {{{"", "", false}}}};

  Vec3 anchor_a, anchor_b;  // [m] body frames
  Vec3 t1, t2;              // frame of b
  Quat start_a, start_b;    // orientations at the start

  static Slider from_description(const JointDescription& d, const Pose (&p)[2], const EntityLookup&) {
    Vec3 t1, t2;
    tangent_frame(normalized(d.axis), t1, t2);
    return {rotate_inverse(p[0].q, d.anchor_a - p[0].x),
            rotate_inverse(p[1].q, d.anchor_b - p[1].x),
            rotate_inverse(p[1].q, t1),
            rotate_inverse(p[1].q, t2),
            p[0].q,
            p[1].q};
  }

  template <class T>
  KOKKOS_INLINE_FUNCTION void evaluate(const PoseT<T> (&pose)[2], T (&c)[kRows], Vec3T<T> (&J)[kRows][4]) const {
    const PointPair<T> p(pose, anchor_a, anchor_b);
    displacement_row(p, rotate(pose[1].q, lift<T>(t1)), c[0], J[0]);
    displacement_row(p, rotate(pose[1].q, lift<T>(t2)), c[1], J[1]);
    const QuatT<T> ka = turned_since(pose[0].q, start_a), kb = turned_since(pose[1].q, start_b);
    for (int k = 0; k < 3; ++k) rotation_row(ka, kb, k, c[2 + k], J[2 + k]);
  }
};

}  // namespace clarke
