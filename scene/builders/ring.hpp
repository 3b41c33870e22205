#pragma once
// Hollow bodies of revolution from convex pieces: a convex quadrilateral in the half plane (radius, height), turned
// about z in `segments` steps, is that many convex pieces with eight corners each. Neighbours share four corners.

#include "physics/description/world.hpp"

namespace clarke {

/// A corner of the quadrilateral [m].
struct RingProfile {
  double radius = 0, z = 0;
};

/// Appends the pieces to a compound shape.
void add_ring(ShapeDescription& compound, const RingProfile (&corner)[4], int segments);

/// A disc: the convex piece between two regular polygons, `low` and `high`, with corners where a ring has its.
void add_disc(ShapeDescription& compound, const RingProfile& low, const RingProfile& high, int segments);

}  // namespace clarke
