#pragma once
// Islands: the connected components of the graph whose nodes are velocity blocks and whose edges are items (contacts,
// joints, elements). What happens in one island has no influence on another within a step.
//
//   blocks of one body belong together; a block no item touches is in no island (kNoIsland): a body in free
//   flight; nor is an item without blocks, between two things that cannot move
//   islands are numbered by their smallest block, so that numbers do not depend on the order of items
//
// Found whenever the layout changes, where the pattern is: on the host by union-find, O(slots); on a device by rounds,
// in which every block takes the smallest number of its neighbours and then that number's own, until none changes. Both
// end with the smallest block of every component. Rounds are about the logarithm of the longest way through a component
// where blocks are numbered along it, and at worst its length.
// With -islands on (SnesStepSolver), Newton ends on every island on its own, and the Krylov methods that know
// partitions (linear/partition.hpp) solve each with its own scalars; `ended` says which are done in this step.

#include "framework/jacobian.hpp"
#include "framework/state.hpp"

namespace clarke {

inline constexpr int kNoIsland = -1;

/// Plain data, copied by value into kernels.
struct Islands {
  int count = 0;
  int largest_rows = 0;   // rows of the largest island
  View<int> of_block;     // per velocity block: island or kNoIsland
  View<int> of_item;      // per item
  bool separate = false;  // -islands on: solved and ended each on its own
  View<int> ended;        // per island, where they are separate: not 0 once Newton's iteration has ended on it
};

/// Finds the islands of a pattern and owns the arrays.
class IslandFinder {
 public:
  /// `linked`: the velocity blocks of each entity.
  explicit IslandFinder(const View<EntityBlocks>& linked) : linked_(linked) {}
  void find(const Pattern& pattern, Islands& out) {
    if constexpr (kDeviceIsHost) {
      find_labels_in_order(pattern);
    } else {
      find_labels_by_rounds(pattern);
    }
    number(pattern, out);
  }

  // What was found, on the host: copied when it is asked for.
  const std::vector<int>& of_block() const { return fetched(of_block_, of_block_host_, kOfBlock); }
  const std::vector<int>& of_item() const { return fetched(of_item_, of_item_host_, kOfItem); }
  const std::vector<int>& of_row() const { return fetched(of_row_, of_row_host_, kOfRow); }
  /// Rows of each island.
  const std::vector<int>& rows() const { return fetched(rows_, rows_host_, kRows); }

  // Public: device lambdas may not live in private members.
  /// The smallest block of every block's component. In order: by one work item, for hosts.
  void find_labels_in_order(const Pattern& pattern);
  void find_labels_by_rounds(const Pattern& pattern);
  /// The islands from the smallest blocks.
  void number(const Pattern& pattern, Islands& out);
  void find_partners(int blocks);
  void count_rows(const Pattern& pattern, Islands& out);
  void count_rows_by_sort(const Pattern& pattern, Islands& out);

 private:
  enum Known { kOfBlock = 1, kOfItem = 2, kOfRow = 4, kRows = 8 };
  const std::vector<int>& fetched(const Buffer<int>& from, std::vector<int>& to, int what) const;

  View<EntityBlocks> linked_;
  Buffer<int> partner_{"island_partner"}, label_{"island_label"}, next_label_{"island_next_label"},
      number_{"island_number"}, of_block_{"island_of_block"}, of_item_{"island_of_item"}, of_row_{"island_of_row"},
      rows_{"island_rows"};
  // items by island
  Buffer<std::uint64_t> key_{"island_key"};
  Buffer<int> item_{"island_item"}, row_before_{"island_row_before"}, begin_{"island_begin"};
  RadixScratch scratch_;
  mutable std::vector<int> of_block_host_, of_item_host_, of_row_host_, rows_host_;
  mutable int known_ = 0;  // of the host's
};

}  // namespace clarke
