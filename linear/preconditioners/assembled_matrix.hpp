#pragma once
// The AIJ matrix of a form, for preconditioners and factorisations that need entries. The coordinates are set once per
// layout, values once per linearisation; duplicates add in a fixed order.

#include "linear/operators/form.hpp"

namespace clarke {

class AssembledMatrix {
 public:
  ~AssembledMatrix();
  /// Creates the matrix for the present layout of `form`.
  PetscErrorCode create(const Form& form);
  PetscErrorCode destroy();
  /// Fills the values of the present linearisation.
  PetscErrorCode update(const Form& form);
  Mat mat() const { return mat_; }

 private:
  Mat mat_ = nullptr;
  std::vector<int> rows_, columns_;
  HostView<double> values_;
};

}  // namespace clarke
