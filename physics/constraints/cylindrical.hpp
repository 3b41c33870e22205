#pragma once
// Cylindrical joint: a turns about an axis of b and slides along it [docs/theory.md, eq. C8].
//
//   rows 1–2   c = t_k·d              [m]       d the distance of the two points, t_k carried by b at right angles to n
//   rows 3–4   c = (R_a t_k)·(R_b n)  [rad]     n the axis
//
// At rest c = 0. Coordinates: the angle about n, then the displacement along it (coordinate.hpp).

#include "physics/constraints/constraint_element.hpp"

namespace clarke {

struct Cylindrical {
  static constexpr int kRows = 4, kFrames = 2;
  static constexpr bool kNeedsOrientation = true;
  static constexpr const char* kName = "cylindrical";
  static constexpr const char* kSummary = "rotation about and sliding along one axis; four rows";
  static constexpr JointTraits kTraits{.axes = 1,
                                       .coordinates = 2,
                                       .coordinate = {{{"angle", "of a about the axis, relative to b"},
                                                       {"displacement", "of a along the axis, relative to b", false}}}};

  Vec3 anchor_a, anchor_b;  // [m] body frames
  Vec3 t1_a, t2_a;          // frame of a
  Vec3 axis, t1_b, t2_b;    // frame of b

  static Cylindrical from_description(const JointDescription& d, const Pose (&p)[2], const EntityLookup&) {
    Vec3 t1, t2;
    const Vec3 n = normalized(d.axis);
    tangent_frame(n, t1, t2);
    const auto in_a = [&p](const Vec3& v) { return rotate_inverse(p[0].q, v); };
    const auto in_b = [&p](const Vec3& v) { return rotate_inverse(p[1].q, v); };
    return {in_a(d.anchor_a - p[0].x), in_b(d.anchor_b - p[1].x), in_a(t1), in_a(t2), in_b(n), in_b(t1), in_b(t2)};
  }

  template <class T>
  KOKKOS_INLINE_FUNCTION void evaluate(const PoseT<T> (&pose)[2], T (&c)[kRows], Vec3T<T> (&J)[kRows][4]) const {
    const PointPair<T> p(pose, anchor_a, anchor_b);
    const QuatT<T>&a = pose[0].q, &b = pose[1].q;
    const Vec3T<T> n = rotate(b, lift<T>(axis));
    displacement_row(p, rotate(b, lift<T>(t1_b)), c[0], J[0]);
    displacement_row(p, rotate(b, lift<T>(t2_b)), c[1], J[1]);
    direction_row(rotate(a, lift<T>(t1_a)), n, c[2], J[2]);
    direction_row(rotate(a, lift<T>(t2_a)), n, c[3], J[3]);
  }
};

}  // namespace clarke
