#pragma once
// What a constraint between two frames is: a pure function of two poses. One element per file; adding one costs that file
// and its line in physics/register.cpp.
//
// An element type E provides
//   static constexpr int kRows;                           rows m of one item
//   static constexpr const char* kName;                   registered name
//   struct E (plain data)                                 the parameters of one joint: anchors in the frames of a and b, …
//   static E from_description(const JointDescription&, const Pose& a, const Pose& b);   may throw InputError
//   void evaluate(const Pose& a, const Pose& b, double (&c)[m], Vec3 (&J)[m][kConstraintSlots]) const;
// with c the violation [m or rad] and J = ∂c/∂(v_a, ω_a, v_b, ω_b) along q̇ = G u, ω in the world frame.

#include "framework/error.hpp"
#include "framework/state.hpp"
#include "physics/world.hpp"

#include <concepts>

namespace clarke {

/// Slots of an element's Jacobian: v_a, ω_a, v_b, ω_b.
inline constexpr int kConstraintSlots = 4;

template <class E>
concept ConstraintElement =
    std::is_trivially_copyable_v<E> &&
    requires(const E e, const Pose p, double (&c)[E::kRows],
             Vec3 (&J)[E::kRows][kConstraintSlots], const JointDescription& d) {
      e.evaluate(p, p, c, J);
      { E::from_description(d, p, p) } -> std::same_as<E>;
    };

}  // namespace clarke
