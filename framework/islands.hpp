#pragma once
// Islands: the connected components of the graph whose nodes are velocity blocks and whose edges are items (contacts,
// joints, elements). What happens in one island has no influence on another within a step.
//
//   blocks of one body belong together; a block no item touches is in no island (kNoIsland): a body in free
//   flight; nor is an item without blocks, between two things that cannot move
//   islands are numbered by their smallest block, so that numbers do not depend on the order of items
//
// Found by union-find over the host pattern, O(slots), whenever the layout changes.
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

/// Host side: finds the islands of a pattern and owns the arrays.
class IslandFinder {
 public:
  /// `linked`: the velocity blocks of each entity.
  explicit IslandFinder(const View<EntityBlocks>& linked) { to_host(linked, linked_); }
  void find(const PatternBuilder& pattern, int blocks, Islands& out);

  const std::vector<int>& of_block() const { return of_block_host_; }
  const std::vector<int>& of_item() const { return of_item_host_; }
  const std::vector<int>& of_row() const { return of_row_host_; }
  /// Rows of each island.
  const std::vector<int>& rows() const { return rows_; }

 private:
  int root(int block);
  void join(int a, int b);

  std::vector<EntityBlocks> linked_;
  std::vector<int> parent_, of_block_host_, of_item_host_, of_row_host_, rows_;
  std::vector<char> touched_;
  Buffer<int> of_block_{"island_of_block"}, of_item_{"island_of_item"};
};

}  // namespace clarke
