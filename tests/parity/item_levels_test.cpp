// Sweeps over levels of items: the same bits as the sweep in order.

#include "framework/item_levels.hpp"

#include "tests/property/random_pattern.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstring>
#include <numeric>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(item_levels)

namespace {

/// What a sweep does to the numbers of the blocks: not commutative, so that another order gives other bits.
KOKKOS_INLINE_FUNCTION void visit(const Pattern& p, const View<double>& x, int i) {
  double sum = 0.1 * i + 1;
  for (int s = p.item_slot(i); s < p.item_slot(i + 1); ++s) sum += x(p.slot_block(s));
  for (int s = p.item_slot(i); s < p.item_slot(i + 1); ++s)
    x(p.slot_block(s)) += std::sqrt(sum) / (1 + x(p.slot_block(s)));
}

std::vector<double> start(int blocks) {
  std::vector<double> x(blocks);
  std::iota(x.begin(), x.end(), 1.0);
  return x;
}

std::vector<double> in_order(const Pattern& pattern, bool backwards) {
  const Pattern p = pattern;
  const View<double> x = to_device("x", start(p.blocks));
  parallel_for(
      "in_order", 1, KOKKOS_LAMBDA(int) {
        for (int i = 0; i < p.items; ++i) visit(p, x, backwards ? p.items - 1 - i : i);
      });
  std::vector<double> out;
  to_host(x, out);
  return out;
}

std::vector<double> by_levels(const Pattern& pattern, const ItemLevels& levels, bool backwards) {
  const Pattern p = pattern;
  const View<double> x = to_device("x", start(p.blocks));
  levels.for_each(
      "by_levels", backwards, KOKKOS_LAMBDA(int i) { visit(p, x, i); }, kGrain);  // always shared among threads
  std::vector<double> out;
  to_host(x, out);
  return out;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

}  // namespace

BOOST_AUTO_TEST_CASE(the_bits_of_the_sweep_in_order) {
  for (const auto& [items, blocks] : {std::pair{1, 5}, {40, 30}, {3000, 2000}, {20000, 9000}}) {
    PatternStorage storage;
    const Pattern p = storage.build(random_pattern(items, blocks, 1, 3), blocks);
    ItemLevels levels;
    levels.find(p, 1, 1);
    BOOST_TEST_CONTEXT(items << " items") {
      BOOST_TEST(levels.wide());
      BOOST_TEST(levels.levels() <= items);
      for (bool backwards : {false, true})
        BOOST_TEST(same_bits(by_levels(p, levels, backwards), in_order(p, backwards)));
      if (items > 1000) BOOST_TEST(!same_bits(by_levels(p, levels, true), in_order(p, false)));  // the order counts
    }
  }
}

BOOST_AUTO_TEST_CASE(levels_are_the_longest_ways) {
  // A chain has as many levels as items, separate pairs have one; between items without blocks there is nothing.
  for (const auto& [kind, expected] : {std::pair{0, 100}, {1, 1}, {2, 1}}) {
    PatternBuilder b;
    for (int i = 0; i < 100; ++i) {
      std::vector<int> list;
      if (kind == 0) list = {i, i + 1};
      if (kind == 1) list = {2 * i, 2 * i + 1};
      b.add_item(1, list);
    }
    PatternStorage storage;
    ItemLevels levels;
    levels.find(storage.build(b, 200), 1, 1);
    BOOST_TEST(levels.levels() == expected);
  }
}

BOOST_AUTO_TEST_CASE(narrow_levels_are_not_worth_it) {
  PatternBuilder chain;
  for (int i = 0; i < ItemLevels::kMostLevels + 1; ++i) chain.add_item(1, std::vector<int>{i, i + 1});
  PatternStorage storage;
  const Pattern p = storage.build(chain, ItemLevels::kMostLevels + 2);
  ItemLevels levels;
  levels.find(p, 1, 1);
  BOOST_TEST(!levels.wide());  // too many
  PatternStorage other;
  const Pattern q = other.build(random_pattern(3000, 2000, 1, 3), 2000);
  levels.find(q, 2, 1);
  const int count = levels.levels();
  BOOST_TEST(count > 0);
  levels.find(q, 2, 3000 / count + 1);
  BOOST_TEST(!levels.wide());
}

BOOST_AUTO_TEST_SUITE_END()
