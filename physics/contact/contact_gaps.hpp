#pragma once
// Gaps of a set of contacts at a configuration.

#include "physics/collision/contact_side.hpp"
#include "physics/contact/contact_geometry.hpp"
#include "physics/contact/turning_normal.hpp"

namespace clarke {

/// C of contact i at the poses of `at` [m]; `turning`: what the normals turn with, empty where none does. For kernels.
KOKKOS_INLINE_FUNCTION double contact_gap(const ContactSet& c, int i, int bodies, const State& at,
                                          const View<TurningNormal>& turning = {}) {
  const Pose a = side_pose(c.barycentric_a, i, c.a(i), bodies, at.x, at.orientation),
             b = side_pose(c.barycentric_b, i, c.b(i), bodies, at.x, at.orientation);
  Vec3 n;
  if (turns(turning, i))
    return turning_geometry(turning(i), a, b, c.point_a(i), c.point_b(i), c.radius_a(i), c.radius_b(i), n).gap;
  return contact_geometry(a, b, c.point_a(i), c.point_b(i), c.radius_a(i), c.radius_b(i), c.normal(i)).gap;
}

}  // namespace clarke
