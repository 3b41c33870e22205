#pragma once
// The positive semi-definite part of a symmetric matrix of some dozen rows; device code.
//
//   S = V diag(s) Vᵀ   →   S₊ = V diag(max(s, 0)) Vᵀ: the nearest positive semi-definite matrix in the Frobenius norm
//
// By Householder's reflections to a tridiagonal matrix, and QL steps with implicit shifts on that [Golub Van Loan 2013,
// 8.3]: errors are rounding of |S|. The symmetric part of the argument is taken; a NaN stays one.

#include <Kokkos_Macros.hpp>

#include <cmath>

namespace clarke {

namespace positive_detail {

constexpr double kNegligible = 1e-17;  // beside entries of the size 1

/// s ← Q s Qᵀ, tridiagonal: d its diagonal, e[i] between i and i + 1; v ← Q v. The largest entries of s are of the size
/// 1, what is negligible beside them is zero: squares of less would vanish, and 2/square overflow.
KOKKOS_INLINE_FUNCTION void make_tridiagonal(double* s, double* v, int n, double* d, double* e, double* work) {
  for (int k = 0; k + 2 < n; ++k) {
    double square = 0;
    for (int i = k + 2; i < n; ++i) square += s[k * n + i] * s[k * n + i];
    if (square < kNegligible * kNegligible) continue;
    double* y = s + k * n;  // becomes Householder's vector
    const double first = y[k + 1], length = std::sqrt(first * first + square), end = first > 0 ? -length : length;
    y[k + 1] = first - end;
    const double beta = 2 / (y[k + 1] * y[k + 1] + square);
    double along = 0;
    for (int i = k + 1; i < n; ++i) {
      double sum = 0;
      for (int j = k + 1; j < n; ++j) sum += s[i * n + j] * y[j];
      work[i] = beta * sum;
      along += y[i] * work[i];
    }
    for (int i = k + 1; i < n; ++i) work[i] -= 0.5 * beta * along * y[i];
    for (int i = k + 1; i < n; ++i)
      for (int j = k + 1; j < n; ++j) s[i * n + j] -= y[i] * work[j] + work[i] * y[j];
    for (int j = 0; j < n; ++j) work[j] = 0;
    for (int i = k + 1; i < n; ++i)
      for (int j = 0; j < n; ++j) work[j] += y[i] * v[i * n + j];
    for (int i = k + 1; i < n; ++i)
      for (int j = 0; j < n; ++j) v[i * n + j] -= beta * y[i] * work[j];
    y[k + 1] = end;
  }
  for (int i = 0; i < n; ++i) {
    d[i] = s[i * n + i];
    e[i] = i + 1 < n ? s[i * n + i + 1] : 0;
  }
}

/// d ← the eigenvalues of that tridiagonal matrix (d, e); rows of v turn with it.
KOKKOS_INLINE_FUNCTION void make_diagonal(double* d, double* e, double* v, int n) {
  constexpr int kMost = 60;          // QL steps for an eigenvalue: two or three do
  constexpr double kUnit = 2.3e-16;  // of the entries on the diagonal beside it
  for (int l = 0; l < n; ++l)
    for (int step = 0; step < kMost; ++step) {
      int m = l;
      while (m + 1 < n && std::fabs(e[m]) > kNegligible &&
             std::fabs(e[m]) > kUnit * (std::fabs(d[m]) + std::fabs(d[m + 1])))
        ++m;
      if (m == l) break;
      const double half = (d[l + 1] - d[l]) / (2 * e[l]), root = std::sqrt(half * half + 1);
      double g = d[m] - d[l] + e[l] / (half + (half >= 0 ? root : -root)), sine = 1, cosine = 1, shift = 0;
      int i = m - 1;
      for (; i >= l; --i) {
        const double f = sine * e[i], b = cosine * e[i], r = std::sqrt(f * f + g * g);
        e[i + 1] = r;
        if (r == 0) break;
        sine = f / r, cosine = g / r;
        g = d[i + 1] - shift;
        const double turned = (d[i] - g) * sine + 2 * cosine * b;
        shift = sine * turned;
        d[i + 1] = g + shift;
        g = cosine * turned - b;
        for (int k = 0; k < n; ++k) {
          const double x = v[i * n + k], y = v[(i + 1) * n + k];
          v[i * n + k] = cosine * x - sine * y, v[(i + 1) * n + k] = sine * x + cosine * y;
        }
      }
      if (i >= l) {  // the matrix has fallen apart there
        d[i + 1] -= shift;
      } else {
        d[l] -= shift;
        e[l] = g;
      }
      e[m] = 0;
    }
}

}  // namespace positive_detail

/// a ← its positive semi-definite part; n × n, row-major, n ≤ N.
template <int N>
KOKKOS_INLINE_FUNCTION void positive_part_of(double* a, int n) {
  double s[N * N], v[N * N], d[N], e[N], work[N];
  double largest = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      s[i * n + j] = 0.5 * (a[i * n + j] + a[j * n + i]);
      v[i * n + j] = i == j ? 1 : 0;
      if (!(std::fabs(s[i * n + j]) <= largest)) largest = std::fabs(s[i * n + j]);  // NaN, too
    }
  for (int i = 0; i < n * n; ++i) a[i] = 0;
  if (largest == 0) return;
  int exponent = 0;
  (void)std::frexp(largest, &exponent);
  const double unit = std::ldexp(1.0, exponent - 1);  // a power of two: no digit is lost
  for (int i = 0; i < n * n; ++i) s[i] /= unit;
  positive_detail::make_tridiagonal(s, v, n, d, e, work);
  positive_detail::make_diagonal(d, e, v, n);
  for (int k = 0; k < n; ++k) {
    if (d[k] <= 0) continue;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) a[i * n + j] += unit * d[k] * v[k * n + i] * v[k * n + j];
  }
}

}  // namespace clarke
