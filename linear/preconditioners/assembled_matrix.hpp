#pragma once
// The matrix of a form, for preconditioners and factorisations that need entries: AIJ, or dense for small systems. The
// coordinates are set once per layout, values once per linearisation; duplicates add in a fixed order. A layout whose
// entries are where the last one's were keeps the matrix, and with it what a factorisation has found out about its
// pattern.

#include "linear/operators/form.hpp"

namespace clarke {

enum class MatrixStorage { sparse, dense };

class AssembledMatrix {
 public:
  ~AssembledMatrix();
  /// The matrix for the present layout of `form`; `fresh`: it is not the one that was there before.
  PetscErrorCode create(const Form& form, MatrixStorage storage, bool* fresh);
  PetscErrorCode destroy();
  /// Fills the values of the present linearisation.
  PetscErrorCode update(const Form& form);
  Mat mat() const { return mat_; }

 private:
  /// Compressed rows of scalars.
  struct Entries {
    std::vector<PetscInt> start, column;
    bool operator==(const Entries&) const = default;
  };
  /// Entries of the coordinates, which are blocks of `edge` by `edge`, and the places of each.
  Entries compress(int size, int edge);
  void place_dense(int size, int edge);
  PetscErrorCode make(int size, const Entries& entries);

  Mat mat_ = nullptr;
  MatrixStorage storage_ = MatrixStorage::sparse;
  int size_ = 0, edge_ = 0;
  std::vector<int> rows_, columns_;
  Entries entries_;
  std::vector<MatrixEntries::Place> places_;
};

}  // namespace clarke
