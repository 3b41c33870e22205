#pragma once
// The rows J_R once more, in the order in which velocity blocks gather them: Jᵀ x then reads them from first to last.
//
//   block b:  Σ over the slots e that touch b, and the rows r of their items, of  value[begin(e) + r] x[row(e) + r]
//
// The additions are those of block_gather() in the same order, so the sum is the same to the last bit. In the order of
// items the second body of a contact is somewhere else, and a cache line of it holds two values of three: on large
// piles that took twice as long as the product with J. Items without a row in the system are left out. The copy is made
// when a product is first asked for after a reduction, one more pass over J_R beside some twenty.
//
// Bytes of one gather: 24 per value, 8 per slot, 4 per block, 8 per row.

#include "framework/jacobian.hpp"

namespace clarke {

class GatheredRows {
 public:
  struct Rows {
    View<Vec3> value;
    View<int> begin, row;  // per slot in the order of the gather list: first value, and first row of the item
    int slots, values;     // values: of live items
  };
  /// Of the rows `right` on the pattern, without items that are not `live`. Copied anew where the stamps are others
  /// than in the last call.
  Rows of(const Pattern& pattern, const View<Vec3>& right, const View<int>& live, std::uint64_t layout_stamp,
          std::uint64_t reduction_stamp);

 private:
  Buffer<Vec3> value_{"gathered_rows"};
  Buffer<int> begin_{"gathered_begin"}, row_{"gathered_row"};
  int values_ = 0;
  std::uint64_t layout_stamp_ = ~std::uint64_t{0}, reduction_stamp_ = ~std::uint64_t{0};
};

/// Jᵀ x for one block.
KOKKOS_INLINE_FUNCTION Vec3 gather_rows(const GatheredRows::Rows& rows, const View<int>& gather, const View<double>& x,
                                        int block) {
  Vec3 f{};
  const int end = gather(block + 1);
  int e = gather(block);
  if (e == end) return f;
  const Vec3* value = rows.value.data() + rows.begin(e);
  for (; e < end; ++e) {
    const int row = rows.row(e), m = (e + 1 < rows.slots ? rows.begin(e + 1) : rows.values) - rows.begin(e);
    if (m == 3) {  // a contact
      f += value[0] * x(row);
      f += value[1] * x(row + 1);
      f += value[2] * x(row + 2);
    } else {
      for (int r = 0; r < m; ++r) f += value[r] * x(row + r);
    }
    value += m;
  }
  return f;
}

}  // namespace clarke
