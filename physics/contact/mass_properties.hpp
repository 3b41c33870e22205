#pragma once
// Volume, centre and inertia of solid shapes of constant density.
//
//   V = ∫ dV      c = ∫ x dV / V      I/ρ = ∫ (|x−c|² 1 − (x−c)(x−c)ᵀ) dV        [m³], [m], [m⁵]
//
// Polyhedra are cut into tetrahedra (p, a, b, c) from one inner point p to a fan of every face; with D = det(a, b, c)
// relative to p each contributes D/6 to the volume and D/120 (ssᵀ + aaᵀ + bbᵀ + ccᵀ), s = a + b + c, to ∫ x xᵀ: exact.
// The thickness of a body does not count: it is a contact offset, not material.

#include "physics/contact/convex_hull.hpp"
#include "physics/world.hpp"

namespace clarke {

struct MassProperties {
  double volume = 0;  // [m³]; 0 for shapes without a volume (none, plane)
  Vec3 centre{};      // [m] in the frame in which the shape was given
  Mat3
      inertia_per_density{};  // [m⁵] about the centre, axes of that frame; times the density it is [kg m²]
};

MassProperties hull_mass_properties(const ConvexHull& hull);

/// `owner` begins the message of an InputError, e.g. "body 'b1'".
MassProperties mass_properties(const ShapeDescription& shape, const std::string& owner);

}  // namespace clarke
