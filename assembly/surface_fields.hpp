#pragma once
// What surfaces say of friction, for pictures: the direction of the grain and the coefficients along, across and
// against it.

#include "framework/frame.hpp"
#include "physics/friction/contact_friction.hpp"

namespace clarke {

/// Per polygon, at its middle. Where the field varies, quadrilaterals are cut first into at most kFieldCells along each
/// side.
inline constexpr int kFieldCells = 64;
void add_structure(Surface& surface, const ContactFriction& cones, int entity, const View<Vec3>& x);

/// Per node, as the deformation has carried it. `first_entity`: that of the first node.
void add_structure(FrameSoft& soft, const ContactFriction& cones, int first_entity, const View<Vec3>& x);

}  // namespace clarke
