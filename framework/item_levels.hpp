#pragma once
// Sweeps over items in parallel that give the bits of the sweep in order.
//
// A Gauss-Seidel sweep visits items one after the other, each seeing what those before it made of the velocities of its
// blocks. Items that share no block do not see each other. So with
//
//   level(i) = 1 + max { level(k) : k < i, k and i share a velocity block },   1 where there is none
//
// all items of one level may be visited at once, level after level: every item sees what it would have seen in order,
// and every result is the same bit for bit. (A colouring with fewer colours would do for convergence, and change
// results.) Backwards, last level first, it is the sweep in descending order.
//
// Worth it where levels are wide. Long chains have as many levels as items: beyond kMostLevels, or where a level has
// fewer than `least` items on average, there are no levels, and the sweep has one work item.
// Found in kernels, anew for every layout: on a device one round per level, each handing back one number.

#include "framework/jacobian.hpp"

namespace clarke {

class ItemLevels {
 public:
  static constexpr int kMostLevels = 512;

  /// `least`: items per level, on average, from which it is worth it; `stamp` of the layout, which it is found for
  /// once.
  void find(const Pattern& pattern, std::uint64_t stamp, int least);
  /// Whether there are levels to sweep over.
  bool wide() const { return wide_; }
  int levels() const { return wide_ ? static_cast<int>(begin_.size()) - 1 : 0; }

  /// Calls f(item) for all items, in the order of the levels, or backwards.
  template <class F>
  void for_each(const char* name, bool backwards, const F& f, int cost) const {
    const View<int> order = order_.view();
    for (int l = 0; l < levels(); ++l) {
      const int level = backwards ? levels() - 1 - l : l, first = begin_[level];
      parallel_for(
          name, begin_[level + 1] - first, KOKKOS_LAMBDA(int k) { f(order(first + k)); }, cost);
    }
  }

  // Public: device lambdas may not live in private members.
  void find_previous(const Pattern& pattern);
  bool find_levels(const Pattern& pattern);
  void sort_items(const Pattern& pattern, int levels);

 private:
  Buffer<int> previous_{"item_previous"}, level_{"item_level"}, next_level_{"item_next_level"}, last_{"block_level"},
      order_{"item_order"}, first_{"level_first"};
  std::vector<int> begin_;
  std::uint64_t stamp_ = 0;
  int least_ = 0, count_ = 0;
  bool known_ = false, wide_ = false;
};

}  // namespace clarke
