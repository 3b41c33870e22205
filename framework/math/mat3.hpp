#pragma once
// 3×3 matrices as plain values, row-major; host and device, any scalar.

#include "framework/math/vec3.hpp"

namespace clarke {

template <class T>
struct Mat3T {
  Vec3T<T> r0{}, r1{}, r2{};  // rows

  KOKKOS_INLINE_FUNCTION constexpr Vec3T<T>& operator[](int i) { return i == 0 ? r0 : (i == 1 ? r1 : r2); }
  KOKKOS_INLINE_FUNCTION constexpr const Vec3T<T>& operator[](int i) const { return i == 0 ? r0 : (i == 1 ? r1 : r2); }
  KOKKOS_INLINE_FUNCTION constexpr T& operator()(int i, int j) { return (*this)[i][j]; }
  KOKKOS_INLINE_FUNCTION constexpr const T& operator()(int i, int j) const { return (*this)[i][j]; }

  KOKKOS_INLINE_FUNCTION static constexpr Mat3T diagonal(T a, T b, T c) {
    return {{a, T(0), T(0)}, {T(0), b, T(0)}, {T(0), T(0), c}};
  }
  KOKKOS_INLINE_FUNCTION static constexpr Mat3T identity() { return diagonal(T(1), T(1), T(1)); }
};

using Mat3 = Mat3T<double>;

template <class T>
KOKKOS_INLINE_FUNCTION constexpr Vec3T<T> operator*(const Mat3T<T>& m, const Vec3T<T>& v) {
  return {dot(m.r0, v), dot(m.r1, v), dot(m.r2, v)};
}
template <class T>
KOKKOS_INLINE_FUNCTION constexpr Mat3T<T> transpose(const Mat3T<T>& m) {
  return {{m.r0.x, m.r1.x, m.r2.x}, {m.r0.y, m.r1.y, m.r2.y}, {m.r0.z, m.r1.z, m.r2.z}};
}
/// mᵀ v without forming the transpose.
template <class T>
KOKKOS_INLINE_FUNCTION constexpr Vec3T<T> transpose_times(const Mat3T<T>& m, const Vec3T<T>& v) {
  return m.r0 * v.x + m.r1 * v.y + m.r2 * v.z;
}
template <class T>
KOKKOS_INLINE_FUNCTION constexpr Mat3T<T> operator*(const Mat3T<T>& a, const Mat3T<T>& b) {
  return {transpose_times(b, a.r0), transpose_times(b, a.r1), transpose_times(b, a.r2)};
}
template <class T>
KOKKOS_INLINE_FUNCTION constexpr Mat3T<T> operator+(const Mat3T<T>& a, const Mat3T<T>& b) {
  return {a.r0 + b.r0, a.r1 + b.r1, a.r2 + b.r2};
}
template <class T>
KOKKOS_INLINE_FUNCTION constexpr Mat3T<T> operator-(const Mat3T<T>& a, const Mat3T<T>& b) {
  return {a.r0 - b.r0, a.r1 - b.r1, a.r2 - b.r2};
}
template <class T>
KOKKOS_INLINE_FUNCTION constexpr Mat3T<T> operator*(T s, const Mat3T<T>& a) {
  return {s * a.r0, s * a.r1, s * a.r2};
}
/// a bᵀ
template <class T>
KOKKOS_INLINE_FUNCTION constexpr Mat3T<T> outer(const Vec3T<T>& a, const Vec3T<T>& b) {
  return {a.x * b, a.y * b, a.z * b};
}
/// [v]×, the matrix with [v]× w = v × w.
template <class T>
KOKKOS_INLINE_FUNCTION constexpr Mat3T<T> cross_matrix(const Vec3T<T>& v) {
  return {{T(0), -v.z, v.y}, {v.z, T(0), -v.x}, {-v.y, v.x, T(0)}};
}
template <class T>
KOKKOS_INLINE_FUNCTION constexpr T trace(const Mat3T<T>& m) {
  return m.r0.x + m.r1.y + m.r2.z;
}
template <class T>
KOKKOS_INLINE_FUNCTION constexpr T determinant(const Mat3T<T>& m) {
  return dot(m.r0, cross(m.r1, m.r2));
}
/// A constant in the scalar of an evaluation.
template <class T>
KOKKOS_INLINE_FUNCTION constexpr Mat3T<T> lift(const Mat3& m) {
  return {lift<T>(m.r0), lift<T>(m.r1), lift<T>(m.r2)};
}
/// Inverse by the adjugate; the caller guarantees det ≠ 0. Relative error a few eps × condition number.
template <class T>
KOKKOS_INLINE_FUNCTION constexpr Mat3T<T> inverse(const Mat3T<T>& m) {
  const Vec3T<T> c0 = cross(m.r1, m.r2), c1 = cross(m.r2, m.r0), c2 = cross(m.r0, m.r1);
  const T s = T(1) / dot(m.r0, c0);
  return transpose(Mat3T<T>{c0 * s, c1 * s, c2 * s});
}

}  // namespace clarke
