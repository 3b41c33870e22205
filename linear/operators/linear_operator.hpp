#pragma once
// A linear operator on device vectors, and its PETSc face: a MatShell through which every PETSc KSP can use it, and
// from which Clarke's own Krylov kernels fetch the operator back to work on Views without copies.

#include "linear/partition.hpp"

#include <petscmat.h>

namespace clarke {

class LinearOperator {
 public:
  virtual ~LinearOperator() = default;
  virtual int size() const = 0;
  /// y = S x; x and y do not overlap.
  virtual void apply(const View<double>& x, const View<double>& y) const = 0;
  /// y = Sᵀ x.
  virtual void apply_transpose(const View<double>& x, const View<double>& y) const = 0;
  /// Groups of unknowns to be solved each on its own; nullptr when there is no such wish.
  virtual const Partition* partition() const { return nullptr; }
  /// As apply(); y need not be computed for groups of the partition with closed(group) != 0.
  virtual void apply_open(const View<double>& x, const View<double>& y, const View<int>& /*closed*/) const {
    apply(x, y);
  }
  /// d = diag(S); for a symmetric indefinite operator still the true diagonal.
  virtual void diagonal(const View<double>& d) const = 0;
  virtual bool symmetric() const = 0;
  /// Symmetric and positive (semi)definite by construction.
  virtual bool positive_definite() const = 0;
  /// Inverse of the operator's point blocks applied to x (block Jacobi): 3×3 … m×m item blocks for the Schur form,
  /// 3×3 velocity blocks for the stiffness form, both for the saddle form (there with positive definite Schur blocks).
  virtual void apply_block_inverse(const View<double>& x, const View<double>& y) const = 0;
  /// Factorises the point blocks for the present values; called once per linearisation when block Jacobi is chosen.
  virtual void prepare_block_inverse() = 0;
  /// One forward sweep of Gauss-Seidel on S x = b, in row order: x is updated in place. Only the Schur form has it.
  virtual bool has_gauss_seidel() const { return false; }
  virtual void gauss_seidel_sweep(const View<double>& /*b*/, const View<double>& /*x*/) const {}
};

/// A MatShell over `op` (which must outlive it) with mult, transpose mult and diagonal.
PetscErrorCode create_operator_shell(LinearOperator* op, Mat* shell);
/// The operator behind a shell made by create_operator_shell; nullptr for any other matrix.
LinearOperator* operator_of(Mat mat);

}  // namespace clarke
