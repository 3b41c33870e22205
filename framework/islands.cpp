#include "framework/islands.hpp"

#include <algorithm>

namespace clarke {

int IslandFinder::root(int block) {
  while (parent_[block] != block) {
    parent_[block] = parent_[parent_[block]];  // path halving
    block = parent_[block];
  }
  return block;
}

/// The smaller block becomes the root, so that a root is the smallest block of its tree.
void IslandFinder::join(int a, int b) {
  a = root(a);
  b = root(b);
  if (a < b) {
    parent_[b] = a;
  } else {
    parent_[a] = b;
  }
}

void IslandFinder::find(const PatternBuilder& pattern, int blocks, Islands& out) {
  parent_.resize(blocks);
  for (int b = 0; b < blocks; ++b) parent_[b] = b;
  touched_.assign(blocks, 0);
  for (const EntityBlocks& e : linked_)
    if (e.v >= 0 && e.w >= 0) join(e.v, e.w);
  for (int i = 0; i < pattern.items(); ++i)
    for (int s = pattern.item_slot[i] + 1; s < pattern.item_slot[i + 1]; ++s)
      join(pattern.slot_block[pattern.item_slot[i]], pattern.slot_block[s]);
  for (int b : pattern.slot_block) touched_[root(b)] = 1;

  out.count = 0;
  of_block_host_.resize(blocks);
  for (int b = 0; b < blocks; ++b) {  // a root comes before the rest of its tree
    const int r = root(b);
    of_block_host_[b] = !touched_[r] ? kNoIsland : (r == b ? out.count++ : of_block_host_[r]);
  }
  rows_.assign(out.count, 0);
  of_item_host_.resize(pattern.items());
  of_row_host_.resize(pattern.rows());
  for (int i = 0; i < pattern.items(); ++i) {
    // An item without blocks (both sides immovable) has nothing to solve.
    const int s = pattern.item_slot[i];
    const int island = s < pattern.item_slot[i + 1] ? of_block_host_[pattern.slot_block[s]] : kNoIsland;
    of_item_host_[i] = island;
    for (int r = pattern.item_row[i]; r < pattern.item_row[i + 1]; ++r) of_row_host_[r] = island;
    if (island >= 0) rows_[island] += pattern.item_row[i + 1] - pattern.item_row[i];
  }
  out.largest_rows = rows_.empty() ? 0 : *std::max_element(rows_.begin(), rows_.end());
  out.of_block = of_block_.resize(blocks);
  out.of_item = of_item_.resize(pattern.items());
  to_device(of_block_host_, out.of_block);
  to_device(of_item_host_, out.of_item);
}

}  // namespace clarke
