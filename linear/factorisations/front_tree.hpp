#pragma once
// How a sparse matrix is eliminated front by front [Duff Reid 1983; Liu 1992]: found once for a pattern, for all
// matrices that have it.
//
//   variable   unknowns whose rows have entries in the same columns (the six of a body, the three of a node): they are
//              eliminated one after another, and everything below counts them as one
//   front      variables eliminated together (its pivots), and those that this may change (its update), which are
//              pivots of fronts further up:  parent = the front of the first of them
//   amalgamation   a front is taken into its parent where that makes few zeros (kSlack, by size), for short loops cost
//              more than products with zero
//
//   branch     a front with all that is below it: what a thread eliminates by itself. The fronts above are the trunk.
//
// The pattern is taken as symmetric: that of A + Aᵀ. The order of elimination is the given one, but for variables
// gathered in fronts, and fronts after all that are below them.

#include <cstddef>
#include <vector>

namespace clarke {

/// Compressed rows of a square matrix; not owned.
struct SparsePattern {
  int size = 0;
  const int *start = nullptr, *column = nullptr;
};

class FrontTree {
 public:
  /// A block of the matrix, of a row variable and (of some columns) of a column variable.
  struct Entries {
    int value, stride;  // the first one's place among the matrix' values, and from row to row
    int rows, columns;  // how many
    int row, column;    // variables: places in the front
    int first;          // column of the column variable
  };
  struct Front {
    int pivots, size;          // unknowns eliminated, and all there may be
    int pivot_variables;       // the first so many of its variables
    int parent;                // -1: none
    int depth;                 // 0: no parent
    int pivot;                 // the first one's number among all
    std::size_t variable;      // its first in variables() and in place_in_parent()
    std::size_t unknown;       // its first, as all fronts' `size` add up
    std::size_t entry;         // its first in entries()
    std::size_t panel, lower;  // where P and X are (front_kernels.hpp) among the factors
    std::size_t update;        // where S is, in the workspace of fronts of even or odd depth
    int update_size() const { return size - pivots; }
    /// Operations, where no variable is left out.
    double flops() const { return flops_of(pivots, update_size()); }
  };
  /// Fronts [first, end), all that is below the last of them.
  struct Branch {
    int first, end;
    double flops;
  };

  /// `order`: the unknown that is eliminated first, second, …  `threads`: for how many there should be branches; for
  /// one there are none.
  FrontTree(const SparsePattern& a, const int* order, int threads = 1);

  int size() const { return size_; }
  /// In the order of elimination; beyond the last one that only has the ends of what belongs to the fronts.
  const Front& front(int f) const { return fronts_[f]; }
  int count() const { return static_cast<int>(fronts_.size()) - 1; }
  const std::vector<int>& children(int front) const { return children_[front]; }
  /// The largest first.
  const std::vector<Branch>& branches() const { return branches_; }
  /// Fronts of no branch, in the order of elimination.
  const std::vector<int>& trunk() const { return trunk_; }
  /// Of all fronts, pivots first.
  const std::vector<int>& variables() const { return variables_; }
  /// Of the updates' variables: the place among the variables of the parent.
  const std::vector<int>& place_in_parent() const { return place_in_parent_; }
  const std::vector<Entries>& entries() const { return entries_; }
  /// Unknowns of a variable: from first_unknown(v) on.
  int first_unknown(int variable) const { return first_[variable]; }
  int width(int variable) const { return first_[variable + 1] - first_[variable]; }
  /// Doubles of all factors, and of the workspaces of updates at even and odd depths.
  std::size_t factor_size() const { return fronts_.back().panel; }
  std::size_t workspace(int parity) const { return workspace_[parity]; }
  /// The largest front: unknowns and variables.
  int largest() const { return largest_; }
  int most_variables() const { return most_variables_; }

  /// Room between rows of P for a front of that size, and between columns of X and rows of S (front_kernels.hpp).
  static constexpr int panel_stride(int size) { return round_up(size + 3); }
  static constexpr int stride(int entries) { return round_up(entries); }
  /// To eliminate p pivots with that many unknowns behind them.
  static constexpr double flops_of(int p, int behind) { return p * (2.0 / 3 * p * p + 2.0 * behind * (p + behind)); }

 private:
  static constexpr int round_up(int n) { return (n + 3) / 4 * 4; }

  int size_, largest_ = 0, most_variables_ = 0;
  std::size_t workspace_[2] = {0, 0};
  std::vector<Front> fronts_;
  std::vector<std::vector<int>> children_;
  std::vector<Branch> branches_;
  std::vector<int> trunk_;
  std::vector<int> first_, variables_, place_in_parent_;
  std::vector<Entries> entries_;

  void find_branches(int threads);
  void lay_out();
  /// Places of the updates of fronts that are eliminated one after another: `top` is where those of both stacks begin,
  /// and becomes where they end.
  template <class Fronts>
  void stack_updates(const Fronts& fronts, std::size_t (&top)[2]);
};

}  // namespace clarke
