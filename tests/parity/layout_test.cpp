// Layouts and islands that kernels make: those of plain loops, whether items were listed or found on the device.

#include "framework/islands.hpp"
#include "tests/property/random_pattern.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <numeric>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(layout)

namespace {

using Ints = std::vector<int>;

Ints on_host(const View<int>& view) {
  Ints out;
  to_host(view, out);
  return out;
}

std::vector<Ints> arrays(const Pattern& p) {
  return {{p.items, p.rows, p.slots, p.values, p.squares, p.blocks},
          on_host(p.item_row),
          on_host(p.item_slot),
          on_host(p.item_value),
          on_host(p.item_square),
          on_host(p.slot_block),
          on_host(p.row_item),
          on_host(p.gather),
          on_host(p.gather_item),
          on_host(p.gather_slot)};
}

/// Blocks of item i.
Ints blocks_of(const PatternBuilder& b, int i) {
  return {b.slot_block.begin() + b.item_slot[i], b.slot_block.begin() + b.item_slot[i + 1]};
}

/// Items [first, end) of a list, each with `rows` rows, as kernels would have found them.
FoundItems found(const PatternBuilder& list, int first, int end, int rows) {
  constexpr int kStride = 5;
  Ints count, block(static_cast<std::size_t>(kStride * (end - first)), -1000);  // what is not meant must not matter
  for (int i = first; i < end; ++i) {
    const Ints blocks = blocks_of(list, i);
    count.push_back(static_cast<int>(blocks.size()));
    std::copy(blocks.begin(), blocks.end(), block.begin() + kStride * (i - first));
  }
  return {end - first, rows, kStride, to_device("count", count), to_device("block", block)};
}

/// The smallest block of every block's component, by passes over all items in order until nothing changes.
Ints smallest(const PatternBuilder& list, const std::vector<EntityBlocks>& linked, int blocks) {
  Ints out(blocks);
  std::iota(out.begin(), out.end(), 0);
  std::vector<Ints> together;
  for (const EntityBlocks& e : linked)
    if (e.v >= 0 && e.w >= 0) together.push_back({e.v, e.w});
  for (int i = 0; i < list.listed(); ++i) together.push_back(blocks_of(list, i));
  for (bool changed = true; changed;) {
    changed = false;
    for (const Ints& all : together) {
      int least = blocks;
      for (int b : all) least = std::min(least, out[b]);
      for (int b : all) {
        changed = changed || out[b] != least;
        out[b] = least;
      }
    }
  }
  return out;
}

std::vector<EntityBlocks> bodies_and_particles(int blocks) {
  std::vector<EntityBlocks> out;
  for (int b = 0; b < blocks; b += b % 5 == 0 ? 2 : 1)
    out.push_back(b % 5 == 0 && b + 1 < blocks ? EntityBlocks{b, b + 1} : EntityBlocks{b, -1});
  return out;
}

/// Items that tie the places of a walk through all blocks.
PatternBuilder chain(const Ints& walk) {
  PatternBuilder out;
  for (std::size_t i = 0; i + 1 < walk.size(); ++i) out.add_item(1, Ints{walk[i], walk[i + 1]});
  return out;
}

void check_islands(const PatternBuilder& list, const std::vector<EntityBlocks>& linked, int blocks) {
  PatternStorage storage;
  const Pattern p = storage.build(list, blocks);
  const Ints least = smallest(list, linked, blocks), gather = on_host(p.gather);
  Ints touched(blocks, 0), number(blocks, kNoIsland), rows;
  for (int b = 0; b < blocks; ++b) touched[least[b]] |= gather[b] < gather[b + 1];
  for (int b = 0; b < blocks; ++b) {
    if (!touched[least[b]]) continue;
    if (least[b] == b) {
      number[b] = static_cast<int>(rows.size());
      rows.push_back(0);
    }
    number[b] = number[least[b]];
  }
  for (int i = 0; i < list.listed(); ++i)
    if (const Ints all = blocks_of(list, i); !all.empty())
      rows[number[all[0]]] += list.item_row[i + 1] - list.item_row[i];
  IslandFinder by_rounds(to_device("linked", linked)), in_order(to_device("linked", linked));
  Islands out, same;
  by_rounds.find_labels_by_rounds(p);
  by_rounds.number(p, out);
  by_rounds.count_rows_by_sort(p, out);  // as on a device
  in_order.find_labels_in_order(p);
  in_order.number(p, same);
  BOOST_TEST(out.count == static_cast<int>(rows.size()));
  BOOST_TEST(out.largest_rows == (rows.empty() ? 0 : *std::max_element(rows.begin(), rows.end())));
  BOOST_TEST((by_rounds.of_block() == number));
  BOOST_TEST((by_rounds.rows() == rows));
  BOOST_TEST((in_order.of_block() == number));
  BOOST_TEST((in_order.of_item() == by_rounds.of_item()));
  BOOST_TEST((in_order.of_row() == by_rounds.of_row()));
  BOOST_TEST((in_order.rows() == rows));
}

}  // namespace

BOOST_AUTO_TEST_CASE(gather_lists_are_in_the_order_of_items) {
  for (const auto& [items, blocks] : {std::pair{0, 5}, {1, 5}, {40, 30}, {3000, 300}, {20000, 70000}}) {
    const PatternBuilder list = random_pattern(items, blocks, 4, 7);
    PatternStorage storage;
    const Pattern p = storage.build(list, blocks);
    std::vector<Ints> item(blocks), slot(blocks);
    Ints row_item;
    for (int i = 0; i < items; ++i) {
      const Ints all = blocks_of(list, i);
      for (std::size_t j = 0; j < all.size(); ++j) {
        item[all[j]].push_back(i);
        slot[all[j]].push_back(static_cast<int>(j));
      }
      row_item.insert(row_item.end(), list.item_row[i + 1] - list.item_row[i], i);
    }
    Ints gather{0}, gather_item, gather_slot;
    for (int b = 0; b < blocks; ++b) {
      gather_item.insert(gather_item.end(), item[b].begin(), item[b].end());
      gather_slot.insert(gather_slot.end(), slot[b].begin(), slot[b].end());
      gather.push_back(static_cast<int>(gather_item.size()));
    }
    BOOST_TEST_CONTEXT(items << " items") {
      BOOST_TEST((arrays(p) == std::vector<Ints>{{p.items, p.rows, p.slots, p.values, p.squares, blocks},
                                                 list.item_row,
                                                 list.item_slot,
                                                 list.item_value,
                                                 list.item_square,
                                                 list.slot_block,
                                                 row_item,
                                                 gather,
                                                 gather_item,
                                                 gather_slot}));
      BOOST_TEST(p.rows == list.rows());
      BOOST_TEST(p.values == list.item_value.back());
      BOOST_TEST(p.squares == list.item_square.back());
    }
  }
}

BOOST_AUTO_TEST_CASE(found_items_are_like_listed_ones) {
  constexpr int kRows = 3;
  for (const auto& [items, blocks] : {std::pair{1, 5}, {40, 30}, {20000, 9000}}) {
    PatternBuilder list;  // of three rows each, and some items without blocks
    const PatternBuilder random = random_pattern(items, blocks, 1, 11);
    for (int i = 0; i < items; ++i) list.add_item(kRows, i % 7 == 3 ? Ints{} : blocks_of(random, i));
    PatternStorage whole, parts;
    const std::vector<Ints> expected = arrays(whole.build(list, blocks));
    // All found; found between listed ones; found twice at the end. In one storage, as from step to step.
    for (const auto& [first, end, again] :
         {std::array{0, items, items}, {items / 3, items / 2, items}, {items / 4, items, items / 2}}) {
      PatternBuilder mixed;
      for (int i = 0; i < first; ++i) mixed.add_item(kRows, blocks_of(list, i));
      mixed.add_items(found(list, first, std::min(end, again), kRows));
      if (again < end) mixed.add_items(found(list, again, end, kRows));
      for (int i = end; i < items; ++i) mixed.add_item(kRows, blocks_of(list, i));
      BOOST_TEST(mixed.items() == items);
      BOOST_TEST(mixed.rows() == kRows * items);
      BOOST_TEST((arrays(parts.build(mixed, blocks)) == expected));
    }
  }
}

BOOST_AUTO_TEST_CASE(islands_of_random_patterns) {
  for (const auto& [items, blocks] : {std::pair{0, 7}, {3, 40}, {150, 600}, {2000, 9000}, {30000, 40000}})
    BOOST_TEST_CONTEXT(items << " items, " << blocks << " blocks")
  check_islands(random_pattern(items, blocks, 4, 5), bodies_and_particles(blocks), blocks);
}

/// In order, against it, and in leaps, where every round but the jumps would only take one step.
BOOST_AUTO_TEST_CASE(islands_of_long_chains) {
  constexpr int kLinks = 2000, kLeap = 787;  // no common divisor
  Ints walk(kLinks);
  std::iota(walk.begin(), walk.end(), 0);
  check_islands(chain(walk), {}, kLinks);
  std::reverse(walk.begin(), walk.end());
  check_islands(chain(walk), {}, kLinks);
  for (int i = 0; i < kLinks; ++i) walk[i] = static_cast<int>(static_cast<long>(kLeap) * i % kLinks);
  check_islands(chain(walk), {}, kLinks);
}

BOOST_AUTO_TEST_SUITE_END()
