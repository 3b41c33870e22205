#pragma once
// Inverse of a small dense matrix (an item's m × m block, m ≤ kMaxItemRows) by Gauss-Jordan with partial pivoting,
// in place, row-major; device code. Returns false when a pivot is zero to rounding, and leaves the matrix unusable.
// Most blocks are diagonal: their entries are inverted, to the same bits.

#include <Kokkos_Macros.hpp>

#include <cmath>

namespace clarke {

/// Largest item: a nine-row element.
inline constexpr int kMaxItemRows = 9;

KOKKOS_INLINE_FUNCTION bool invert_small(double* a, int m) {
  int pivot_row[kMaxItemRows] = {};
  double scale = 0;
  bool diagonal = true;
  for (int r = 0; r < m; ++r)
    for (int e = 0; e < m; ++e) {
      if (std::fabs(a[r * m + e]) > scale) scale = std::fabs(a[r * m + e]);  // fmax is a call
      diagonal = diagonal && (r == e || a[r * m + e] == 0);
    }
  constexpr double kRounding = 1e-15;
  if (diagonal) {
    for (int k = 0; k < m; ++k) {
      if (!(std::fabs(a[k * m + k]) > kRounding * scale)) return false;
      a[k * m + k] = 1 / a[k * m + k];
    }
    return true;
  }
  for (int k = 0; k < m; ++k) {
    int p = k;
    for (int i = k + 1; i < m; ++i)
      if (std::fabs(a[i * m + k]) > std::fabs(a[p * m + k])) p = i;
    pivot_row[k] = p;
    if (!(std::fabs(a[p * m + k]) > kRounding * scale)) return false;
    if (p != k)
      for (int j = 0; j < m; ++j) {
        const double t = a[k * m + j];
        a[k * m + j] = a[p * m + j];
        a[p * m + j] = t;
      }
    const double inv = 1 / a[k * m + k];
    a[k * m + k] = 1;
    for (int j = 0; j < m; ++j) a[k * m + j] *= inv;
    for (int i = 0; i < m; ++i) {
      if (i == k) continue;
      const double f = a[i * m + k];
      a[i * m + k] = 0;
      for (int j = 0; j < m; ++j) a[i * m + j] -= f * a[k * m + j];
    }
  }
  for (int k = m - 1; k >= 0; --k) {
    const int p = pivot_row[k];
    if (p == k) continue;
    for (int i = 0; i < m; ++i) {
      const double t = a[i * m + k];
      a[i * m + k] = a[i * m + p];
      a[i * m + p] = t;
    }
  }
  return true;
}

}  // namespace clarke
