// The connected components of hand-made patterns.

#include "framework/islands.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;

BOOST_AUTO_TEST_SUITE(islands)

namespace {

/// Four bodies (blocks v = 2 e, w = 2 e + 1), then a particle (block 8).
View<EntityBlocks> entities() {
  return to_device("entities", std::vector<EntityBlocks>{{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, -1}});
}
constexpr int kBlocks = 9;

using Blocks = std::vector<int>;

struct Found {
  Found(const PatternBuilder& builder, int blocks, const View<EntityBlocks>& linked = entities()) : finder(linked) {
    PatternStorage storage;
    finder.find(storage.build(builder, blocks), out);
  }
  IslandFinder finder;
  Islands out;
};

}  // namespace

BOOST_AUTO_TEST_CASE(bodies_without_items_are_in_none) {
  const auto [finder, out] = Found(PatternBuilder(), kBlocks);
  BOOST_TEST(out.count == 0);
  BOOST_TEST(out.largest_rows == 0);
  for (int i : finder.of_block()) BOOST_TEST(i == kNoIsland);
}

BOOST_AUTO_TEST_CASE(chains_and_singles) {
  PatternBuilder p;
  p.add_item(3, Blocks{6, 7});        // body 3 on something that cannot move
  p.add_item(3, Blocks{2, 3, 0, 1});  // bodies 0 and 1
  p.add_item(1, Blocks{8, 2});        // a rod from the particle to body 1's centre
  const auto [finder, out] = Found(p, kBlocks);
  BOOST_TEST(out.count == 2);
  const Blocks expected{0, 0, 0, 0, kNoIsland, kNoIsland, 1, 1, 0};
  BOOST_TEST(finder.of_block() == expected, boost::test_tools::per_element());
  BOOST_TEST(finder.of_item() == (Blocks{1, 0, 0}), boost::test_tools::per_element());
  BOOST_TEST(finder.of_row() == (Blocks{1, 1, 1, 0, 0, 0, 0}), boost::test_tools::per_element());
  BOOST_TEST(finder.rows() == (Blocks{4, 3}), boost::test_tools::per_element());
  BOOST_TEST(out.largest_rows == 4);
}

/// Numbers follow the smallest block, whatever the order of the items; a body is one even if items touch only its spin.
BOOST_AUTO_TEST_CASE(numbers_do_not_depend_on_the_order_of_items) {
  PatternBuilder forward, backward;
  const std::vector<Blocks> items{{1, 3}, {7}, {4, 5, 8}, {2, 3}};
  for (std::size_t i = 0; i < items.size(); ++i) {
    forward.add_item(2, items[i]);
    backward.add_item(2, items[items.size() - 1 - i]);
  }
  const auto [a, out_a] = Found(forward, kBlocks);
  const auto [b, out_b] = Found(backward, kBlocks);
  BOOST_TEST(out_a.count == 3);
  BOOST_TEST(a.of_block() == (Blocks{0, 0, 0, 0, 1, 1, 2, 2, 1}), boost::test_tools::per_element());
  BOOST_TEST(a.of_block() == b.of_block(), boost::test_tools::per_element());
  BOOST_TEST(out_b.count == out_a.count);
  BOOST_TEST(a.rows() == b.rows(), boost::test_tools::per_element());
}

/// A long path in the order that makes union-find work: every block ends with the same number.
BOOST_AUTO_TEST_CASE(one_long_chain) {
  const int n = 10000;
  PatternBuilder p;
  for (int i = n - 2; i >= 0; --i) p.add_item(1, Blocks{i, i + 1});
  std::vector<EntityBlocks> particles;
  for (int i = 0; i < n; ++i) particles.push_back({i, -1});
  const auto [finder, out] = Found(p, n, to_device("particles", particles));
  BOOST_TEST(out.count == 1);
  BOOST_TEST(out.largest_rows == n - 1);
  for (int i : finder.of_block()) BOOST_REQUIRE(i == 0);
}

BOOST_AUTO_TEST_SUITE_END()
