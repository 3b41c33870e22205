#pragma once
// Weld: a keeps its place and orientation relative to b; with compliance, an elastic bush or one element of a flexible
// beam [docs/theory.md, eq. C10].
//
//   rows 1–3   c = e_k·d    [m]      d the distance of the two points, e_k the world's axes at the start, carried by b
//   rows 4–6   c = 2 d_v    [rad]    turn of a against b since the start, about the same axes
//
// At rest c = 0. Compliance per row: 1/stiffness against displacement and turn along and about these axes.

#include "physics/constraints/constraint_element.hpp"

namespace clarke {

struct Weld {
  static constexpr int kRows = 6, kFrames = 2;
  static constexpr bool kNeedsOrientation = true;
  static constexpr const char* kName = "weld";
  static constexpr const char* kSummary = "no relative motion; six rows";

  Vec3 anchor_a, anchor_b;  // [m] body frames
  Quat start_a, start_b;    // orientations at the start

  static Weld from_description(const JointDescription& d, const Pose (&p)[2], const EntityLookup&) {
    return {rotate_inverse(p[0].q, d.anchor_a - p[0].x), rotate_inverse(p[1].q, d.anchor_b - p[1].x), p[0].q, p[1].q};
  }

  template <class T>
  KOKKOS_INLINE_FUNCTION void evaluate(const PoseT<T> (&pose)[2], T (&c)[kRows], Vec3T<T> (&J)[kRows][4]) const {
    const PointPair<T> p(pose, anchor_a, anchor_b);
    const QuatT<T> ka = turned_since(pose[0].q, start_a), kb = turned_since(pose[1].q, start_b);
    for (int k = 0; k < 3; ++k) {
      displacement_row(p, rotate(kb, unit_vector<T>(k)), c[k], J[k]);
      rotation_row(ka, kb, k, c[3 + k], J[3 + k]);
    }
  }
};

}  // namespace clarke
