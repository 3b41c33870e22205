#include "linear/factorisations/multifrontal_lu.hpp"
#include "tests/coupled_blocks.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(multifrontal_threads)

constexpr double kShared = 2e6;  // flops: well beyond what one thread does alone (shared_front.cpp)

// Branches and shares of large fronts, on however many threads there are, make the factors of one thread; what fails is
// what that thread meets first.
BOOST_AUTO_TEST_CASE(threads_change_no_digit) {
  for (const Blocks& blocks : {Blocks{150, {6}, 8, 0.3}, Blocks{400, {6, 3}, 3, 0.1, true}, Blocks{40, {17, 31}, 6}}) {
    Rows a = coupled_blocks(blocks, 8);
    const auto order = shuffled(a.size(), 8);
    MultifrontalLu one(pattern_of(a), order.data(), 1), many(pattern_of(a), order.data(), 4);
    BOOST_TEST(one.tree().branches().empty());
    BOOST_TEST(many.tree().branches().size() > 1);
    double largest = 0;  // of the fronts that all threads share
    for (int f : many.tree().trunk()) largest = std::max(largest, many.tree().front(f).flops());
    BOOST_TEST(largest > kShared);
    const auto b = scatter(a.size());
    std::vector<double> x(b.size()), y(b.size());
    const auto compare = [&] {
      BOOST_TEST_REQUIRE(one.factorise(a.value.data(), 1e-100).row == -1);
      BOOST_TEST_REQUIRE(many.factorise(a.value.data(), 1e-100).row == -1);
      BOOST_TEST(one.flops() == many.flops());
      one.solve(b.data(), x.data());
      many.solve(b.data(), y.data());
      BOOST_TEST(x == y, boost::test_tools::per_element());
      one.solve_transposed(b.data(), x.data());
      many.solve_transposed(b.data(), y.data());
      BOOST_TEST(x == y, boost::test_tools::per_element());
    };
    compare();
    for (int i = 0; i < a.size(); ++i)  // rows of a front are swapped
      for (int k = a.start[i]; k < a.start[i + 1]; ++k)
        if (i % 6 == 0 && a.column[k] == i) a.value[k] = 1e-20;
    compare();
    for (int row : {0, a.size() / 2, a.size() - 1}) {
      Rows bad = a;
      for (int r : {row, (row + a.size() / 3) % a.size()})
        for (int k = bad.start[r]; k < bad.start[r + 1]; ++k) bad.value[k] = 0;
      const int failed = one.factorise(bad.value.data(), 1e-100).row;
      BOOST_TEST(failed >= 0);
      BOOST_TEST(many.factorise(bad.value.data(), 1e-100).row == failed);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
