#pragma once
// Eigenvalues and vectors of a symmetric 3×3 matrix by cyclic Jacobi rotations, and its positive semi-definite part;
// device code.
//
//   S = V diag(s) Vᵀ   →   S₊ = V diag(max(s, 0)) Vᵀ: the nearest positive semi-definite matrix in the Frobenius norm
//
// Eight sweeps reach rounding for any input; the symmetric part of the argument is taken.

#include "framework/math/mat3.hpp"

namespace clarke {

struct SymmetricEigen {
  Vec3 values;   // in no order
  Mat3 vectors;  // columns
};

KOKKOS_INLINE_FUNCTION SymmetricEigen symmetric_eigen(const Mat3& m) {
  Mat3 s = 0.5 * (m + transpose(m)), v = Mat3::identity();
  constexpr int kSweeps = 8;
  for (int sweep = 0; sweep < kSweeps; ++sweep)
    for (int p = 0; p < 2; ++p)
      for (int q = p + 1; q < 3; ++q) {
        if (s(p, q) == 0) continue;
        const double theta = (s(q, q) - s(p, p)) / (2 * s(p, q));
        const double t = (theta >= 0 ? 1 : -1) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1), n = t * c;
        for (int k = 0; k < 3; ++k) {  // S ← S G
          const double a = s(k, p), b = s(k, q);
          s(k, p) = c * a - n * b, s(k, q) = n * a + c * b;
          const double d = v(k, p), e = v(k, q);
          v(k, p) = c * d - n * e, v(k, q) = n * d + c * e;
        }
        for (int k = 0; k < 3; ++k) {  // S ← Gᵀ S
          const double a = s(p, k), b = s(q, k);
          s(p, k) = c * a - n * b, s(q, k) = n * a + c * b;
        }
      }
  return {{s(0, 0), s(1, 1), s(2, 2)}, v};
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
