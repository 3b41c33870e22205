#pragma once
// The derivative of the primal residual (primal_step.hpp) as a matrix of PETSc with entries, for its own solvers:
//
//   A = M + Σ Jᵀ T J + G + ∂f/∂u          T symmetric: the weights of the rows; or −∂p/∂v, unsymmetric where rows slide
//
// Its size is that of the velocities, and never changes in a run; its pattern is made once per layout. Variable blocks
// of six (bodies) and three (particles) are declared, for -pc_type vpbjacobi.

#include "ncp/strategies/primal_step.hpp"

#include <petscmat.h>

namespace clarke {

class PrimalMatrix {
 public:
  PrimalMatrix() = default;
  ~PrimalMatrix() { (void)MatDestroy(&mat_); }
  PrimalMatrix(const PrimalMatrix&) = delete;
  PrimalMatrix& operator=(const PrimalMatrix&) = delete;

  /// A matrix for the present layout; `made` says whether it is a new one.
  PetscErrorCode set_up(const StepProblem& problem, bool* made);
  /// Its entries at the last evaluate() and linearise() of `step`.
  PetscErrorCode fill(const SaddlePointSystem& system, PrimalStep& step, PrimalTangent kind);
  /// From now on prescribed velocities leave the entries as they are, and go with the matrix as its filter; else their
  /// rows and columns are those of 1.
  void keep_prescribed(bool keep) { keep_prescribed_ = keep; }
  Mat mat() const { return mat_; }

 private:
  PetscErrorCode attach_filter(const VelocityFilter& filter);
  Mat mat_ = nullptr;
  bool keep_prescribed_ = false;
  VelocityFilter filter_;
  std::uint64_t layout_ = 0;
  std::vector<int> item_entry_;  // of every item, its first block among the blocks of entries
  std::vector<PetscScalar> values_;
};

}  // namespace clarke
