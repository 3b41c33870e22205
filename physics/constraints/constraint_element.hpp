#pragma once
// What a constraint between frames is: a pure function of their poses. One element per file; adding one costs that file
// and its line in physics/register.cpp.
//
// An element type E provides
//   static constexpr int kRows, kFrames;              rows m of one item, frames it ties together (2, a gear 4)
//   static constexpr bool kNeedsOrientation;          true: its ends must be bodies or the world, not particles
//   static constexpr const char *kName, *kSummary;    registered name
//   static constexpr JointTraits kTraits;             axes and coordinates, where it has any (joint_traits.hpp)
//   struct E (plain data)                             the parameters of one joint: anchors in the frames of a and b, …
//   static E from_description(const JointDescription&, const Pose (&)[kFrames], const EntityLookup&);
//                                                     may throw InputError
//   template <class T> void evaluate(const PoseT<T> (&pose)[kFrames], T (&c)[m], Vec3T<T> (&J)[m][2 kFrames]) const;
// with c the violation [m or rad] and J = ∂c/∂(v_a, ω_a, v_b, ω_b, …) along q̇ = G u, ω in the world frame. T is
// double, or a dual number where the second derivatives are wanted.
//
// An element with memory (a winding angle) also has void remember(const Pose (&pose)[kFrames]), called after each step,
// and memory(), the addresses of what it remembers, for checkpoints.
//
// Rows come from the pure functions below. Axes that a joint's rows are measured along are carried by b.

#include "framework/error.hpp"
#include "framework/math/dual.hpp"
#include "framework/state.hpp"
#include "physics/constraints/joint_traits.hpp"
#include "physics/description/world.hpp"

#include <concepts>

namespace clarke {

/// Entities by name with their initial poses, for turning descriptions into parameters. "world" is entity -1.
struct EntityLookup {
  std::map<std::string, int> index;
  std::vector<Pose> pose;
  std::vector<JointDescription> joints;  // of the whole model, for joints that refer to others
  int find(const std::string& name, const std::string& joint) const;
  Pose pose_at(int entity) const { return entity < 0 ? Pose{} : pose[entity]; }
  /// -1 where there is none of that name.
  int find_joint(const std::string& name) const;
};

template <class E>
concept ConstraintElement = std::is_trivially_copyable_v<E> &&
    requires(const E e, const Pose (&p)[E::kFrames], double (&c)[E::kRows], Vec3 (&J)[E::kRows][2 * E::kFrames],
             const PoseT<Dual> (&dp)[E::kFrames], Dual (&dc)[E::kRows], Vec3T<Dual> (&dJ)[E::kRows][2 * E::kFrames]) {
  e.evaluate(p, c, J);
  e.evaluate(dp, dc, dJ);
  { E::kNeedsOrientation } -> std::convertible_to<bool>;
};

/// An element that is a joint of its own, made from its description.
template <class E>
concept JointElement = ConstraintElement<E> &&
    requires(const Pose (&p)[E::kFrames], const JointDescription& d, const EntityLookup& lookup) {
  { E::from_description(d, p, lookup) } -> std::same_as<E>;
};

template <class E>
concept RemembersPoses = requires(E e, const Pose (&p)[E::kFrames]) {
  e.remember(p);
};

/// e_k
template <class T>
KOKKOS_INLINE_FUNCTION Vec3T<T> unit_vector(int k) {
  Vec3T<T> e{};
  e[k] = T(1);
  return e;
}

/// The two points that a joint of two frames ties together, and their distance d = (x_a + r_a) − (x_b + r_b).
template <class T>
struct PointPair {
  Vec3T<T> ra, rb, d;
  KOKKOS_INLINE_FUNCTION PointPair(const PoseT<T> (&p)[2], const Vec3& anchor_a, const Vec3& anchor_b)
      : ra(rotate(p[0].q, lift<T>(anchor_a))), rb(rotate(p[1].q, lift<T>(anchor_b))), d(p[0].x + ra - p[1].x - rb) {}
};

/// c = d along the world's axes:   J = [1, −[r_a]×, −1, [r_b]×]     [eq. C2]
template <class T, int m>
KOKKOS_INLINE_FUNCTION void point_rows(const PointPair<T>& p, T (&c)[m], Vec3T<T> (&J)[m][4]) {
  for (int k = 0; k < 3; ++k) {
    const Vec3T<T> e = unit_vector<T>(k);
    c[k] = p.d[k];
    J[k][0] = e;
    J[k][1] = cross(p.ra, e);  // e·(ω × r) = (r × e)·ω
    J[k][2] = -e;
    J[k][3] = -cross(p.rb, e);
  }
}

/// c = n·d with n carried by b:   J = [n, r_a × n, −n, −(r_b + d) × n]     [eq. C3]
template <class T>
KOKKOS_INLINE_FUNCTION void displacement_row(const PointPair<T>& p, const Vec3T<T>& n, T& c, Vec3T<T> (&J)[4]) {
  c = dot(n, p.d);
  J[0] = n;
  J[1] = cross(p.ra, n);
  J[2] = -n;
  J[3] = -cross(p.rb + p.d, n);
}

/// c = s·n with s carried by a and n by b, both unit vectors:   J_ω = ±(s × n)     [eq. C4]
template <class T>
KOKKOS_INLINE_FUNCTION void direction_row(const Vec3T<T>& s, const Vec3T<T>& n, T& c, Vec3T<T> (&J)[4]) {
  c = dot(s, n);
  J[0] = J[2] = {};
  J[1] = cross(s, n);
  J[3] = -J[1];
}

/// Turn of a against b since the start as twice the vector part of a quaternion, in the axes of the frame k_b (the
/// world's axes at the start, carried by b):   d = k_b⁻¹ k_a, d_w ≥ 0,   c = 2 d_v ≈ angle · axis,
/// J_ωa = R(k_b)(d_w e − e × d_v) for row e, J_ωb = −J_ωa. Singular at a half-turn only.     [eq. C5]
template <class T>
KOKKOS_INLINE_FUNCTION void rotation_row(const QuatT<T>& ka, const QuatT<T>& kb, int k, T& c, Vec3T<T> (&J)[4]) {
  const QuatT<T> d0 = conjugate(kb) * ka;
  const T sign = value_of(d0.w) < 0 ? T(-1) : T(1);
  const Vec3T<T> v{sign * d0.x, sign * d0.y, sign * d0.z}, e = unit_vector<T>(k);
  c = T(2) * v[k];
  J[0] = J[2] = {};
  J[1] = rotate(kb, (sign * d0.w) * e - cross(e, v));
  J[3] = -J[1];
}

/// q ∘ conj(q⁰): what turns the world's axes at the start into those the body carries.
template <class T>
KOKKOS_INLINE_FUNCTION QuatT<T> turned_since(const QuatT<T>& q, const Quat& start) {
  return q * QuatT<T>{T(start.w), T(-start.x), T(-start.y), T(-start.z)};
}

}  // namespace clarke
