#pragma once
// Bending of cloths as rows of hinges: a spring at every edge that two triangles share [docs/theory.md, eq. E23].
//
//   energy  ½ k c²,   k = D |e|²/(A₁ + A₂) [N m/rad]          D [N m] of the cloth, e and A of the sheet at rest
//
// A regular sheet of rectangles, bent to a cylinder about one of its axes, then has the energy D κ²/2 per area exactly.

#include "physics/cloth/bending_hinge.hpp"
#include "physics/joints/joint_pool.hpp"

namespace clarke {

/// Null where no cloth has bending stiffness.
std::unique_ptr<JointPool> build_bending(const Entities& entities, const World& world);

}  // namespace clarke
