#pragma once
// Shapes as polygonal surfaces for output, in the frame of their body (origin at the centre of mass).

#include "framework/frame.hpp"
#include "physics/description/world.hpp"

namespace clarke {

/// Half edge [m] of the square that stands for an unbounded plane.
inline constexpr double kPlaneHalfSize = 20;

/// Sphere: 24 × 12 quadrilaterals by longitude and latitude (triangles at the poles). Plane: a square around the foot
/// of the origin. Capsule: a sphere drawn apart. Cylinder: 24 sides and two caps. Box and convex: their faces. The
/// thickness moves spheres, capsules and planes outwards; shapes with edges are drawn without it. Compound: its parts,
/// one after another, overlaps and all. Mesh and height field: their triangles. Kind none: an empty surface. Throws
/// InputError as body_shape() does.
Surface body_surface(const BodyDescription& body, double plane_half_size = kPlaneHalfSize);

Surface sphere_surface(double radius);

}  // namespace clarke
