#pragma once
// Pin: a point is held at a place of the world, which may move as a function of time [docs/theory.md, eq. C13].
//
//   c = x_a + r_a − p − m(t)  [m], three rows     p the anchor at the start, m the prescribed displacement (`motion`)
//
// The pool subtracts m(t), so the element is a ball joint. With compliance: a spring to a (moving) place.

#include "physics/constraints/ball.hpp"

namespace clarke {

struct Pin : Ball {
  static constexpr const char* kName = "pin";
  static constexpr const char* kSummary = "a point is held at a place of the world that may move; three rows";
  static constexpr JointTraits kTraits{.keys = JointKeys::pin};

  static Pin from_description(const JointDescription& d, const Pose (&p)[2], const EntityLookup& l) {
    if (!d.motion.empty() && d.motion.size() != 3)
      throw InputError("joint '" + d.name + "': pin: expected three functions of time as motion");
    return {Ball::from_description(d, p, l)};
  }
};

}  // namespace clarke
