#include "framework/jacobian.hpp"

namespace clarke {

void PatternBuilder::clear() {
  for (auto* v : {&item_row, &item_slot, &item_value, &item_square}) v->assign(1, 0);
  slot_block.clear();
  item_tangent.clear();
  found.clear();
  found_items_ = found_rows_ = 0;
}

void PatternBuilder::add_items(const FoundItems& more) {
  found.push_back({listed(), more});
  found_items_ += more.items;
  found_rows_ += more.items * more.rows;
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

void PatternStorage::list(const PatternBuilder& b) {
  const std::array<const std::vector<int>*, 5> now{&b.item_row, &b.item_slot, &b.item_value, &b.item_square,
                                                   &b.slot_block};
  for (std::size_t k = 0; k < now.size(); ++k) {
    if (listed_[k] == *now[k]) continue;
    listed_[k] = *now[k];
    to_device(listed_[k], listed_device_[k].resize(static_cast<int>(listed_[k].size())));
  }
}

void PatternStorage::place_listed(const Pattern& pattern, const PatternBuilder& b, int first, int end, Place& at) {
  const Pattern& p = pattern;
  const View<int> row = listed_device_[0], slot = listed_device_[1], value = listed_device_[2],
                  square = listed_device_[3], block = listed_device_[4];
  const Place place = at;
  parallel_for(
      "listed_items", end - first,
      KOKKOS_LAMBDA(int k) {
        const int i = place.item + k, from = first + k;
        p.item_row(i) = place.row + row(from) - row(first);
        p.item_value(i) = place.value + value(from) - value(first);
        p.item_square(i) = place.square + square(from) - square(first);
        const int to = p.item_slot(i) = place.slot + slot(from) - slot(first);
        for (int s = slot(from); s < slot(from + 1); ++s) p.slot_block(to + s - slot(from)) = block(s);
      },
      16);
  at.item += end - first;
  at.row += b.item_row[end] - b.item_row[first];
  at.slot += b.item_slot[end] - b.item_slot[first];
  at.value += b.item_value[end] - b.item_value[first];
  at.square += b.item_square[end] - b.item_square[first];
}

/// `first`: of these among all that were found; `slots`: of all of these.
void PatternStorage::place_found(const Pattern& pattern, const FoundItems& found, int first, int slots, Place& at) {
  const Pattern& p = pattern;
  const FoundItems from = found;
  const View<int> before = found_first_;
  const Place place = at;
  parallel_for(
      "found_items", found.items,
      KOKKOS_LAMBDA(int k) {
        const int i = place.item + k, m = from.rows, slot = before(first + k);
        p.item_row(i) = place.row + m * k;
        p.item_slot(i) = place.slot + slot;
        p.item_value(i) = place.value + m * slot;
        p.item_square(i) = place.square + m * m * k;
        for (int s = 0; s < from.count(k); ++s) p.slot_block(place.slot + slot + s) = from.block(from.stride * k + s);
      },
      16);
  at.item += found.items;
  at.row += found.rows * found.items;
  at.slot += slots;
  at.value += found.rows * slots;
  at.square += found.rows * found.rows * found.items;
}

/// The ends of the last item, and the items of rows and slots.
void PatternStorage::end_items(const Pattern& pattern) {
  const Pattern& p = pattern;
  const View<int> slot_item = slot_item_;
  parallel_for(
      "pattern_end", 1, KOKKOS_LAMBDA(int) {
        p.item_row(p.items) = p.rows;
        p.item_slot(p.items) = p.slots;
        p.item_value(p.items) = p.values;
        p.item_square(p.items) = p.squares;
      });
  parallel_for(
      "pattern_items", p.items,
      KOKKOS_LAMBDA(int i) {
        for (int r = p.item_row(i); r < p.item_row(i + 1); ++r) p.row_item(r) = i;
        for (int s = p.item_slot(i); s < p.item_slot(i + 1); ++s) slot_item(s) = i;
      },
      8);
}

/// A stable sort of the slots by velocity block: within a block the items keep their order, which fixes the order of
/// additions in the transpose product.
void PatternStorage::gather_slots(const Pattern& pattern) {
  const Pattern& p = pattern;
  {
    const View<std::uint64_t> key = key_.resize(p.slots);
    const View<int> slot = slot_.resize(p.slots);
    parallel_for(
        "slot_keys", p.slots, KOKKOS_LAMBDA(int s) {
          key(s) = static_cast<std::uint64_t>(p.slot_block(s));
          slot(s) = s;
        });
  }
  radix_sort(p.slots, bits_below(p.blocks), key_, slot_, scratch_);
  run_begins(key_, p.blocks, p.gather);
  const View<int> slot = slot_, slot_item = slot_item_;
  parallel_for(
      "gather_slots", p.slots, KOKKOS_LAMBDA(int e) {
        const int item = slot_item(slot(e));
        p.gather_item(e) = item;
        p.gather_slot(e) = slot(e) - p.item_slot(item);
      });
}

Pattern PatternStorage::build(const PatternBuilder& b, int blocks) {
  Pattern p;
  p.items = b.items();
  p.rows = b.rows();
  p.slots = b.item_slot.back();
  p.values = b.item_value.back();
  p.squares = b.item_square.back();
  p.blocks = blocks;
  const View<int> before = found_first_.resize(p.items - b.listed());
  std::vector<int> slots;  // of each call of add_items()
  int first = 0;
  for (const auto& [after, more] : b.found) {
    const View<int> count = more.count;
    slots.push_back(prefix_sum(
        "found_slots", more.items, View<int>(Kokkos::subview(before, Kokkos::make_pair(first, first + more.items))),
        KOKKOS_LAMBDA(int k) { return count(k); }));
    first += more.items;
    p.slots += slots.back();
    p.values += more.rows * slots.back();
    p.squares += more.rows * more.rows * more.items;
  }
  p.item_row = item_row_.resize(p.items + 1);
  p.item_slot = item_slot_.resize(p.items + 1);
  p.item_value = item_value_.resize(p.items + 1);
  p.item_square = item_square_.resize(p.items + 1);
  p.slot_block = slot_block_.resize(p.slots);
  p.row_item = row_item_.resize(p.rows);
  p.gather = gather_.resize(blocks + 1);
  p.gather_item = gather_item_.resize(p.slots);
  p.gather_slot = gather_slot_.resize(p.slots);
  slot_item_.resize(p.slots);

  list(b);
  Place at;
  int listed = 0;
  first = 0;
  for (std::size_t k = 0; k < b.found.size(); ++k) {
    const auto& [after, more] = b.found[k];
    place_listed(p, b, listed, after, at);
    place_found(p, more, first, slots[k], at);
    listed = after;
    first += more.items;
  }
  place_listed(p, b, listed, b.listed(), at);
  end_items(p);
  gather_slots(p);
  return p;
}

void multiply(const Pattern& pattern, const View<Vec3>& values, const View<Vec3>& u, const View<double>& y) {
  const Pattern& p = pattern;
  parallel_for(
      "jacobian_multiply", p.items,
      KOKKOS_LAMBDA(int i) {
        const int row = p.item_row(i), m = p.item_row(i + 1) - row;
        for (int r = 0; r < m; ++r) y(row + r) = row_product(p, values, u, i, r);
      },
      8);
}

void multiply_transpose(const Pattern& pattern, const View<Vec3>& values, const View<double>& x, const View<Vec3>& f) {
  const Pattern& p = pattern;
  parallel_for(
      "jacobian_multiply_transpose", p.blocks, KOKKOS_LAMBDA(int b) { f(b) = block_gather(p, values, x, b); }, 16);
}

}  // namespace clarke
