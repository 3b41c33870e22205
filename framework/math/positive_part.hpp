#pragma once
// The positive semi-definite part of a symmetric matrix of some dozen rows, by cyclic Jacobi rotations; device code.
//
//   S = V diag(s) Vᵀ   →   S₊ = V diag(max(s, 0)) Vᵀ: the nearest positive semi-definite matrix in the Frobenius norm
//
// The symmetric part of the argument is taken. Rotations end when what is off the diagonal has vanished to rounding,
// six to eight sweeps; a NaN stays one.

#include <Kokkos_Macros.hpp>

#include <cmath>

namespace clarke {

/// a ← its positive semi-definite part; n × n, row-major, n ≤ N.
template <int N>
KOKKOS_INLINE_FUNCTION void positive_part_of(double* a, int n) {
  double s[N * N], v[N * N];
  double size = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      s[i * n + j] = 0.5 * (a[i * n + j] + a[j * n + i]);
      v[i * n + j] = i == j ? 1 : 0;
      size += s[i * n + j] * s[i * n + j];
    }
  constexpr int kSweeps = 30;
  constexpr double kRounding = 1e-30;  // of the squared norm
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    double off = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < i; ++j) off += 2 * s[i * n + j] * s[i * n + j];
    if (!(off > kRounding * size)) break;
    for (int p = 0; p < n; ++p)
      for (int q = p + 1; q < n; ++q) {
        const double between = s[p * n + q];
        if (between == 0) continue;
        const double theta = (s[q * n + q] - s[p * n + p]) / (2 * between);
        const double t = (theta >= 0 ? 1 : -1) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1), d = t * c;
        for (int k = 0; k < n; ++k) {  // S ← S G, V ← V G
          const double x = s[k * n + p], y = s[k * n + q];
          s[k * n + p] = c * x - d * y, s[k * n + q] = d * x + c * y;
          const double e = v[k * n + p], f = v[k * n + q];
          v[k * n + p] = c * e - d * f, v[k * n + q] = d * e + c * f;
        }
        for (int k = 0; k < n; ++k) {  // S ← Gᵀ S
          const double x = s[p * n + k], y = s[q * n + k];
          s[p * n + k] = c * x - d * y, s[q * n + k] = d * x + c * y;
        }
      }
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < n; ++k)
        if (!(s[k * n + k] <= 0)) sum += s[k * n + k] * v[i * n + k] * v[j * n + k];
      a[i * n + j] = sum;
    }
}

}  // namespace clarke
