#include "framework/islands.hpp"

#include <algorithm>

namespace clarke {

/// Rounds between two looks of the host at whether there is anything left to do.
static constexpr int kRoundsUnseen = 4;

const std::vector<int>& IslandFinder::fetched(const Buffer<int>& from, std::vector<int>& to, int what) const {
  if (!(known_ & what)) to_host(from.view(), to);
  known_ |= what;
  return to;
}

/// The other block of a block's entity, −1: none.
void IslandFinder::find_partners(int blocks) {
  if (static_cast<int>(partner_.view().extent(0)) == blocks) return;
  const View<int> partner = partner_.resize(blocks);
  const View<EntityBlocks> linked = linked_;
  fill(partner, -1);
  parallel_for(
      "island_partners", static_cast<int>(linked.extent(0)), KOKKOS_LAMBDA(int e) {
        const EntityBlocks b = linked(e);
        if (b.v < 0 || b.w < 0) return;
        partner(b.v) = b.w;
        partner(b.w) = b.v;
      });
}

KOKKOS_INLINE_FUNCTION static int island_root(const View<int>& parent, int block) {
  while (parent(block) != block) {
    parent(block) = parent(parent(block));  // path halving
    block = parent(block);
  }
  return block;
}

/// The smaller block becomes the root, so that a root is the smallest block of its tree.
KOKKOS_INLINE_FUNCTION static void join_islands(const View<int>& parent, int a, int b) {
  a = island_root(parent, a);
  b = island_root(parent, b);
  parent(a < b ? b : a) = a < b ? a : b;
}

void IslandFinder::find_labels_in_order(const Pattern& pattern) {
  find_partners(pattern.blocks);
  const Pattern& p = pattern;
  const View<int> parent = label_.resize(p.blocks), partner = partner_;
  parallel_for(
      "island_union_find", 1, KOKKOS_LAMBDA(int) {
        for (int b = 0; b < p.blocks; ++b) parent(b) = b;
        for (int b = 0; b < p.blocks; ++b)
          if (partner(b) > b) join_islands(parent, b, partner(b));
        for (int i = 0; i < p.items; ++i)
          for (int s = p.item_slot(i) + 1; s < p.item_slot(i + 1); ++s)
            join_islands(parent, p.slot_block(p.item_slot(i)), p.slot_block(s));
        for (int b = 0; b < p.blocks; ++b) parent(b) = parent(parent(b));  // a parent comes before its children
      });
}

void IslandFinder::find_labels_by_rounds(const Pattern& pattern) {
  find_partners(pattern.blocks);
  const Pattern& p = pattern;
  const View<int> label = label_.resize(p.blocks), next = next_label_.resize(p.blocks), partner = partner_;
  parallel_for(
      "island_labels", p.blocks, KOKKOS_LAMBDA(int b) { label(b) = b; });
  // The smallest number around a block. Where it is everywhere the block's own, a component has one.
  const auto least_around = KOKKOS_LAMBDA(int b) {
    int least = label(b);
    if (partner(b) >= 0 && label(partner(b)) < least) least = label(partner(b));
    for (int e = p.gather(b); e < p.gather(b + 1); ++e) {
      const int i = p.gather_item(e);
      for (int s = p.item_slot(i); s < p.item_slot(i + 1); ++s)
        if (label(p.slot_block(s)) < least) least = label(p.slot_block(s));
    }
    return least;
  };
  constexpr int kCost = 60;
  do {
    for (int k = 0; k < kRoundsUnseen; ++k) {
      parallel_for(
          "island_neighbours", p.blocks, KOKKOS_LAMBDA(int b) { next(b) = least_around(b); }, kCost);
      parallel_for(
          "island_jump", p.blocks, KOKKOS_LAMBDA(int b) { label(b) = next(next(b)); });
    }
  } while (largest_of(
               "island_labels", p.blocks, KOKKOS_LAMBDA(int b) { return least_around(b) < label(b) ? 1.0 : 0.0; }) > 0);
}

void IslandFinder::number(const Pattern& pattern, Islands& out) {
  known_ = 0;
  const Pattern& p = pattern;
  const View<int> label = label_, partner = partner_, number = number_.resize(p.blocks);
  // A component of more than one entity has an item at each of them: the root's own decides whether it is an island.
  const auto is_root = KOKKOS_LAMBDA(int b) {
    if (label(b) != b) return 0;
    const int other = partner(b);
    return int(p.gather(b) < p.gather(b + 1) || (other >= 0 && p.gather(other) < p.gather(other + 1)));
  };
  out.count = prefix_sum("island_number", p.blocks, number, is_root);
  const View<int> of_block = out.of_block = of_block_.resize(p.blocks);
  const View<int> of_item = out.of_item = of_item_.resize(p.items), of_row = of_row_.resize(p.rows);
  parallel_for(
      "island_of_block", p.blocks,
      KOKKOS_LAMBDA(int b) { of_block(b) = is_root(label(b)) ? number(label(b)) : kNoIsland; });
  parallel_for(
      "island_of_item", p.items,
      KOKKOS_LAMBDA(int i) {
        // An item without blocks (both sides immovable) has nothing to solve.
        const int s = p.item_slot(i), island = s < p.item_slot(i + 1) ? of_block(p.slot_block(s)) : kNoIsland;
        of_item(i) = island;
        for (int r = p.item_row(i); r < p.item_row(i + 1); ++r) of_row(r) = island;
      },
      4);
  count_rows(p, out);
}

/// Rows of each island: on the host one item after the other, on a device from its items side by side.
void IslandFinder::count_rows(const Pattern& pattern, Islands& out) {
  if constexpr (kDeviceIsHost) {
    const View<int> rows = rows_.resize(out.count);
    fill(rows, 0);
    out.largest_rows = 0;
    for (int i = 0; i < pattern.items; ++i)
      if (const int k = out.of_item(i); k != kNoIsland) rows(k) += pattern.item_row(i + 1) - pattern.item_row(i);
    for (int k = 0; k < out.count; ++k) out.largest_rows = std::max(out.largest_rows, rows(k));
  } else {
    count_rows_by_sort(pattern, out);
  }
}

void IslandFinder::count_rows_by_sort(const Pattern& pattern, Islands& out) {
  const Pattern& p = pattern;
  const int islands = out.count;
  {
    const View<std::uint64_t> key = key_.resize(p.items);
    const View<int> item = item_.resize(p.items), of_item = out.of_item;
    parallel_for(
        "island_keys", p.items, KOKKOS_LAMBDA(int i) {
          key(i) = static_cast<std::uint64_t>(of_item(i) == kNoIsland ? islands : of_item(i));
          item(i) = i;
        });
  }
  radix_sort(p.items, bits_below(islands + 1), key_, item_, scratch_);
  const View<int> item = item_, before = row_before_.resize(p.items + 1), begin = begin_.resize(islands + 1);
  run_begins(key_, islands, begin);
  prefix_positions(
      "island_row_before", p.items + 1, before,
      KOKKOS_LAMBDA(int e) { return e < p.items ? p.item_row(item(e) + 1) - p.item_row(item(e)) : 0; });
  const View<int> rows = rows_.resize(islands);
  parallel_for(
      "island_rows", islands, KOKKOS_LAMBDA(int k) { rows(k) = before(begin(k + 1)) - before(begin(k)); });
  out.largest_rows = static_cast<int>(largest_of(
      "island_rows", islands, KOKKOS_LAMBDA(int k) { return double(rows(k)); }));
}

}  // namespace clarke
