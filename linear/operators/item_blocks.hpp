#pragma once
// J_Rᵀ D J_L of items, as blocks of 3 × 3 of the stiffness form's matrix (stiffness.hpp), in the order of its
// coordinates: item after item, slots of J_R and within each those of J_L. Host. Of the blocks those are written whose
// row is in a range, so that several threads may each write rows of their own.

#include "framework/system.hpp"
#include "linear/operators/matrix_entries.hpp"

namespace clarke {

/// Rows of blocks.
struct BlockRows {
  int first, end;
  bool has(int block) const { return block >= first && block < end; }
};

/// (J_Rᵀ D J_L) of one item, block after block of its slots, J_L in the first `columns` of them; `left` is scratch.
template <class HostPattern, class Rows, class Squares>
void write_item_blocks(const HostPattern& p, const Rows& L, const Rows& R, const Squares& D, int i, int columns,
                       const BlockRows& rows, Vec3* left, MatrixEntries& out) {
  const int m = p.item_row(i + 1) - p.item_row(i), k = p.item_slot(i + 1) - p.item_slot(i), v0 = p.item_value(i);
  const double* const d = D.data() + p.item_square(i);  // there may be none
  bool any = false;
  for (int s = 0; s < k; ++s) any = any || rows.has(p.slot_block(p.item_slot(i) + s));
  if (!any) {
    out.skip_blocks(static_cast<std::ptrdiff_t>(k) * columns);
    return;
  }
  any = false;
  for (int r = 0; r < m; ++r)
    for (int t = 0; t < columns; ++t) {
      Vec3 sum{};
      for (int e = 0; e < m; ++e) sum += d[r * m + e] * L(v0 + e * k + t);
      left[r * columns + t] = sum;
      any = any || sum.x != 0 || sum.y != 0 || sum.z != 0;
    }
  if (!any) {  // open, or known
    out.skip_blocks(static_cast<std::ptrdiff_t>(k) * columns);
    return;
  }
  for (int s = 0; s < k; ++s) {
    if (!rows.has(p.slot_block(p.item_slot(i) + s))) {
      out.skip_blocks(columns);
      continue;
    }
    for (int t = 0; t < columns; ++t) {
      Mat3 block{};
      for (int r = 0; r < m; ++r) block = block + outer(R(v0 + r * k + s), left[r * columns + t]);
      out.block(block);
    }
  }
}

/// The same of contacts between two bodies, three rows of twelve numbers each: most items are one, and those of a pair
/// follow each other. What they sum up to is written once.
class PairBlocks {
 public:
  static constexpr int kSlots = 4;

  /// Of the pair whose first contact is i; whether there is any block to be written.
  template <class HostPattern>
  bool begin(const HostPattern& p, int i, const BlockRows& rows) {
    written_ = 0;
    for (int s = 0; s < kSlots; ++s)
      if (rows.has(p.slot_block(p.item_slot(i) + s))) slot_[written_++] = s;
    return written_ > 0;
  }
  template <class Rows>
  void add(const Rows& L, const Rows& R, const double* d, int value) {
    static_assert(sizeof(Vec3) == 3 * sizeof(double));
    const double *const l = &L(value).x, *const right = &R(value).x;
    double left[3][kWidth];
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < kWidth; ++c)
        left[r][c] = (d[3 * r] * l[c] + d[3 * r + 1] * l[kWidth + c]) + d[3 * r + 2] * l[2 * kWidth + c];
    for (int w = 0; w < written_; ++w)
      for (int a = 3 * slot_[w]; a < 3 * slot_[w] + 3; ++a) {
        const double x = right[a], y = right[kWidth + a], z = right[2 * kWidth + a];
        for (int c = 0; c < kWidth; ++c) sum_[a][c] += (x * left[0][c] + y * left[1][c]) + z * left[2][c];
      }
    any_ = true;
  }
  /// The pair's blocks, where the last of its `contacts` has been added.
  void write(int contacts, MatrixEntries& out) {
    out.skip_blocks(static_cast<std::ptrdiff_t>(contacts - any_) * kSlots * kSlots);
    if (!any_) return;
    int next = 0;
    for (int w = 0; w < written_; next = slot_[w++] + 1) {
      const int s = slot_[w];
      out.skip_blocks((s - next) * kSlots);
      for (int t = 0; t < kSlots; ++t)
        out.block_of(sum_[3 * s] + 3 * t, sum_[3 * s + 1] + 3 * t, sum_[3 * s + 2] + 3 * t);
    }
    out.skip_blocks((kSlots - next) * kSlots);
    *this = {};
  }

 private:
  static constexpr int kWidth = 3 * kSlots;
  double sum_[kWidth][kWidth] = {};
  int slot_[kSlots] = {}, written_ = 0;  // whose rows of blocks are written
  bool any_ = false;
};

template <class HostPattern>
bool is_pair_contact(const HostPattern& p, int i) {
  return p.item_row(i + 1) - p.item_row(i) == 3 && p.item_slot(i + 1) - p.item_slot(i) == PairBlocks::kSlots;
}

template <class HostPattern>
bool same_blocks(const HostPattern& p, int i, int j) {
  for (int s = 0; s < PairBlocks::kSlots; ++s)
    if (p.slot_block(p.item_slot(i) + s) != p.slot_block(p.item_slot(j) + s)) return false;
  return true;
}

}  // namespace clarke
