#include "linear/operators/item_block_inverse.hpp"

#include "framework/math/small_solve.hpp"

namespace clarke {

/// In place; a block that is singular to rounding has its diagonal inverted instead.
KOKKOS_INLINE_FUNCTION static void invert_block(double* s, int m) {
  double diagonal[kMaxItemRows];
  for (int r = 0; r < m; ++r) diagonal[r] = s[r * m + r];
  if (invert_small(s, m)) return;
  for (int r = 0; r < m; ++r)
    for (int e = 0; e < m; ++e) s[r * m + e] = r == e && diagonal[r] != 0 ? 1 / diagonal[r] : 0.0;
}

void ItemBlockInverse::prepare(const Pattern& pattern, const View<double>& blocks) {
  const Pattern& p = pattern;
  const View<double> block = blocks, inverse_block = inverse_.resize(p.squares);
  parallel_for(
      "item_block_invert", p.items,
      KOKKOS_LAMBDA(int i) {
        const int m = p.item_row(i + 1) - p.item_row(i), q = p.item_square(i);
        double s[kMaxItemRows * kMaxItemRows] = {};
        for (int e = 0; e < m * m; ++e) s[e] = block(q + e);
        invert_block(s, m);
        for (int e = 0; e < m * m; ++e) inverse_block(q + e) = s[e];
      },
      300);
}

void ItemBlockInverse::prepare(const ReducedSystem& reduced) {
  const Pattern& p = reduced.pattern();
  const bool only_diagonal = reduced.diagonal_compliance();
  const View<Mat3> Hinv = reduced.hessian_inverse();
  const View<double> C = reduced.compliance(), Cb = reduced.compliance_block();
  const View<Vec3> L = reduced.left(), R = reduced.right();
  const View<double> inverse_block = inverse_.resize(p.squares);
  parallel_for(
      "item_block_inverse", p.items,
      KOKKOS_LAMBDA(int i) {
        const int m = p.item_row(i + 1) - p.item_row(i), q = p.item_square(i);
        double s[kMaxItemRows * kMaxItemRows];
        item_schur_block(p, only_diagonal, L, R, Hinv, C, Cb, i, s);
        invert_block(s, m);
        for (int e = 0; e < m * m; ++e) inverse_block(q + e) = s[e];
      },
      300);
}

void ItemBlockInverse::apply(const Pattern& pattern, const View<double>& x, const View<double>& y, int first) const {
  const Pattern& p = pattern;
  const View<double> inverse_block = inverse_, in = x, out = y;
  parallel_for(
      "item_block_jacobi", p.items,
      KOKKOS_LAMBDA(int i) {
        const int row = first + p.item_row(i), m = p.item_row(i + 1) - p.item_row(i);
        const int q = p.item_square(i);
        for (int r = 0; r < m; ++r) {
          double sum = 0;
          for (int e = 0; e < m; ++e) sum += inverse_block(q + r * m + e) * in(row + e);
          out(row + r) = sum;
        }
      },
      10);
}

}  // namespace clarke
