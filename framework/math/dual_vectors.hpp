#pragma once
// Vectors and matrices of dual numbers: a value with the direction it is differentiated along, and what came of it.

#include "framework/math/dual.hpp"
#include "framework/math/quat.hpp"

namespace clarke {

KOKKOS_INLINE_FUNCTION constexpr Vec3T<Dual> dual(const Vec3& value, const Vec3& along) {
  return {{value.x, along.x}, {value.y, along.y}, {value.z, along.z}};
}
KOKKOS_INLINE_FUNCTION constexpr Mat3T<Dual> dual(const Mat3& value, const Mat3& along) {
  return {dual(value.r0, along.r0), dual(value.r1, along.r1), dual(value.r2, along.r2)};
}
/// An orientation that turns at `along` [rad per unit of ε] about the world's axes: q + ε ½ (0, along) ∘ q.
KOKKOS_INLINE_FUNCTION constexpr QuatT<Dual> dual(const Quat& value, const Vec3& along) {
  const Quat d = Quat{0, 0.5 * along.x, 0.5 * along.y, 0.5 * along.z} * value;
  return {{value.w, d.w}, {value.x, d.x}, {value.y, d.y}, {value.z, d.z}};
}

KOKKOS_INLINE_FUNCTION constexpr Vec3 value_of(const Vec3T<Dual>& a) { return {a.x.v, a.y.v, a.z.v}; }
KOKKOS_INLINE_FUNCTION constexpr Mat3 value_of(const Mat3T<Dual>& m) {
  return {value_of(m.r0), value_of(m.r1), value_of(m.r2)};
}
KOKKOS_INLINE_FUNCTION constexpr Vec3 derivative_of(const Vec3T<Dual>& a) { return {a.x.d, a.y.d, a.z.d}; }
KOKKOS_INLINE_FUNCTION constexpr Mat3 derivative_of(const Mat3T<Dual>& m) {
  return {derivative_of(m.r0), derivative_of(m.r1), derivative_of(m.r2)};
}

}  // namespace clarke
