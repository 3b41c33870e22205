#include "framework/item_levels.hpp"

#include <algorithm>

namespace clarke {

void ItemLevels::find(const Pattern& pattern, std::uint64_t stamp, int least) {
  if (known_ && stamp == stamp_ && least == least_) return;
  known_ = true;
  stamp_ = stamp;
  least_ = least;
  wide_ = false;
  if (pattern.items < least) return;
  level_.resize(pattern.items);
  if (!find_levels(pattern) || pattern.items / count_ < least) return;
  sort_items(pattern, count_);
  wide_ = true;
}

/// Of every slot: the item before its own at the same block, −1: none. A block's gather list has its items in order.
void ItemLevels::find_previous(const Pattern& pattern) {
  const Pattern& p = pattern;
  const View<int> previous = previous_.resize(p.slots);
  parallel_for(
      "item_previous", p.blocks,
      KOKKOS_LAMBDA(int b) {
        for (int e = p.gather(b); e < p.gather(b + 1); ++e)
          previous(p.item_slot(p.gather_item(e)) + p.gather_slot(e)) = e > p.gather(b) ? p.gather_item(e - 1) : -1;
      },
      16);
}

/// level_, from 0, and count_; false: more than kMostLevels.
bool ItemLevels::find_levels(const Pattern& pattern) {
  const Pattern& p = pattern;
  if constexpr (kDeviceIsHost) {  // one pass in order costs less than a round per level
    const View<int> level = level_, last = last_.resize(p.blocks);
    fill(last, -1);
    count_ = 0;
    for (int i = 0; i < p.items; ++i) {
      int l = 0;
      for (int s = p.item_slot(i); s < p.item_slot(i + 1); ++s) l = std::max(l, last(p.slot_block(s)) + 1);
      for (int s = p.item_slot(i); s < p.item_slot(i + 1); ++s) last(p.slot_block(s)) = l;
      level(i) = l;
      count_ = std::max(count_, l + 1);
    }
    return count_ <= kMostLevels;
  }
  find_previous(pattern);
  fill(level_.view(), 0);
  next_level_.resize(p.items);
  for (count_ = 1; count_ <= kMostLevels; ++count_) {
    const View<int> level = level_, next = next_level_, previous = previous_;
    const int reached = count_;
    parallel_for(
        "item_levels", p.items,
        KOKKOS_LAMBDA(int i) {
          int l = 0;
          for (int s = p.item_slot(i); s < p.item_slot(i + 1); ++s)
            if (const int k = previous(s); k >= 0 && level(k) + 1 > l) l = level(k) + 1;
          next(i) = l;
        },
        8);
    std::swap(level_, next_level_);
    // A round makes at most one level more; one that makes none was the last.
    const View<int> now = level_;
    if (largest_of(
            "item_levels", p.items, KOKKOS_LAMBDA(int i) { return double(now(i)); }) < reached)
      return true;
  }
  return false;
}

/// order_ and begin_: the items by level, those of a level in order.
void ItemLevels::sort_items(const Pattern& pattern, int levels) {
  const int items = pattern.items;
  const View<int> level = level_, order = order_.resize(items), first = first_.resize(levels + 1);
  fill(first, 0);
  // A stable counting sort of few kinds: one work item per level.
  parallel_for(
      "level_sizes", levels,
      KOKKOS_LAMBDA(int l) {
        int size = 0;
        for (int i = 0; i < items; ++i) size += level(i) == l;
        first(l) = size;
      },
      items);
  prefix_sum(
      "level_first", levels + 1, first, KOKKOS_LAMBDA(int l) { return first(l); });
  parallel_for(
      "level_items", levels,
      KOKKOS_LAMBDA(int l) {
        int at = first(l);
        for (int i = 0; i < items; ++i)
          if (level(i) == l) order(at++) = i;
      },
      items);
  to_host(first, begin_);
}

}  // namespace clarke
