#pragma once
// Gap, lever arms and normal velocity of a contact at a configuration (contact_set.hpp).

#include "framework/state.hpp"

namespace clarke {

/// Geometry of one contact at a configuration (contact_set.hpp).
struct ContactGeometry {
  double gap;         // C [m]
  Vec3 arm_a, arm_b;  // r_a, r_b [m]
};

KOKKOS_INLINE_FUNCTION ContactGeometry contact_geometry(const Pose& a, const Pose& b, const Vec3& pa, const Vec3& pb,
                                                        double rho_a, double rho_b, const Vec3& n) {
  const Vec3 ra = rotate(a.q, pa), rb = rotate(b.q, pb);
  return {dot(n, a.x + ra - b.x - rb) - rho_a - rho_b, ra - rho_a * n, rb + rho_b * n};
}

/// Normal velocity of contact i at a configuration: v_n = n·(v_a + ω_a × r_a − v_b − ω_b × r_b) [m/s].
KOKKOS_INLINE_FUNCTION double normal_velocity(const Twist& a, const Twist& b, const Vec3& arm_a, const Vec3& arm_b,
                                              const Vec3& n) {
  return dot(n, a.v + cross(a.w, arm_a) - b.v - cross(b.w, arm_b));
}

}  // namespace clarke
