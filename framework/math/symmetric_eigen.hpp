#pragma once
// Eigenvalues and vectors of a symmetric 3×3 matrix by cyclic Jacobi rotations, and its positive semi-definite part;
// device code.
//
//   S = V diag(s) Vᵀ   →   S₊ = V diag(max(s, 0)) Vᵀ: the nearest positive semi-definite matrix in the Frobenius norm
//
// Four or five sweeps reach rounding, eight for any input; the symmetric part of the argument is taken.

#include "framework/math/mat3.hpp"

namespace clarke {

struct SymmetricEigen {
  Vec3 values;   // in no order
  Mat3 vectors;  // columns
};

namespace eigen_detail {

/// S ← Gᵀ S G and V ← V G with the rotation G of p and q that makes s_pq zero; r is the third. False where s_pq is
/// rounding beside both of its diagonal entries: then it becomes zero alone.
KOKKOS_INLINE_FUNCTION bool rotate_pair(double& pp, double& qq, double& pq, double& rp, double& rq, Vec3& vp,
                                        Vec3& vq) {
  const double small = 100 * std::fabs(pq);
  if (std::fabs(pp) + small == std::fabs(pp) && std::fabs(qq) + small == std::fabs(qq)) {
    pq = 0;
    return false;
  }
  const double theta = (qq - pp) / (2 * pq);
  const double t = (theta >= 0 ? 1 : -1) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
  const double c = 1 / std::sqrt(t * t + 1), n = t * c;
  pp -= t * pq, qq += t * pq;
  pq = 0;
  const double r = rp;
  rp = c * r - n * rq, rq = n * r + c * rq;
  const Vec3 v = vp;
  vp = c * v - n * vq, vq = n * v + c * vq;
  return true;
}

}  // namespace eigen_detail

KOKKOS_INLINE_FUNCTION SymmetricEigen symmetric_eigen(const Mat3& m) {
  double s00 = m.r0.x, s11 = m.r1.y, s22 = m.r2.z;
  double s01 = 0.5 * (m.r0.y + m.r1.x), s02 = 0.5 * (m.r0.z + m.r2.x), s12 = 0.5 * (m.r1.z + m.r2.y);
  Vec3 v0{1, 0, 0}, v1{0, 1, 0}, v2{0, 0, 1};
  constexpr int kSweeps = 8;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    bool rotated = eigen_detail::rotate_pair(s00, s11, s01, s02, s12, v0, v1);
    rotated = eigen_detail::rotate_pair(s00, s22, s02, s01, s12, v0, v2) || rotated;
    rotated = eigen_detail::rotate_pair(s11, s22, s12, s01, s02, v1, v2) || rotated;
    if (!rotated) break;
  }
  return {{s00, s11, s22}, transpose(Mat3{v0, v1, v2})};
}

KOKKOS_INLINE_FUNCTION Mat3 positive_part(const Mat3& m) {
  const SymmetricEigen d = symmetric_eigen(m);
  Mat3 out{};
  for (int k = 0; k < 3; ++k) {
    if (!(d.values[k] > 0)) continue;
    const Vec3 e{d.vectors(0, k), d.vectors(1, k), d.vectors(2, k)};
    out = out + d.values[k] * outer(e, e);
  }
  return out;
}

}  // namespace clarke
