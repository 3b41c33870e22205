#include "framework/jacobian.hpp"

namespace clarke {

void PatternBuilder::clear() {
  for (auto* v : {&item_row, &item_slot, &item_value, &item_square}) v->assign(1, 0);
  slot_block.clear();
  item_tangent.clear();
}

PatternOf<HostView<int>> host_copy(const Pattern& p) {
  return {p.items,
          p.rows,
          p.slots,
          p.values,
          p.squares,
          p.blocks,
          host_copy(p.item_row),
          host_copy(p.item_slot),
          host_copy(p.item_value),
          host_copy(p.item_square),
          host_copy(p.slot_block),
          host_copy(p.row_item),
          host_copy(p.gather),
          host_copy(p.gather_item),
          host_copy(p.gather_slot)};
}

namespace {

View<int> uploaded(Buffer<int>& buffer, const std::vector<int>& host) {
  View<int> view = buffer.resize(static_cast<int>(host.size()));
  to_device(host, view);
  return view;
}

}  // namespace

Pattern PatternStorage::build(const PatternBuilder& b, int blocks) {
  Pattern p;
  p.items = b.items();
  p.rows = b.rows();
  p.slots = b.item_slot.back();
  p.values = b.item_value.back();
  p.squares = b.item_square.back();
  p.blocks = blocks;

  // Counting sort of the slots by velocity block; within a block the items keep their order, which fixes the order of
  // additions in the transpose product.
  count_.assign(blocks + 1, 0);
  for (int block : b.slot_block) ++count_[block + 1];
  for (int i = 0; i < blocks; ++i) count_[i + 1] += count_[i];
  p.gather = uploaded(gather_, count_);
  gather_item_host_.resize(p.slots);
  gather_slot_host_.resize(p.slots);
  row_item_host_.resize(p.rows);
  for (int i = 0; i < p.items; ++i) {
    for (int s = b.item_slot[i]; s < b.item_slot[i + 1]; ++s) {
      const int e = count_[b.slot_block[s]]++;
      gather_item_host_[e] = i;
      gather_slot_host_[e] = s - b.item_slot[i];
    }
    for (int r = b.item_row[i]; r < b.item_row[i + 1]; ++r) row_item_host_[r] = i;
  }
  p.item_row = uploaded(item_row_, b.item_row);
  p.item_slot = uploaded(item_slot_, b.item_slot);
  p.item_value = uploaded(item_value_, b.item_value);
  p.item_square = uploaded(item_square_, b.item_square);
  p.slot_block = uploaded(slot_block_, b.slot_block);
  p.row_item = uploaded(row_item_, row_item_host_);
  p.gather_item = uploaded(gather_item_, gather_item_host_);
  p.gather_slot = uploaded(gather_slot_, gather_slot_host_);
  return p;
}

void multiply(const Pattern& pattern, const View<Vec3>& values, const View<Vec3>& u, const View<double>& y) {
  const Pattern p = pattern;
  parallel_for(
      "jacobian_multiply", p.items,
      KOKKOS_LAMBDA(int i) {
        const int row = p.item_row(i), m = p.item_row(i + 1) - row;
        for (int r = 0; r < m; ++r) y(row + r) = row_product(p, values, u, i, r);
      },
      8);
}

void multiply_transpose(const Pattern& pattern, const View<Vec3>& values, const View<double>& x, const View<Vec3>& f) {
  const Pattern p = pattern;
  parallel_for(
      "jacobian_multiply_transpose", p.blocks, KOKKOS_LAMBDA(int b) { f(b) = block_gather(p, values, x, b); }, 16);
}

}  // namespace clarke
