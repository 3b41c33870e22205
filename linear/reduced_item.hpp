#pragma once
// The reduction of one item, as pure functions [docs/theory.md, eq. L1; reduced_system.hpp]. An item has m rows and k
// velocity blocks; its rows of J are m × k vectors, row by row.
//
//   rotate     rows 1 and 2 into the slip frame:   d = c t₁ + s t₂,   t = c t₂ − s t₁
//   diagonal   w_r = Σ_j L_rj · H_j⁻¹ R_rj         of the Schur form
//   symmetric  row with a > 0:  C = b/a + shift;   row with a = 0:  J' := 0, C := 1
//   general    J_L = A' J',   C = B' + shift

#include "framework/system.hpp"

namespace clarke {

/// Where an item stands in the arrays of a pattern.
struct ItemPlace {
  int slot, slots, row, rows, value, square;
};

KOKKOS_INLINE_FUNCTION ItemPlace item_place(const Pattern& p, int i) {
  const int slot = p.item_slot(i), row = p.item_row(i);
  return {slot, p.item_slot(i + 1) - slot, row, p.item_row(i + 1) - row, p.item_value(i), p.item_square(i)};
}

/// Direction of slip of a contact; c = 1, s = 0 where nothing is to be rotated.
struct SlipFrame {
  double c, s;
  KOKKOS_INLINE_FUNCTION bool rotates() const { return s != 0 || c != 1; }
};

/// What is added to C so that Newton's matrix is regular.
struct Regularisation {
  double relative, absolute;
};

/// out := the rows of `from` in the slip frame.
KOKKOS_INLINE_FUNCTION void rotate_rows(const ItemPlace& at, const SlipFrame& frame, const View<Vec3>& from,
                                        const View<Vec3>& out) {
  const int k = at.slots, v = at.value;
  for (int e = 0; e < at.rows * k; ++e) out(v + e) = from(v + e);
  if (!frame.rotates()) return;
  for (int j = 0; j < k; ++j) {
    const Vec3 t1 = from(v + k + j), t2 = from(v + 2 * k + j);
    out(v + k + j) = frame.c * t1 + frame.s * t2;
    out(v + 2 * k + j) = frame.c * t2 - frame.s * t1;
  }
}

KOKKOS_INLINE_FUNCTION void schur_diagonal(const Pattern& p, const ItemPlace& at, const View<Vec3>& left,
                                           const View<Vec3>& right, const View<Mat3>& inverse, double* w) {
  for (int r = 0; r < at.rows; ++r) {
    w[r] = 0;
    for (int j = 0; j < at.slots; ++j) {
      const int e = at.value + r * at.slots + j;
      w[r] += dot(left(e), inverse(p.slot_block(at.slot + j)) * right(e));
    }
  }
}

/// Has a compliance off the diagonal: positive definite by itself, and not regularised, because a shift by its softest
/// direction would drown its stiffest one.
KOKKOS_INLINE_FUNCTION bool has_dense_compliance(const ItemPlace& at, const View<double>& B) {
  for (int e = 0; e < at.rows * at.rows; ++e)
    if (e % (at.rows + 1) != 0 && B(at.square + e) != 0) return true;
  return false;
}

/// C of a symmetric item; a row that only sets its multiplier leaves the system. Returns whether any row stays.
KOKKOS_INLINE_FUNCTION bool reduce_symmetric(const ItemPlace& at, const View<double>& a, const View<double>& b,
                                             bool dense, const Regularisation& shift, const double* w,
                                             const View<Vec3>& left, const View<Vec3>& right, const View<double>& C) {
  bool live = false;
  for (int r = 0; r < at.rows; ++r) {
    const int row = at.row + r;
    if (a(row) > 0) {
      live = true;
      const double c = b(row) / a(row);
      C(row) = dense ? c : c + shift.relative * (w[r] + c) + shift.absolute;
      continue;
    }
    C(row) = 1;
    for (int j = 0; j < at.slots; ++j) {
      const int e = at.value + r * at.slots + j;
      left(e) = right(e) = Vec3{};
    }
  }
  return live;
}

/// The block of C of a symmetric item, once its diagonal is known.
KOKKOS_INLINE_FUNCTION void write_compliance_block(const ItemPlace& at, const View<double>& B, const View<double>& C,
                                                   const View<double>& block) {
  const int m = at.rows;
  for (int r = 0; r < m; ++r)
    for (int e = 0; e < m; ++e) block(at.square + r * m + e) = r == e ? C(at.row + r) : B(at.square + r * m + e);
}

/// A is nothing: the item is open, J_L = 0 and C = B.
KOKKOS_INLINE_FUNCTION bool is_open(const ItemPlace& at, const View<double>& A) {
  for (int e = 0; e < at.rows * at.rows; ++e)
    if (A(at.square + e) != 0) return false;
  return true;
}

/// J_L and C of an open item.
KOKKOS_INLINE_FUNCTION void reduce_open(const ItemPlace& at, const View<double>& B, const View<Vec3>& left,
                                        const View<double>& C, const View<double>& block) {
  for (int e = 0; e < at.rows * at.slots; ++e) left(at.value + e) = Vec3{};
  for (int e = 0; e < at.rows * at.rows; ++e) block(at.square + e) = B(at.square + e);
  for (int r = 0; r < at.rows; ++r) C(at.row + r) = B(at.square + r * (at.rows + 1));
}

/// J_L := A J_L, and C of a general item.
KOKKOS_INLINE_FUNCTION void reduce_general(const ItemPlace& at, const View<double>& A, const View<double>& B,
                                           const Regularisation& shift, const double* w, const View<Vec3>& rotated,
                                           const View<Vec3>& left, const View<double>& C, const View<double>& block) {
  const int m = at.rows, k = at.slots, q = at.square;
  for (int j = 0; j < k; ++j) {
    Vec3 row[kMaxItemRows];
    for (int e = 0; e < m; ++e) row[e] = rotated(at.value + e * k + j);
    for (int r = 0; r < m; ++r) {
      Vec3 value{};
      for (int e = 0; e < m; ++e) value += A(q + r * m + e) * row[e];
      left(at.value + r * k + j) = value;
    }
  }
  for (int r = 0; r < m; ++r) {
    for (int e = 0; e < m; ++e)
      block(q + r * m + e) = B(q + r * m + e) + A(q + r * m + e) * (shift.relative * w[e] + shift.absolute);
    C(at.row + r) = block(q + r * m + r);
  }
}

}  // namespace clarke
