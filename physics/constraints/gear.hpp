#pragma once
// Gear: a ratio between two joint coordinates: gears (two angles), rack and pinion (an angle and a displacement), mimic
// joints [docs/theory.md, eq. C14].
//
//   c = q₁ − i q₂ − o     [rad or m, that of q₁]     i the ratio, o the offset; frames a₁, b₁, a₂, b₂     one row

#include "physics/constraints/coordinate.hpp"

namespace clarke {

struct Gear {
  static constexpr int kRows = 1, kFrames = 4;
  static constexpr bool kNeedsOrientation = true;
  static constexpr const char* kName = "gear";
  static constexpr const char* kSummary = "a ratio between two joint coordinates; one row";
  static constexpr JointTraits kTraits{.keys = JointKeys::gear};

  JointCoordinate first, second;
  double ratio, offset;

  static Gear from_description(const JointDescription& d, const Pose (&p)[4], const EntityLookup& lookup) {
    const auto joint = [&](const std::string& name, int coordinate) -> const JointDescription& {
      const int i = lookup.find_joint(name);
      if (i < 0) throw InputError("joint '" + d.name + "': gear: unknown joint '" + name + "'");
      if (coordinate >= joint_traits(lookup.joints[i].type).coordinates)
        throw InputError("joint '" + d.name + "': gear: joint '" + name + "' has no such coordinate");
      return lookup.joints[i];
    };
    Gear g{JointCoordinate::of(joint(d.joint_1, d.coordinate_1), d.coordinate_1, p[0], p[1]),
           JointCoordinate::of(joint(d.joint_2, d.coordinate_2), d.coordinate_2, p[2], p[3]), d.ratio, 0};
    double c[1];
    Vec3 J[1][8];
    g.evaluate(p, c, J);
    g.offset = d.offset.value_or(c[0]);
    return g;
  }

  template <class T>
  KOKKOS_INLINE_FUNCTION void evaluate(const PoseT<T> (&pose)[4], T (&c)[kRows], Vec3T<T> (&J)[kRows][8]) const {
    const PoseT<T> one[2] = {pose[0], pose[1]}, two[2] = {pose[2], pose[3]};
    T q[1];
    Vec3T<T> g[1][4];
    first.evaluate(one, q, g);
    c[0] = q[0] - T(offset);
    for (int k = 0; k < 4; ++k) J[0][k] = g[0][k];
    second.evaluate(two, q, g);
    c[0] -= T(ratio) * q[0];
    for (int k = 0; k < 4; ++k) J[0][4 + k] = T(-ratio) * g[0][k];
  }

  KOKKOS_INLINE_FUNCTION void remember(const Pose (&pose)[4]) {
    const Pose one[2] = {pose[0], pose[1]}, two[2] = {pose[2], pose[3]};
    first.remember(one);
    second.remember(two);
  }
  std::array<double*, 2> memory() { return {&first.last, &second.last}; }
};

}  // namespace clarke
