#pragma once
// A = L U of a sparse matrix, front by front [Duff Reid 1983]: what each eliminates is one dense matrix, so that the
// arithmetic runs in registers and not entry by entry through lists of columns.
//
//   front   the matrix' entries in the rows and columns of its pivots, plus the updates S of the fronts below it
//   pivots  eliminated in the given order; within a front a row more than ten times as large takes the place of
//           another (front_kernels.hpp), further away none does
//   S       goes to the parent
//   zeros   variables of an update whose rows and columns are zero so far take no part: contacts that are open are in
//           the pattern, and most are open
//
// For matrices whose pivots are sound in the given order, as those of velocities are, and in blocks of three and six.
// Host memory; no allocation once made. Where there is enough to do all threads of the host take part: branches of the
// tree are eliminated beside each other, and of fronts above them, one after another, blocks of columns and rows
// (shared_front.hpp). The digits are those of one thread.

#include "framework/host_threads.hpp"
#include "linear/factorisations/front_kernels.hpp"
#include "linear/factorisations/front_tree.hpp"

namespace clarke {

class MultifrontalLu {
 public:
  MultifrontalLu(const SparsePattern& a, const int* order, int threads = host_threads());

  /// Of the matrix with these values, in the order of the pattern. A pivot that is not larger than `zero`, or no
  /// number, ends it; `row` is then the unknown's.
  PivotFailure factorise(const double* values, double zero);
  /// A x = b; b and x may be the same.
  void solve(const double* b, double* x);
  /// Aᵀ x = b
  void solve_transposed(const double* b, double* x);
  const FrontTree& tree() const { return tree_; }
  /// Of the last factorise().
  double flops() const { return flops_; }

 private:
  /// A front as it is in this factorisation.
  struct Active {
    int size;                         // unknowns of pivots and of the update
    int variables;                    // of the update that take part
    int panel_stride, update_stride;  // of P, and of X and S
  };
  /// Unknowns of an update that follow each other in its parent's front, too.
  struct Run {
    int from, to, length;  // from: in the update;  to: in the parent's front, all of it pivots or none
  };

  /// Room that a thread needs by itself.
  struct Scratch {
    std::vector<Run> runs;
    std::vector<double> gathered;
  };
  /// The pivot of a front that is none; `front`: its number, the number of all of them where there is no such.
  struct Failure {
    int front;
    PivotFailure pivot;
  };

  /// Which variables of the update take part, and where.
  void activate(int f, const double* values);
  void assemble(int f, const double* values);
  /// The child's update.
  void add_update(int child, Scratch& scratch);
  /// All of a front; `threads` may take part in it.
  PivotFailure eliminate(int f, const double* values, double zero, int threads, Scratch& scratch);
  void substitute_back(int f, Scratch& scratch);

  /// Whose row has come to that place among the pivots, where the front's elimination ended.
  int unknown_of_row(int f, int row) const;

  double* panel(int f) { return factors_.data() + tree_.front(f).panel; }
  double* lower(int f) { return factors_.data() + tree_.front(f).lower; }
  double* update(int f) { return update_[tree_.front(f).depth % 2].data() + tree_.front(f).update; }

  FrontTree tree_;
  std::vector<Active> active_;    // fronts
  std::vector<int> offset_;       // variables of all fronts: of the first unknown in the front; -1: zero so far
  std::vector<int> taking_part_;  // of all fronts: variables of the update, places in the front
  std::vector<int> unknowns_;     // of all fronts: those that take part, pivots first
  std::vector<Scratch> scratch_;  // threads
  std::vector<Failure> failed_;   // branches
  std::vector<double> factors_, update_[2], inverse_, work_, room_;
  std::vector<int> swap_;
  double flops_ = 0;
};

}  // namespace clarke
