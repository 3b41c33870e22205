#pragma once
// What a form writes its matrix to (form.hpp): values are added one after another where their coordinates belong, so
// that no array of all of them is needed, and what is zero is passed over. Duplicates add in the order in which they
// come.

#include "framework/math/mat3.hpp"

#include <cstddef>
#include <initializer_list>

namespace clarke {

class MatrixEntries {
 public:
  /// Where a coordinate's value goes: to `first`, or, of a 3 × 3 block, its (r, c) to
  /// `first` + r × `row` + c × `column`.
  struct Place {
    int first, row, column;
  };

  /// `values` of the matrix, zero; `places` of all coordinates, which are those of blocks where `in_blocks`. Both
  /// outlive this.
  MatrixEntries(double* values, const Place* places, bool in_blocks)
      : values_(values), next_(places), in_blocks_(in_blocks) {}

  /// The next coordinate's value, of a form not in blocks.
  void scalar(double value) { values_[(next_++)->first] += value; }
  /// A block: the next coordinate, or the next nine, row after row.
  void block(const Mat3& m) { block_of(&m[0].x, &m[1].x, &m[2].x); }
  /// The same from three rows of three.
  void block_of(const double* first, const double* second, const double* third) {
    if (!in_blocks_) {
      for (const double* row : {first, second, third})
        for (int c = 0; c < 3; ++c) scalar(row[c]);
      return;
    }
    const Place p = *next_++;
    double* at = values_ + p.first;
    for (const double* row : {first, second, third}) {
      for (int c = 0; c < 3; ++c) at[c * p.column] += row[c];
      at += p.row;
    }
  }
  /// So many blocks that are zero.
  void skip_blocks(std::ptrdiff_t blocks) { next_ += in_blocks_ ? blocks : 9 * blocks; }

  /// Where the next value will go, for the count.
  const Place* next() const { return next_; }

 private:
  double* values_;
  const Place* next_;
  bool in_blocks_;
};

}  // namespace clarke
