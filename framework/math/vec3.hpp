#pragma once
// Three-vectors as plain values, usable in host and device code and for any scalar (double, float, dual numbers).
// Every quantity keeps the unit of its scalar. World frame unless a name says otherwise.

#include <Kokkos_Macros.hpp>

#include <cmath>

namespace clarke {

template <class T>
struct Vec3T {
  T x{}, y{}, z{};

  KOKKOS_INLINE_FUNCTION constexpr T& operator[](int i) { return i == 0 ? x : (i == 1 ? y : z); }
  KOKKOS_INLINE_FUNCTION constexpr const T& operator[](int i) const { return i == 0 ? x : (i == 1 ? y : z); }
  KOKKOS_INLINE_FUNCTION constexpr Vec3T& operator+=(const Vec3T& b) {
    x += b.x, y += b.y, z += b.z;
    return *this;
  }
  KOKKOS_INLINE_FUNCTION constexpr Vec3T& operator-=(const Vec3T& b) {
    x -= b.x, y -= b.y, z -= b.z;
    return *this;
  }
  KOKKOS_INLINE_FUNCTION constexpr Vec3T& operator*=(T s) {
    x *= s, y *= s, z *= s;
    return *this;
  }
};

using Vec3 = Vec3T<double>;

template <class T>
KOKKOS_INLINE_FUNCTION constexpr Vec3T<T> operator+(Vec3T<T> a, const Vec3T<T>& b) {
  return a += b;
}
template <class T>
KOKKOS_INLINE_FUNCTION constexpr Vec3T<T> operator-(Vec3T<T> a, const Vec3T<T>& b) {
  return a -= b;
}
template <class T>
KOKKOS_INLINE_FUNCTION constexpr Vec3T<T> operator-(const Vec3T<T>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class T>
KOKKOS_INLINE_FUNCTION constexpr Vec3T<T> operator*(T s, Vec3T<T> a) {
  return a *= s;
}
template <class T>
KOKKOS_INLINE_FUNCTION constexpr Vec3T<T> operator*(Vec3T<T> a, T s) {
  return a *= s;
}
template <class T>
KOKKOS_INLINE_FUNCTION constexpr Vec3T<T> operator/(Vec3T<T> a, T s) {
  return {a.x / s, a.y / s, a.z / s};
}
template <class T>
KOKKOS_INLINE_FUNCTION constexpr T dot(const Vec3T<T>& a, const Vec3T<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
KOKKOS_INLINE_FUNCTION constexpr Vec3T<T> cross(const Vec3T<T>& a, const Vec3T<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
KOKKOS_INLINE_FUNCTION constexpr T norm2(const Vec3T<T>& a) {
  return dot(a, a);
}
template <class T>
KOKKOS_INLINE_FUNCTION T norm(const Vec3T<T>& a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}
/// a / |a|; the caller guarantees |a| > 0.
template <class T>
KOKKOS_INLINE_FUNCTION Vec3T<T> normalized(const Vec3T<T>& a) {
  return a / norm(a);
}

/// A constant in the scalar of an evaluation.
template <class T>
KOKKOS_INLINE_FUNCTION constexpr Vec3T<T> lift(const Vec3& a) {
  return {T(a.x), T(a.y), T(a.z)};
}

/// Right-handed orthonormal frame (n, t1, t2) around the unit vector n: t1 is the coordinate axis least aligned
/// with n, made orthogonal to it (ties prefer x, then y), t2 = n × t1. A pure function of n, so that the frame of a
/// contact does not depend on history.
template <class T>
KOKKOS_INLINE_FUNCTION void tangent_frame(const Vec3T<T>& n, Vec3T<T>& t1, Vec3T<T>& t2) {
  using std::fabs;
  const T ax = fabs(n.x), ay = fabs(n.y), az = fabs(n.z);
  Vec3T<T> e{};
  if (ax <= ay && ax <= az) {
    e.x = T(1);
  } else if (ay <= az) {
    e.y = T(1);
  } else {
    e.z = T(1);
  }
  t1 = normalized(e - dot(e, n) * n);
  t2 = cross(n, t1);
}

}  // namespace clarke
