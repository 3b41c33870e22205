#pragma once
// Singular values of a 3×3 matrix with rotations on both sides, and the polar decomposition that follows; device code,
// any scalar.
//
//   F = U diag(s) Vᵀ,   det U = det V = +1,   s₁ ≥ s₂ ≥ |s₃|          so s₃ has the sign of det F              [eq. E1]
//   F = R S,            R = U Vᵀ, det R = +1,  S = V diag(s) Vᵀ        S is indefinite where F is inverted
//
// One-sided Jacobi [Hestenes 1958]: columns of F V are rotated in pairs until they are orthogonal; their lengths are
// the singular values, their directions U. FᵀF is never formed, so small singular values keep their digits. Repeated,
// zero and negative values need no case of their own: a column without a direction of its own takes one at right angles
// to the others, so U and V are rotations for any finite F, the zero matrix included (there both are not unique, as for
// every repeated value).
//
// Limits: entries are scaled by the largest; columns below 1e-150 of it count as zero. NaN and infinity give NaN.

#include "framework/math/mat3.hpp"

namespace clarke {

template <class T>
struct SvdT {
  Mat3T<T> u, v;  // rotations
  Vec3T<T> s;     // unit of F
};
using Svd = SvdT<double>;

namespace svd_detail {

/// Rotates columns p and q of the matrices whose columns these are, so that those of the first are orthogonal. True if
/// they were.
template <class T>
KOKKOS_INLINE_FUNCTION bool orthogonalise(Vec3T<T>& bp, Vec3T<T>& bq, Vec3T<T>& vp, Vec3T<T>& vq, T rounding) {
  using std::fabs;
  using std::sqrt;
  const T pp = norm2(bp), qq = norm2(bq), pq = dot(bp, bq);
  if (!(fabs(pq) > rounding * sqrt(pp) * sqrt(qq))) return true;
  const T zeta = (qq - pp) / (T(2) * pq);
  const T t = (zeta >= T(0) ? T(1) : T(-1)) / (fabs(zeta) + sqrt(T(1) + zeta * zeta));
  const T c = T(1) / sqrt(T(1) + t * t), s = c * t;
  const Vec3T<T> b = bp, v = vp;
  bp = c * b - s * bq, bq = s * b + c * bq;
  vp = c * v - s * vq, vq = s * v + c * vq;
  return false;
}

/// Exchanges columns p and q by a quarter turn, which keeps V a rotation.
template <class T>
KOKKOS_INLINE_FUNCTION void order(Vec3T<T>& bp, Vec3T<T>& bq, Vec3T<T>& vp, Vec3T<T>& vq) {
  if (!(norm2(bp) < norm2(bq))) return;
  const Vec3T<T> b = bp, v = vp;
  bp = bq, bq = -b;
  vp = vq, vq = -v;
}

/// The unit vector of a, at right angles to the unit vector n; any such vector where nothing of a is left.
template <class T>
KOKKOS_INLINE_FUNCTION Vec3T<T> direction_beside(const Vec3T<T>& n, Vec3T<T> a, T size) {
  constexpr T kNothing = T(sizeof(T) > 4 ? 1e-150 : 1e-18);  // its square is still above underflow
  for (int pass = 0; pass < 2; ++pass) {  // twice is enough [Parlett]: the second pass removes the first one's rounding
    if (!(size > kNothing)) break;
    a = a / size;
    a = a - dot(n, a) * n;
    size = norm(a);
    if (size < T(0.5)) size = T(0);  // a was along n: rounding, no direction
  }
  if (size > kNothing) return a / size;
  Vec3T<T> t1, t2;
  tangent_frame(n, t1, t2);
  return t1;
}

}  // namespace svd_detail

template <class T>
KOKKOS_INLINE_FUNCTION SvdT<T> svd(const Mat3T<T>& f) {
  using std::fabs;
  SvdT<T> out;
  T scale(0);
  bool finite = true;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const T e = fabs(f(i, j));
      finite = finite && e - e == T(0);
      scale = e > scale ? e : scale;
    }
  out.u = out.v = Mat3T<T>::identity();
  if (!finite || scale == T(0)) {
    const T s = finite ? T(0) : T(NAN);
    out.s = {s, s, s};
    return out;
  }
  // columns of B = F V and of V
  const Mat3T<T> ft = transpose(T(1) / scale * f);
  Vec3T<T> b0 = ft.r0, b1 = ft.r1, b2 = ft.r2;
  Vec3T<T> v0{T(1), T(0), T(0)}, v1{T(0), T(1), T(0)}, v2{T(0), T(0), T(1)};
  constexpr T kRounding = T(sizeof(T) > 4 ? 2.3e-16 : 1.2e-7);
  constexpr int kSweeps = 12;  // five or six do; the bound is for columns that are rounding only
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    bool done = svd_detail::orthogonalise(b0, b1, v0, v1, kRounding);
    done = svd_detail::orthogonalise(b0, b2, v0, v2, kRounding) && done;
    done = svd_detail::orthogonalise(b1, b2, v1, v2, kRounding) && done;
    if (done) break;
  }
  svd_detail::order(b0, b1, v0, v1);
  svd_detail::order(b0, b2, v0, v2);
  svd_detail::order(b1, b2, v1, v2);
  const Vec3T<T> u0 = normalized(b0);
  const Vec3T<T> u1 = svd_detail::direction_beside(u0, b1, norm(b1));
  const Vec3T<T> u2 = cross(u0, u1);
  // Clamped, so that the order holds in spite of rounding.
  const T s0 = norm(b0), l1 = norm(b1), s1 = l1 < s0 ? l1 : s0;
  const T signed2 = dot(u2, b2), s2 = signed2 > s1 ? s1 : (signed2 < -s1 ? -s1 : signed2);
  out.s = {scale * s0, scale * s1, scale * s2};
  out.u = transpose(Mat3T<T>{u0, u1, u2});
  // The rotations multiply some thirty times; one step of Gram-Schmidt takes their rounding out.
  v0 = normalized(v0);
  v1 = normalized(v1 - dot(v0, v1) * v0);
  out.v = transpose(Mat3T<T>{v0, v1, cross(v0, v1)});
  return out;
}

template <class T>
KOKKOS_INLINE_FUNCTION Mat3T<T> with_columns_scaled(const Mat3T<T>& m, const Vec3T<T>& s) {
  return {{m.r0.x * s.x, m.r0.y * s.y, m.r0.z * s.z},
          {m.r1.x * s.x, m.r1.y * s.y, m.r1.z * s.z},
          {m.r2.x * s.x, m.r2.y * s.y, m.r2.z * s.z}};
}
/// U diag(s) Vᵀ
template <class T>
KOKKOS_INLINE_FUNCTION Mat3T<T> compose(const Mat3T<T>& u, const Vec3T<T>& s, const Mat3T<T>& v) {
  return with_columns_scaled(u, s) * transpose(v);
}
/// R = U Vᵀ: the rotation nearest to F in the Frobenius norm.
template <class T>
KOKKOS_INLINE_FUNCTION Mat3T<T> polar_rotation(const SvdT<T>& d) {
  return d.u * transpose(d.v);
}

}  // namespace clarke
