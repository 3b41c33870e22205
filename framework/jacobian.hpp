#pragma once
// The one sparse format of Clarke: the constraint Jacobian J as items of dense blocks.
//
// An **item** (one joint, one contact, one element) owns m contiguous rows and touches k velocity blocks (its slots).
// Its part of J is a dense m × k array of 3-vectors, stored row by row:
//     (J u)_row(i, r) = Σ_j  value(i, r, j) · u[block(i, j)],        value(i, r, j) = values[item_value[i] + r k + j]
// The transpose is a gather list (velocity block -> the slots that touch it), so that Jᵀ Λ needs no atomics and every
// product has a fixed order of additions: results repeat bit for bit on any number of threads.
//
// Bytes of one product: 24 per value, 4 per slot, 12 per item, 24 per block and 8 per row.

#include "framework/radix_sort.hpp"

#include <array>
#include <vector>

namespace clarke {

/// Items that kernels have found (contacts), with as many rows each; their blocks need not cross to the host.
struct FoundItems {
  int items = 0, rows = 0;  // rows of each item
  int stride = 0;           // the most blocks that one may touch
  View<int> count;          // per item: velocity blocks that it touches, each once
  View<int> block;          // `stride` per item, of which the first `count` are meant
};

/// Host side of building a pattern: contributors append their items in order, listed one by one or found on the device.
class PatternBuilder {
 public:
  /// One item with `rows` rows touching `blocks` (all ≥ 0, each once). `tangent`: it has a share in H all the same
  /// (force_items.hpp), as items without rows do.
  template <class Range>
  void add_item(int rows, const Range& blocks, bool tangent = false) {
    item_tangent.push_back(tangent || rows == 0);
    for (int b : blocks) slot_block.push_back(b);
    item_row.push_back(item_row.back() + rows);
    item_slot.push_back(static_cast<int>(slot_block.size()));
    const int slots = item_slot.back() - item_slot[item_slot.size() - 2];
    item_value.push_back(item_value.back() + rows * slots);
    item_square.push_back(item_square.back() + rows * rows);
  }
  /// Without a share in H.
  void add_items(const FoundItems& more);
  void clear();
  int items() const { return listed() + found_items_; }
  int rows() const { return item_row.back() + found_rows_; }
  /// Items that were listed; the vectors below are of these alone, as if there were no others.
  int listed() const { return static_cast<int>(item_row.size()) - 1; }

  std::vector<int> item_row{0}, item_slot{0}, item_value{0}, item_square{0}, slot_block;
  std::vector<char> item_tangent;  // 1: the item has a share in H
  struct Found {
    int after;  // listed items that come before
    FoundItems items;
  };
  std::vector<Found> found;

 private:
  int found_items_ = 0, found_rows_ = 0;
};

/// Where things are; shared by every set of values on the same layout. Plain Views, copied by value into kernels.
template <class IntView>
struct PatternOf {
  int items = 0, rows = 0, slots = 0, values = 0, squares = 0, blocks = 0;
  IntView item_row;     // items + 1: first row of an item
  IntView item_slot;    // items + 1: first slot
  IntView item_value;   // items + 1: first value
  IntView item_square;  // items + 1: first entry of the item's m × m blocks
  IntView slot_block;   // slots: velocity block
  IntView row_item;     // rows: owning item
  IntView gather;       // blocks + 1: first gather entry of a velocity block
  IntView gather_item;  // slots: item that touches the block
  IntView gather_slot;  // slots: its slot number j within the item
};
using Pattern = PatternOf<View<int>>;

/// A pattern (or any view) readable on the host: itself on host backends, a copy on a device backend. For set-up code
/// only.
PatternOf<HostView<int>> host_copy(const Pattern& pattern);
template <class T>
auto host_copy(const View<T>& view) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
}

/// Owns the storage of a Pattern; grows by capacity. Made in kernels: listed items go up when they are others than the
/// last time, and one number per call of add_items() comes back.
class PatternStorage {
 public:
  Pattern build(const PatternBuilder& builder, int blocks);

  // Public: device lambdas may not live in private members.
  /// Where the next items begin.
  struct Place {
    int item = 0, row = 0, slot = 0, value = 0, square = 0;
  };
  void place_listed(const Pattern& pattern, const PatternBuilder& builder, int first, int end, Place& at);
  void place_found(const Pattern& pattern, const FoundItems& found, int first, int slots, Place& at);
  void end_items(const Pattern& pattern);
  void gather_slots(const Pattern& pattern);

 private:
  void list(const PatternBuilder& builder);

  Buffer<int> item_row_{"item_row"}, item_slot_{"item_slot"}, item_value_{"item_value"}, item_square_{"item_square"},
      slot_block_{"slot_block"}, row_item_{"row_item"}, gather_{"gather"}, gather_item_{"gather_item"},
      gather_slot_{"gather_slot"};
  /// What was listed: item_row, item_slot, item_value, item_square, slot_block.
  std::array<std::vector<int>, 5> listed_;
  std::array<Buffer<int>, 5> listed_device_{Buffer<int>("listed_row"), Buffer<int>("listed_slot"),
                                            Buffer<int>("listed_value"), Buffer<int>("listed_square"),
                                            Buffer<int>("listed_block")};
  Buffer<int> found_first_{"found_first"}, slot_item_{"slot_item"}, slot_{"slot"};
  Buffer<std::uint64_t> key_{"slot_key"};
  RadixScratch scratch_;
};

/// y = J u (rows).
void multiply(const Pattern& p, const View<Vec3>& values, const View<Vec3>& u, const View<double>& y);
/// f = Jᵀ x (velocity blocks), overwriting f.
void multiply_transpose(const Pattern& p, const View<Vec3>& values, const View<double>& x, const View<Vec3>& f);

/// Σ_j value(i, r, j) · u[block(i, j)] of one row, for use inside other kernels.
KOKKOS_INLINE_FUNCTION double row_product(const Pattern& p, const View<Vec3>& values, const View<Vec3>& u, int item,
                                          int r) {
  const int s0 = p.item_slot(item), k = p.item_slot(item + 1) - s0;
  const int v0 = p.item_value(item) + r * k;
  double sum = 0;
  for (int j = 0; j < k; ++j) sum += dot(values(v0 + j), u(p.slot_block(s0 + j)));
  return sum;
}

/// Σ over all rows of value(row) x(row) that touch one velocity block, for use inside other kernels.
KOKKOS_INLINE_FUNCTION Vec3 block_gather(const Pattern& p, const View<Vec3>& values, const View<double>& x, int block) {
  Vec3 f{};
  for (int e = p.gather(block); e < p.gather(block + 1); ++e) {
    const int item = p.gather_item(e), j = p.gather_slot(e);
    const int k = p.item_slot(item + 1) - p.item_slot(item);
    const int row = p.item_row(item), m = p.item_row(item + 1) - row, v0 = p.item_value(item) + j;
    for (int r = 0; r < m; ++r)
      if (x(row + r) != 0) f += values(v0 + r * k) * x(row + r);  // most contacts are open: their rows are not read
  }
  return f;
}

}  // namespace clarke
