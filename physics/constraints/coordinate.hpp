#pragma once
// The coordinates of a joint as pure functions of two poses, and the rows that act along them: limits, drives, dry and
// viscous friction, prescribed motion (constraint_type.hpp) [docs/theory.md, eq. Q1, Q2].
//
//   displacement   s = n·d                              n carried by b, d the distance of the two points         [m]
//   angle          θ = ± atan2(p·m, p·r) + 2π k         n, r, m = n × r carried by one end, p by the other       [rad]
//                  ∂θ/∂ω_p = (x (p × m) − y (p × r))/(x² + y²),  x = p·r, y = p·m;  the negative for the carrier of n
//
// θ winds: k is chosen so that θ is nearest to where the last step left it. Limits: p parallel to n has no angle (a
// universal joint bent by a right angle); more than half a turn per step loses count.

#include "physics/constraints/constraint_element.hpp"

#include <array>
#include <numbers>

namespace clarke {

struct JointCoordinate {
  static constexpr int kRows = 1, kFrames = 2;
  static constexpr bool kNeedsOrientation = true;
  static constexpr const char* kName = "coordinate";

  bool angle = false;
  bool on_a = false;        // angle: a carries n, r, m; else b
  Vec3 anchor_a, anchor_b;  // [m] body frames, displacement
  Vec3 n, r;                // frame of the carrier
  Vec3 pointer;             // angle: frame of the other end
  double start = 0;         // value where the geometry says 0
  double last = 0;          // winding: angle at the end of the last step, without `start`

  /// Coordinate `index` of a joint.
  static JointCoordinate of(const JointDescription& d, int index, const Pose& a, const Pose& b) {
    JointCoordinate out;
    const Vec3 axis = normalized(d.axis);
    out.anchor_a = rotate_inverse(a.q, d.anchor_a - a.x);
    out.anchor_b = rotate_inverse(b.q, d.anchor_b - b.x);
    if (index < static_cast<int>(d.coordinates.size())) out.start = d.coordinates[index].start;
    const JointTraits& joint = joint_traits(d.type);
    out.angle = joint.coordinate[index].angle;
    out.on_a = joint.coordinate[index].second_axis;
    Vec3 pointer, unused;
    if (joint.axes == 2) {
      // About the first axis the second one is the pointer, and the other way round.
      const Vec3 second = normalized(d.axis_2 - dot(d.axis_2, axis) * axis);
      pointer = out.on_a ? axis : second;
      out.n = out.on_a ? rotate_inverse(a.q, second) : rotate_inverse(b.q, axis);
    } else {
      tangent_frame(axis, pointer, unused);
      out.n = rotate_inverse(b.q, axis);
    }
    out.r = rotate_inverse(out.on_a ? a.q : b.q, pointer);
    out.pointer = rotate_inverse(out.on_a ? b.q : a.q, pointer);
    return out;
  }

  template <class T>
  KOKKOS_INLINE_FUNCTION void evaluate(const PoseT<T> (&pose)[2], T (&c)[kRows], Vec3T<T> (&J)[kRows][4]) const {
    if (!angle) {
      displacement_row(PointPair<T>(pose, anchor_a, anchor_b), rotate(pose[1].q, lift<T>(n)), c[0], J[0]);
      c[0] += T(start);
      return;
    }
    const QuatT<T>& carrier = pose[on_a ? 0 : 1].q;
    const Vec3T<T> rw = rotate(carrier, lift<T>(r)), m = cross(rotate(carrier, lift<T>(n)), rw);
    const Vec3T<T> p = rotate(pose[on_a ? 1 : 0].q, lift<T>(pointer));
    const T x = dot(p, rw), y = dot(p, m), sign = on_a ? T(-1) : T(1);
    using std::atan2;
    const T raw = sign * atan2(y, x);
    constexpr double kTurn = 2 * std::numbers::pi;
    c[0] = raw + T(start + kTurn * std::round((last - value_of(raw)) / kTurn));
    const Vec3T<T> g = (x * cross(p, m) - y * cross(p, rw)) / (x * x + y * y);
    // With the carrier on a the pointer is on b and the sign is −1: +g for a either way.
    J[0][0] = J[0][2] = {};
    J[0][1] = g;
    J[0][3] = -g;
  }

  KOKKOS_INLINE_FUNCTION void remember(const Pose (&pose)[2]) {
    if (!angle) return;
    double c[1];
    Vec3 J[1][4];
    evaluate(pose, c, J);
    last = c[0] - start;
  }
  std::array<double*, 1> memory() { return {&last}; }
};

}  // namespace clarke
