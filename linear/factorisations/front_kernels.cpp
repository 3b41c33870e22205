#include "linear/factorisations/front_kernels.hpp"

#include <algorithm>
#include <cmath>

namespace clarke {

namespace {

constexpr double kSwap = 10;  // how much larger a row's entry is that becomes the pivot instead of the diagonal
constexpr int kPanel = 6;     // pivots eliminated together, before what is behind them sees them: those of a body
constexpr int kTileRows = 4;

using Four [[gnu::vector_size(32)]] = double;

/// In memory, where nothing is aligned to more than a number.
struct [[gnu::packed, gnu::may_alias]] Loose {
  Four value;
};

inline const Loose* four(const double* p) { return reinterpret_cast<const Loose*>(p); }
inline Loose* four(double* p) { return reinterpret_cast<Loose*>(p); }

/// Entry (r, e) of the left factor: row after row, or column after column.
template <bool kColumns>
[[gnu::always_inline]] inline double left(const double* a, int lda, int r, int e) {
  return kColumns ? a[e * lda + r] : a[r * lda + e];
}

/// R rows by W fours of columns of C −= A B.
template <bool kColumns, int R, int W>
[[gnu::always_inline]] inline void subtract_tile(double* c, int ldc, const double* a, int lda, const double* b, int ldb,
                                                 int k) {
  Four sum[R][W];
  for (int r = 0; r < R; ++r)
    for (int w = 0; w < W; ++w) sum[r][w] = four(c + r * ldc + 4 * w)->value;
  for (int e = 0; e < k; ++e, b += ldb) {
    Four row[W];
    for (int w = 0; w < W; ++w) row[w] = four(b + 4 * w)->value;
    for (int r = 0; r < R; ++r) {
      const double x = left<kColumns>(a, lda, r, e);
      for (int w = 0; w < W; ++w) sum[r][w] -= x * row[w];
    }
  }
  for (int r = 0; r < R; ++r)
    for (int w = 0; w < W; ++w) four(c + r * ldc + 4 * w)->value = sum[r][w];
}

template <bool kColumns, int R, int W>
[[gnu::always_inline]] inline void subtract_rows(double* c, int ldc, const double* a, int lda, const double* b, int ldb,
                                                 int n, int k) {
  int j = 0;
  for (; j + 4 * (W - 1) < n; j += 4 * W) subtract_tile<kColumns, R, W>(c + j, ldc, a, lda, b + j, ldb, k);
  if (W > 1 && j < n) subtract_tile<kColumns, R, 1>(c + j, ldc, a, lda, b + j, ldb, k);
}

/// C −= A B;  C: m × n, A: m × k, B: k × n.
template <int W, bool kColumns>
[[gnu::always_inline]] inline void subtract_product(double* c, int ldc, const double* a, int lda, const double* b,
                                                    int ldb, int m, int n, int k) {
  const int next = kColumns ? 1 : lda;  // from row to row of A
  int i = 0;
  for (; i + kTileRows <= m; i += kTileRows)
    subtract_rows<kColumns, kTileRows, W>(c + i * ldc, ldc, a + i * next, lda, b, ldb, n, k);
  const int more = m - i;
  c += i * ldc;
  a += i * next;
  if (more == 3) subtract_rows<kColumns, 3, W>(c, ldc, a, lda, b, ldb, n, k);
  if (more == 2) subtract_rows<kColumns, 2, W>(c, ldc, a, lda, b, ldb, n, k);
  if (more == 1) subtract_rows<kColumns, 1, W>(c, ldc, a, lda, b, ldb, n, k);
}

/// Rows x ← L⁻¹ x of B rows and n columns, L unit lower, both in rows `ld` apart.
template <int B>
[[gnu::always_inline]] inline void solve_lower(double* x, const double* L, int ld, int n) {
  for (int j = 0; j < n; j += 4) {
    Four row[B];
    for (int k = 0; k < B; ++k) {
      row[k] = four(x + k * ld + j)->value;
      for (int e = 0; e < k; ++e) row[k] -= L[k * ld + e] * row[e];
      four(x + k * ld + j)->value = row[k];
    }
  }
}

/// B columns of X ← X U⁻¹, with n entries each.
template <int B>
[[gnu::always_inline]] inline void divide_columns(double* x, int ldx, int n, const double* U, int ld,
                                                  const double* inverse) {
  for (int i = 0; i < n; i += 4) {
    Four column[B];
    for (int k = 0; k < B; ++k) {
      column[k] = four(x + k * ldx + i)->value;
      for (int e = 0; e < k; ++e) column[k] -= U[e * ld + k] * column[e];
      column[k] *= inverse[k];
      four(x + k * ldx + i)->value = column[k];
    }
  }
}

/// B columns of the p × s matrix P from its k-th on, in its rows k … p − 1; swaps whole rows.
template <int B>
[[gnu::always_inline]] inline PivotFailure eliminate_columns(double* P, int ld, int p, int s, int k0, int* swap,
                                                             double* inverse, double zero) {
  for (int b = 0; b < B; ++b) {
    const int k = k0 + b;
    double* const pivot = P + k * ld;
    int best = k;
    double largest = kSwap * std::fabs(pivot[k]);
    for (int i = k + 1; i < p; ++i)
      if (const double value = std::fabs(P[i * ld + k]); value > largest) largest = value, best = i;
    swap[k] = best;
    if (best != k) std::swap_ranges(pivot, pivot + s, P + best * ld);
    if (!(std::fabs(pivot[k]) > zero) || std::isinf(pivot[k])) return {k, pivot[k]};
    const double over = inverse[k] = 1 / pivot[k];
    for (int i = k + 1; i < p; ++i) {
      double* const row = P + i * ld + k0;
      const double l = row[b] *= over;
      for (int j = b + 1; j < B; ++j) row[j] -= l * P[k * ld + k0 + j];
    }
  }
  return {};
}

/// Columns k0 … k0 + B − 1, and what they change of the rows and columns behind them.
template <int W, int B>
[[gnu::always_inline]] inline PivotFailure eliminate_panel(double* P, int ld, int p, int s, int k0, int* swap,
                                                           double* inverse, double zero) {
  const PivotFailure failure = eliminate_columns<B>(P, ld, p, s, k0, swap, inverse, zero);
  if (failure.row >= 0) return failure;
  const int k1 = k0 + B;
  double* const L = P + k0 * ld + k0;
  solve_lower<B>(L + B, L, ld, s - k1);
  subtract_product<W, false>(P + k1 * ld + k1, ld, P + k1 * ld + k0, ld, L + B, ld, p - k1, s - k1, B);
  return {};
}

/// The first q columns of p rows.
template <int W>
[[gnu::always_inline]] inline PivotFailure eliminate(double* P, int ld, int p, int q, int s, int* swap, double* inverse,
                                                     double zero) {
  PivotFailure failure;
  int k = 0;
  for (; k + kPanel <= q && failure.row < 0; k += kPanel)
    failure = eliminate_panel<W, kPanel>(P, ld, p, s, k, swap, inverse, zero);
  if (k + 3 <= q && failure.row < 0) {
    failure = eliminate_panel<W, 3>(P, ld, p, s, k, swap, inverse, zero);
    k += 3;
  }
  for (; k < q && failure.row < 0; ++k) failure = eliminate_panel<W, 1>(P, ld, p, s, k, swap, inverse, zero);
  return failure;
}

/// What eliminate_panel() does to other columns.
template <int W, int B>
[[gnu::always_inline]] inline void apply_panel(double* C, const double* L, int ld, int p, int n, int k0) {
  solve_lower<B>(C + k0 * ld, L + k0 * ld + k0, ld, n);
  const int k1 = k0 + B;
  subtract_product<W, false>(C + k1 * ld, ld, L + k1 * ld + k0, ld, C + k0 * ld, ld, p - k1, n, B);
}

template <int W>
[[gnu::always_inline]] inline void apply(double* C, const double* L, int ld, int p, int q, int n) {
  int k = 0;
  for (; k + kPanel <= q; k += kPanel) apply_panel<W, kPanel>(C, L, ld, p, n, k);
  if (k + 3 <= q) {
    apply_panel<W, 3>(C, L, ld, p, n, k);
    k += 3;
  }
  for (; k < q; ++k) apply_panel<W, 1>(C, L, ld, p, n, k);
}

template <int W, int B>
[[gnu::always_inline]] inline void divide_panel(double* X, int ldx, int n, const double* P, int ld, int p, int k0,
                                                const double* inverse) {
  divide_columns<B>(X + k0 * ldx, ldx, n, P + k0 * ld + k0, ld, inverse + k0);
  // Columns behind: Xᵀ −= U'ᵀ X'ᵀ of rows that are columns of X.
  const double* const U = P + k0 * ld + k0 + B;
  subtract_product<W, true>(X + (k0 + B) * ldx, ldx, U, ld, X + k0 * ldx, ldx, p - k0 - B, n, B);
}

template <int W>
[[gnu::always_inline]] inline void divide(double* X, int ldx, int n, const double* P, int ld, int p,
                                          const double* inverse) {
  int k = 0;
  for (; k + kPanel <= p; k += kPanel) divide_panel<W, kPanel>(X, ldx, n, P, ld, p, k, inverse);
  if (k + 3 <= p) {
    divide_panel<W, 3>(X, ldx, n, P, ld, p, k, inverse);
    k += 3;
  }
  for (; k < p; ++k) divide_panel<W, 1>(X, ldx, n, P, ld, p, k, inverse);
}

/// The same operations in the same order, in registers of two and of four numbers.
struct Kernels {
  PivotFailure (*eliminate)(double*, int, int, int, int, int*, double*, double);
  void (*apply)(double*, const double*, int, int, int, int);
  void (*divide)(double*, int, int, const double*, int, int, const double*);
  void (*subtract)(double*, int, const double*, int, const double*, int, int, int, int);
};

PivotFailure eliminate_narrow(double* P, int ld, int p, int q, int s, int* swap, double* inverse, double zero) {
  return eliminate<1>(P, ld, p, q, s, swap, inverse, zero);
}
void apply_narrow(double* C, const double* L, int ld, int p, int q, int n) { apply<1>(C, L, ld, p, q, n); }
void divide_narrow(double* X, int ldx, int n, const double* P, int ld, int p, const double* inverse) {
  divide<1>(X, ldx, n, P, ld, p, inverse);
}
void subtract_narrow(double* S, int lds, const double* X, int ldx, const double* U, int ldu, int m, int n, int p) {
  subtract_product<1, true>(S, lds, X, ldx, U, ldu, m, n, p);
}

#if defined(__x86_64__) && !defined(__CUDACC__)
[[gnu::target("avx2")]] PivotFailure eliminate_wide(double* P, int ld, int p, int q, int s, int* swap, double* inverse,
                                                    double zero) {
  return eliminate<2>(P, ld, p, q, s, swap, inverse, zero);
}
[[gnu::target("avx2")]] void apply_wide(double* C, const double* L, int ld, int p, int q, int n) {
  apply<2>(C, L, ld, p, q, n);
}
[[gnu::target("avx2")]] void divide_wide(double* X, int ldx, int n, const double* P, int ld, int p,
                                         const double* inverse) {
  divide<2>(X, ldx, n, P, ld, p, inverse);
}
[[gnu::target("avx2")]] void subtract_wide(double* S, int lds, const double* X, int ldx, const double* U, int ldu,
                                           int m, int n, int p) {
  subtract_product<2, true>(S, lds, X, ldx, U, ldu, m, n, p);
}

const Kernels kernels = __builtin_cpu_supports("avx2")
                            ? Kernels{eliminate_wide, apply_wide, divide_wide, subtract_wide}
                            : Kernels{eliminate_narrow, apply_narrow, divide_narrow, subtract_narrow};
#else
constexpr Kernels kernels = {eliminate_narrow, apply_narrow, divide_narrow, subtract_narrow};
#endif

}  // namespace

PivotFailure eliminate_pivots(double* P, int ld, int p, int q, int s, int* swap, double* inverse, double zero) {
  return kernels.eliminate(P, ld, p, q, s, swap, inverse, zero);
}

void swap_rows(double* C, int ld, int q, int n, const int* swap) {
  for (int k = 0; k < q; ++k)
    if (swap[k] != k) std::swap_ranges(C + k * ld, C + k * ld + n, C + swap[k] * ld);
}

void apply_pivots(double* C, const double* L, int ld, int p, int q, int n, const int* swap) {
  swap_rows(C, ld, q, n, swap);
  kernels.apply(C, L, ld, p, q, n);
}

void divide_by_upper(double* X, int ldx, int n, const double* P, int ld, int p, const double* inverse) {
  if (n > 0) kernels.divide(X, ldx, n, P, ld, p, inverse);
}

void subtract_update(double* S, int lds, const double* X, int ldx, const double* U, int ldu, int m, int n, int p) {
  if (m > 0) kernels.subtract(S, lds, X, ldx, U, ldu, m, n, p);
}

}  // namespace clarke
