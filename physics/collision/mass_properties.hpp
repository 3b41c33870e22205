#pragma once
// Volume, centre and inertia of solid shapes of constant density.
//
//   V = ∫ dV      c = ∫ x dV / V      I/ρ = ∫ (|x−c|² 1 − (x−c)(x−c)ᵀ) dV        [m³], [m], [m⁵]
//
// Polyhedra are cut into tetrahedra (p, a, b, c) from one inner point p to a fan of every face; with D = det(a, b, c)
// relative to p each contributes D/6 to the volume and D/120 (ssᵀ + aaᵀ + bbᵀ + ccᵀ), s = a + b + c, to ∫ x xᵀ: exact.
// Cylinder, radius r and half height h, axis z: V = 2πr²h, I_z = V r²/2, I_x = V (r²/4 + h²/3). The caps of a capsule
// add a ball of volume W = 4πr³/3, cut in two halves whose centres of mass are at ±(h + 3r/8):
//
//   I_z += 2/5 W r²     I_x += W (2/5 r² + h² + 3/4 h r)
//
// A compound is the sum of its children, each turned by R to p and moved to the common centre (parallel axes):
//
//   V = Σ V_i,   c = Σ V_i (p_i + R_i c_i) / V
//   I/ρ = Σ R_i (I_i/ρ) R_iᵀ + V_i (|d_i|² 1 − d_i d_iᵀ),   d_i = p_i + R_i c_i − c
//
// Exact as a sum; where children overlap, their common volume counts once for each of them.
// The thickness of a body does not count: it is a contact offset, not material.

#include "physics/collision/convex_hull.hpp"
#include "physics/description/world.hpp"

namespace clarke {

struct MassProperties {
  double volume = 0;           // [m³]; 0 for shapes without a volume (none, plane, mesh, height field)
  Vec3 centre{};               // [m] in the frame in which the shape was given
  Mat3 inertia_per_density{};  // [m⁵] about the centre, axes of that frame; times the density it is [kg m²]
};

MassProperties hull_mass_properties(const ConvexHull& hull);

/// Mass m at d from the point about which its inertia is wanted: m (|d|² 1 − d dᵀ).
inline Mat3 parallel_axis(double m, const Vec3& d) {
  const double d2 = norm2(d);
  return m * (Mat3::diagonal(d2, d2, d2) - outer(d, d));
}

/// `inertia` and `inertia_products` of a body as one matrix. Only for bodies with `inertia`.
Mat3 inertia_tensor(const BodyDescription& body);

/// Eigenvalues of a symmetric matrix, ascending.
Vec3 principal_moments(const Mat3& inertia);

/// Whether a body of positive density everywhere could have these principal moments, I1 ≤ I2 ≤ I3: I3 ≤ I1 + I2. The
/// slack is for rounded input of flat bodies.
inline bool triangle_inequality(const Vec3& moments) {
  constexpr double kRounded = 1e-6;
  return moments.z <= (moments.x + moments.y) * (1 + kRounded);
}

/// `owner` begins the message of an InputError, e.g. "body 'b1'".
MassProperties mass_properties(const ShapeDescription& shape, const std::string& owner);

}  // namespace clarke
