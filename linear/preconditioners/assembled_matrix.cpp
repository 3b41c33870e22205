#include "linear/preconditioners/assembled_matrix.hpp"

#include "framework/communicator.hpp"

#include <algorithm>
#include <utility>

namespace clarke {

static_assert(sizeof(PetscInt) == sizeof(int), "built for 32-bit PETSc indices");

AssembledMatrix::~AssembledMatrix() { (void)MatDestroy(&mat_); }

PetscErrorCode AssembledMatrix::destroy() {
  PetscFunctionBegin;
  PetscCall(MatDestroy(&mat_));
  rows_.clear();
  columns_.clear();
  entries_ = {};
  PetscFunctionReturn(0);
}

namespace {

/// Numbers of the coordinates in the order of `key`, of equal keys in the order of `items`.
std::vector<int> sorted_by(const std::vector<int>& key, const std::vector<int>& items, int keys) {
  std::vector<int> next(keys + 1, 0), out(items.size());
  for (int k : key) ++next[k + 1];
  for (int k = 0; k < keys; ++k) next[k + 1] += next[k];
  for (int item : items) out[next[key[item]]++] = item;
  return out;
}

}  // namespace

AssembledMatrix::Entries AssembledMatrix::compress(int size, int edge) {
  const int rows = size / edge, coordinates = static_cast<int>(rows_.size());
  std::vector<int> all(coordinates);
  for (int n = 0; n < coordinates; ++n) all[n] = n;
  const std::vector<int> order = sorted_by(rows_, sorted_by(columns_, all, rows), rows);
  std::vector<int> first(rows + 1, 0), number(coordinates), column;  // of blocks
  for (int k = 0; k < coordinates; ++k) {
    const int n = order[k];
    const bool fresh = k == 0 || rows_[n] != rows_[order[k - 1]] || columns_[n] != columns_[order[k - 1]];
    if (fresh) {
      ++first[rows_[n] + 1];
      column.push_back(columns_[n]);
    }
    number[n] = static_cast<int>(column.size()) - 1;
  }
  for (int r = 0; r < rows; ++r) first[r + 1] += first[r];
  Entries out;
  out.start.reserve(size + 1);
  out.column.reserve(column.size() * edge * edge);
  out.start.push_back(0);
  for (int r = 0; r < rows; ++r)
    for (int e = 0; e < edge; ++e) {
      for (int k = first[r]; k < first[r + 1]; ++k)
        for (int c = 0; c < edge; ++c) out.column.push_back(edge * column[k] + c);
      out.start.push_back(static_cast<PetscInt>(out.column.size()));
    }
  places_.resize(coordinates);
  for (int n = 0; n < coordinates; ++n) {
    const int r = rows_[n];
    places_[n] = {out.start[edge * r] + edge * (number[n] - first[r]), edge * (first[r + 1] - first[r]), 1};
  }
  return out;
}

void AssembledMatrix::place_dense(int size, int edge) {
  places_.resize(rows_.size());
  for (std::size_t n = 0; n < rows_.size(); ++n) places_[n] = {edge * (rows_[n] + size * columns_[n]), 1, size};
}

PetscErrorCode AssembledMatrix::make(int size, const Entries& entries) {
  PetscFunctionBegin;
  PetscCall(MatDestroy(&mat_));
  PetscCall(MatCreate(simulation_communicator(), &mat_));
  PetscCall(MatSetSizes(mat_, size, size, size, size));
  if (storage_ == MatrixStorage::dense) {
    PetscCall(MatSetType(mat_, MATSEQDENSE));
    PetscCall(MatSeqDenseSetPreallocation(mat_, nullptr));
  } else {
    PetscCall(MatSetType(mat_, MATSEQAIJ));
    PetscCall(MatSeqAIJSetPreallocationCSR(mat_, entries.start.data(), entries.column.data(), nullptr));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode AssembledMatrix::create(const Form& form, MatrixStorage storage, bool* fresh) {
  const int size = form.size(), edge = form.in_blocks() ? 3 : 1;
  std::vector<int> rows, columns;
  PetscFunctionBegin;
  form.coordinates(rows, columns);
  const bool same = mat_ && size == size_ && edge == edge_ && storage == storage_;
  *fresh = !same;
  if (!same || rows != rows_ || columns != columns_) {
    rows_ = std::move(rows);
    columns_ = std::move(columns);
    size_ = size;
    edge_ = edge;
    storage_ = storage;
    Entries entries;
    if (storage == MatrixStorage::sparse)
      entries = compress(size, edge);
    else
      place_dense(size, edge);
    *fresh = !same || !(entries == entries_);
    if (*fresh) PetscCall(make(size, entries));
    entries_ = std::move(entries);
  }
  PetscCall(MatSetOption(mat_, MAT_SYMMETRIC, form.symmetric() ? PETSC_TRUE : PETSC_FALSE));
  PetscCall(MatSetOption(mat_, MAT_SYMMETRY_ETERNAL, form.symmetric() ? PETSC_TRUE : PETSC_FALSE));
  PetscFunctionReturn(0);
}

PetscErrorCode AssembledMatrix::update(const Form& form) {
  PetscScalar* a = nullptr;
  PetscFunctionBegin;
  const bool dense = storage_ == MatrixStorage::dense;
  if (dense)
    PetscCall(MatDenseGetArrayWrite(mat_, &a));
  else
    PetscCall(MatSeqAIJGetArrayWrite(mat_, &a));
  const std::size_t entries = dense ? static_cast<std::size_t>(size_) * size_ : entries_.column.size();
  std::fill(a, a + entries, 0.0);
  MatrixEntries out(a, places_.data(), edge_ > 1);
  form.values(out);
  PetscCheck(out.next() == places_.data() + places_.size(), PETSC_COMM_SELF, PETSC_ERR_PLIB,
             "a form's values are not as many as its coordinates");
  if (dense)
    PetscCall(MatDenseRestoreArrayWrite(mat_, &a));
  else
    PetscCall(MatSeqAIJRestoreArrayWrite(mat_, &a));
  PetscCall(MatAssemblyBegin(mat_, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(mat_, MAT_FINAL_ASSEMBLY));
  PetscCall(MatSetOption(mat_, MAT_SPD, form.positive_definite() ? PETSC_TRUE : PETSC_FALSE));
  PetscFunctionReturn(0);
}

}  // namespace clarke
