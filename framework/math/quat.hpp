#pragma once
// Unit quaternions, stored (w, x, y, z): rotation of body coordinates into world coordinates, R(q).
//
//   kinematic map      q̇ = ½ (0, ω) ∘ q            ω [rad/s] in the world frame        [eq. K1 of docs/theory.md]
//   one step           q⁺ = normalise(q + ½ b (0, ω) ∘ q)
//
// The step turns about ω by 2 atan(b|ω|/2), so ω has the same coordinates in the old and the new body frame.

#include "framework/math/mat3.hpp"

namespace clarke {

template <class T>
struct QuatT {
  T w{1}, x{}, y{}, z{};
};

using Quat = QuatT<double>;

template <class T>
KOKKOS_INLINE_FUNCTION constexpr QuatT<T> operator*(const QuatT<T>& a, const QuatT<T>& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
template <class T>
KOKKOS_INLINE_FUNCTION constexpr QuatT<T> conjugate(const QuatT<T>& q) {
  return {q.w, -q.x, -q.y, -q.z};
}
template <class T>
KOKKOS_INLINE_FUNCTION constexpr T norm2(const QuatT<T>& q) {
  return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
}
template <class T>
KOKKOS_INLINE_FUNCTION QuatT<T> normalized(const QuatT<T>& q) {
  using std::sqrt;
  const T s = T(1) / sqrt(norm2(q));
  return {q.w * s, q.x * s, q.y * s, q.z * s};
}
template <class T>
KOKKOS_INLINE_FUNCTION constexpr Mat3T<T> rotation_matrix(const QuatT<T>& q) {
  const T xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z;
  const T xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
  const T wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
  const T one(1), two(2);
  return {{one - two * (yy + zz), two * (xy - wz), two * (xz + wy)},
          {two * (xy + wz), one - two * (xx + zz), two * (yz - wx)},
          {two * (xz - wy), two * (yz + wx), one - two * (xx + yy)}};
}
/// R(q) v
template <class T>
KOKKOS_INLINE_FUNCTION constexpr Vec3T<T> rotate(const QuatT<T>& q, const Vec3T<T>& v) {
  const Vec3T<T> u{q.x, q.y, q.z};
  const Vec3T<T> t = T(2) * cross(u, v);
  return v + q.w * t + cross(u, t);
}
/// R(q)ᵀ v
template <class T>
KOKKOS_INLINE_FUNCTION constexpr Vec3T<T> rotate_inverse(const QuatT<T>& q, const Vec3T<T>& v) {
  return rotate(conjugate(q), v);
}
/// Orientation after turning with world angular velocity w [rad/s] for the time b [s] (see the top of this file).
template <class T>
KOKKOS_INLINE_FUNCTION QuatT<T> advance(const QuatT<T>& q, const Vec3T<T>& w, T b) {
  const T c = b / T(2);
  const QuatT<T> d = QuatT<T>{T(0), c * w.x, c * w.y, c * w.z} * q;
  return normalized(QuatT<T>{q.w + d.w, q.x + d.x, q.y + d.y, q.z + d.z});
}
/// τ of the rotation (1, τ)/√(1 + |τ|²) from one orientation to another: half its angle's tangent along its axis. Of
/// advance(q, ω, b) it is b ω/2.
template <class T>
KOKKOS_INLINE_FUNCTION constexpr Vec3T<T> half_angle_tangent(const QuatT<T>& from, const QuatT<T>& to) {
  const QuatT<T> q = to * conjugate(from);
  return {q.x / q.w, q.y / q.w, q.z / q.w};
}
/// Rotation by `angle` [rad] about the unit vector `axis`.
template <class T>
KOKKOS_INLINE_FUNCTION QuatT<T> from_axis_angle(const Vec3T<T>& axis, T angle) {
  using std::cos;
  using std::sin;
  const T s = sin(angle / T(2));
  return {cos(angle / T(2)), s * axis.x, s * axis.y, s * axis.z};
}

}  // namespace clarke
