#pragma once
// A soft body as a picture: what its nodes and elements say of the deformation.
//
//   volumetric strain   J − 1,  J = det F
//   Cauchy stress       σ = P Fᵀ / J,   von Mises √(3/2 s:s), s = σ − tr σ/3     [Pa]; NaN where an element is flat
//   displacement        from the undeformed body at its first pose

#include "framework/frame.hpp"
#include "physics/description/world.hpp"

namespace clarke {

/// `x`, `v`: positions and velocities of the particles of the world (all of them, in order).
FrameSoft soft_frame(const SoftDescription& body, const std::vector<Vec3>& x, const std::vector<Vec3>& v);

}  // namespace clarke
