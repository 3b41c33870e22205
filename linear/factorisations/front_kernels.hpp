#pragma once
// Dense arithmetic of one front (front_tree.hpp): what the time of a factorisation goes into [Duff Reid 1983].
//
//   front   | P |     P: pivot rows, p × s; once eliminated L₁₁ and U₁₁ in the first p columns, and U₁₂ behind
//           | X  S |  X: p columns of what is updated, then L₂₁ = X U₁₁⁻¹, kept column after column;  S ← S − L₂₁ U₁₂
//
// P and S are row after row, X column after column, `ld` apart. Every entry takes its products one after another in the
// order of the pivots, without fused multiply-add, whatever the width of the processor's registers: the digits of a
// factorisation do not hang on the machine, and no BLAS takes part.
//
// Entries are worked on four at a time: up to three beyond the end of a row of P and S, or of a column of X, are read
// and written, so they need as much room, and what lies there is without meaning.

namespace clarke {

/// What can be wrong with a pivot.
struct PivotFailure {
  int row = -1;  // of the front; -1: nothing
  double value = 0;
};

/// L₁₁ U₁₁ of the first q ≤ p columns of the p × s matrix P, U₁₂ behind, and below what is left. Row k < q is swapped
/// with row `swap[k]` >= k of P, where the entry below is more than ten times as large as the diagonal's; `inverse[k]`
/// is 1/U_kk. Fails at a pivot that is not larger than `zero`, or not finite.
PivotFailure eliminate_pivots(double* P, int ld, int p, int q, int s, int* swap, double* inverse, double zero);

/// What that does to n other columns C of the same rows, by the L it left; n a multiple of four, or at the end of rows.
void apply_pivots(double* C, const double* L, int ld, int p, int q, int n, const int* swap);
/// Of that the swaps alone, of columns that have been eliminated.
void swap_rows(double* C, int ld, int q, int n, const int* swap);

/// X ← X U₁₁⁻¹, X of n rows.
void divide_by_upper(double* X, int ldx, int n, const double* P, int ld, int p, const double* inverse);

/// S −= X U for m × n entries of S, X: m × p; U: p × n, rows ldu apart.
void subtract_update(double* S, int lds, const double* X, int ldx, const double* U, int ldu, int m, int n, int p);

/// Σ a_i b_i, by the remainder of i by four.
inline double dot_product(const double* a, const double* b, int n) {
  double sum[4] = {0, 0, 0, 0};
  int i = 0;
  for (; i + 4 <= n; i += 4)
    for (int j = 0; j < 4; ++j) sum[j] += a[i + j] * b[i + j];
  double rest = 0;
  for (; i < n; ++i) rest += a[i] * b[i];
  return (sum[0] + sum[2]) + (sum[1] + sum[3]) + rest;
}

}  // namespace clarke
