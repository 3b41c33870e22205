#pragma once
// Gap, lever arms and normal velocity of a contact at a configuration (contact_set.hpp).

#include "framework/state.hpp"

namespace clarke {

/// Geometry of one contact at a configuration (contact_set.hpp).
template <class T>
struct ContactGeometryT {
  T gap;                  // C [m]
  Vec3T<T> arm_a, arm_b;  // r_a, r_b [m]
};
using ContactGeometry = ContactGeometryT<double>;

template <class T>
KOKKOS_INLINE_FUNCTION ContactGeometryT<T> contact_geometry(const PoseT<T>& a, const PoseT<T>& b, const Vec3& pa,
                                                            const Vec3& pb, double rho_a, double rho_b,
                                                            const Vec3& normal) {
  const Vec3T<T> n = lift<T>(normal), ra = rotate(a.q, lift<T>(pa)), rb = rotate(b.q, lift<T>(pb));
  return {dot(n, a.x + ra - b.x - rb) - T(rho_a) - T(rho_b), ra - T(rho_a) * n, rb + T(rho_b) * n};
}

/// Normal velocity of contact i at a configuration: v_n = n·(v_a + ω_a × r_a − v_b − ω_b × r_b) [m/s].
KOKKOS_INLINE_FUNCTION double normal_velocity(const Twist& a, const Twist& b, const Vec3& arm_a, const Vec3& arm_b,
                                              const Vec3& n) {
  return dot(n, a.v + cross(a.w, arm_a) - b.v - cross(b.w, arm_b));
}

}  // namespace clarke
