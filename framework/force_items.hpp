#pragma once
// Forces that are no rows: an item without rows that touches k velocity blocks adds k impulses to the momentum residual
// and k × k blocks of 3 × 3 to H, which then is block-sparse [docs/theory.md, eq. L7].
//
//   g_b  += Σ f(slot)                  over the slots of velocity block b;  f = −h × force at q⁺           [N s]
//   H_bc += Σ T(slot, slot')           over the pairs of slots of one item;  T = ∂f/∂u                        [kg]
//
// T is symmetric as a whole but for friction (RowTraits::symmetric_hessian).
//
// Contributors fill f and T of their own items; both are gathered in a fixed order, without atomics. H is kept as its
// diagonal blocks (M and the T's that fall on them) and the others by block rows. Which block an entry falls on depends
// on the items that have a T only, so contacts that come and go cost no new search.
//
// Items with rows have a T where the geometric stiffness of their impulses ties blocks together (eq. G3): −∂(Jᵀ Λ)/∂u,
// which is not symmetric.
//
// Bytes: 24 k and 72 k² per item to write; the same to read again, and 72 per block of H to write.

#include "framework/jacobian.hpp"

namespace clarke {

/// Blocks of H off its diagonal, row by row; every block is there with its transpose.
struct OffDiagonal {
  int entries = 0;
  View<int> first;   // blocks + 1; empty where there are no entries
  View<int> column;  // per entry: velocity block
  View<Mat3> value;
};

/// Σ_c H_bc u_c over c ≠ b.
KOKKOS_INLINE_FUNCTION Vec3 off_diagonal_product(const OffDiagonal& h, const View<Vec3>& u, int b) {
  Vec3 sum{};
  if (h.entries == 0) return sum;
  for (int e = h.first(b); e < h.first(b + 1); ++e) sum += h.value(e) * u(h.column(e));
  return sum;
}

/// Plain Views, like a Pattern.
struct ForceItems {
  int items = 0;           // items without rows: forces
  int tangents = 0;        // items that have a T; 0: none of the Views below has a size
  View<int> item_tangent;  // items of the whole pattern + 1: first block of an item's T, row by row
  View<Vec3> force;        // f per slot of the whole pattern; counts where an item has no rows
  View<Mat3> tangent;      // T
  View<Mat3> diagonal;     // per velocity block: M + Σ T
  OffDiagonal off;
  View<int> diagonal_first, diagonal_source, off_first, off_source;  // what falls where
};

/// Σ f over the slots of one velocity block.
KOKKOS_INLINE_FUNCTION Vec3 force_gather(const Pattern& p, const View<Vec3>& force, int block) {
  Vec3 f{};
  for (int e = p.gather(block); e < p.gather(block + 1); ++e) {
    const int item = p.gather_item(e);
    if (p.item_row(item + 1) == p.item_row(item)) f += force(p.item_slot(item) + p.gather_slot(e));
  }
  return f;
}

/// JᵀΛ of one item at its slot j, or −f where it has no rows.
KOKKOS_INLINE_FUNCTION Vec3 slot_impulse(const Pattern& p, const View<Vec3>& values, const View<double>& x,
                                         const View<Vec3>& force, int item, int j) {
  const int row = p.item_row(item), m = p.item_row(item + 1) - row, k = p.item_slot(item + 1) - p.item_slot(item);
  if (m == 0) return -force(p.item_slot(item) + j);
  Vec3 f{};
  for (int r = 0; r < m; ++r) f += x(row + r) * values(p.item_value(item) + r * k + j);
  return f;
}

/// diagonal and off.value from M and T.
void assemble_tangents(const ForceItems& items, const View<Mat3>& mass);

/// Owns the storage of ForceItems; grows by capacity.
class ForceItemStorage {
 public:
  /// Of the items of `builder`, where `pattern` was made of it. What was found on the device has no T.
  ForceItems build(const PatternBuilder& builder, const Pattern& pattern);

 private:
  void place(int blocks);

  std::vector<int> touched_, previous_;  // per item without rows: its number of blocks, then the blocks
  std::vector<int> first_, column_, off_first_, off_source_, diagonal_first_, diagonal_source_, tangent_;
  Buffer<int> item_tangent_{"item_tangent"}, first_view_{"H_first"}, column_view_{"H_column"},
      off_first_view_{"H_off_first"}, off_source_view_{"H_off_source"}, diagonal_first_view_{"H_diagonal_first"},
      diagonal_source_view_{"H_diagonal_source"};
  Buffer<Vec3> force_{"force"};
  Buffer<Mat3> tangent_view_{"tangent"}, diagonal_{"H_diagonal"}, value_{"H_off"};
  int blocks_ = 0;
};

}  // namespace clarke
