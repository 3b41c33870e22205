#pragma once
// Which rows of a sparse matrix depend on others, and the shortest vector with given products with the rows.
//
// Rows b_i are scaled to length 1 and taken one after the other in an order that keeps the factor sparse (AMD of B Bᵀ).
// A row depends on those before it when the sine of the angle between it and their span is below the tolerance:
//
//   Bᵀ P = Q R,   R = [R₁ R₂; 0 ≈0],   rank = order of R₁    Householder reflections
//   b_j = Σ y_i b_i,   R₁ y = R₂ e_j                         a vector ν = (y, −1) with νᵀB = 0 for each dependent row
//   x = Q [R₁⁻ᵀ r; 0]                                        the shortest x with b_i·x = r_i for the independent rows
//
// The reflection of a column acts on the rows of Bᵀ that begin with it only; what is left of them waits, merged, under
// the next column they have entries in [Liu 1986, row merging]. A dependent column is left out and costs nothing: this
// is what Eigen::SparseQR cannot do, whose fill grows with each of them, and without a matching of rows to columns
// anyway.
//
// The vectors ν span all relations between the rows. They are recombined by Gauss-Jordan elimination so that the
// dependent rows are late ones: in each the last row whose coefficient is within kPivot of the largest. So of two equal
// rows the second depends on the first, and the rows that close a loop are those of its last joint.
//
// Limits: a chain of rows each a little above the tolerance may be nearer to dependence than any of them shows; this is
// the known weakness of rank by QR, without consequence for the dependences that mechanisms have (sines of order 1 or
// of rounding). Time is that of a sparse QR; 10 000 rows of a long loop take less than a second.

#include "verdict/rigid_rows.hpp"

#include <Eigen/Dense>

#include <map>

namespace clarke {

/// row = Σ coefficient · other row
struct DependentRow {
  int row = 0;
  std::vector<std::pair<int, double>> of;  // rows in ascending order; empty for a row of zeros
};

class RowSpace {
 public:
  /// Of the rows of a finite matrix; `tolerance` is the sine above.
  RowSpace(const RowMatrix& matrix, double tolerance);
  int rank() const { return rank_; }
  /// In ascending order of the dependent row.
  std::vector<DependentRow> dependent() const;
  /// The shortest x with (B x)_i = right_i for the rows that were found independent.
  Eigen::VectorXd shortest(const Eigen::VectorXd& right) const;

 private:
  using Relation = std::map<int, double>;  // row -> ν of the scaled rows
  /// x ← x − τ v (v·x) over some entries of x
  struct Reflection {
    std::vector<int> at;
    Eigen::VectorXd v;
    double tau = 0;
  };
  void order(const RowMatrix& matrix);
  void reflect(Eigen::MatrixXd& front, const std::vector<int>& row, int first, int column);
  void factorise(const RowMatrix& matrix, double tolerance);
  std::vector<Relation> relations() const;
  static std::vector<int> eliminate(std::vector<Relation>& relations, int rows);

  int columns_ = 0, rank_ = 0;
  std::vector<double> length_;                // per row
  std::vector<int> row_at_;                   // rows that are not zero, as they are taken
  std::vector<int> independent_, dependent_;  // places in this order
  std::vector<Reflection> reflections_;       // Q, in the order they were made
  std::vector<int> pivot_;                    // per row of R: the entry of Qᵀx it belongs to
  Eigen::SparseMatrix<double> R_;             // rank × places; entries of a column in ascending order
};

}  // namespace clarke
