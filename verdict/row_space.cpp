#include "verdict/row_space.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

namespace clarke {
namespace {

constexpr double kPivot = 0.1;         // a row may be called dependent with this share of the largest coefficient
constexpr double kNegligible = 1e-7;   // coefficients of scaled rows below this share of the largest are rounding

double largest(const std::map<int, double>& relation) {
  double m = 0;
  for (const auto& [row, value] : relation) m = std::max(m, std::fabs(value));
  return m;
}

}  // namespace

RowSpace::RowSpace(const RowMatrix& matrix, double tolerance)
    : columns_(static_cast<int>(matrix.cols())) {
  const int rows = static_cast<int>(matrix.rows());
  std::vector<int> column(columns_, -1);
  std::vector<Eigen::Triplet<double>> entries;
  length_.assign(rows, 0);
  for (int r = 0; r < rows; ++r) {
    length_[r] = std::sqrt(matrix.row(r).squaredNorm());
    if (length_[r] == 0) continue;
    for (RowMatrix::InnerIterator it(matrix, r); it; ++it)
      if (it.value() != 0) column[it.col()] = 0;
  }
  // The factorisation refuses empty rows of Bᵀ: columns of what no joint ties are left out.
  for (int c = 0; c < columns_; ++c)
    if (column[c] == 0) {
      column[c] = static_cast<int>(used_column_.size());
      used_column_.push_back(c);
    }
  for (int r = 0; r < rows; ++r) {
    if (length_[r] == 0) continue;
    const int at = static_cast<int>(used_row_.size());
    used_row_.push_back(r);
    for (RowMatrix::InnerIterator it(matrix, r); it; ++it)
      if (it.value() != 0) entries.emplace_back(column[it.col()], at, it.value() / length_[r]);
  }
  if (used_row_.empty()) return;
  Eigen::SparseMatrix<double> transposed(static_cast<int>(used_column_.size()),
                                         static_cast<int>(used_row_.size()));
  transposed.setFromTriplets(entries.begin(), entries.end());
  transposed.makeCompressed();
  qr_.setPivotThreshold(tolerance);
  qr_.compute(transposed);
  if (qr_.info() != Eigen::Success)
    throw std::logic_error("row space: " + qr_.lastErrorMessage());
  rank_ = static_cast<int>(qr_.rank());
  // Through the other storage order and back: entries of each column come out sorted.
  R_ = Eigen::SparseMatrix<double>(RowMatrix(qr_.matrixR().topRows(rank_)));
}

std::vector<RowSpace::Relation> RowSpace::relations() const {
  std::vector<Relation> out;
  const auto& order = qr_.colsPermutation().indices();
  std::vector<double> y(rank_, 0.0);
  for (int j = rank_; j < static_cast<int>(used_row_.size()); ++j) {
    std::fill(y.begin(), y.end(), 0.0);
    for (Eigen::SparseMatrix<double>::InnerIterator it(R_, j); it; ++it) y[it.row()] = it.value();
    for (int k = rank_ - 1; k >= 0; --k) {
      if (y[k] == 0) continue;
      y[k] /= R_.coeff(k, k);
      for (Eigen::SparseMatrix<double>::InnerIterator it(R_, k); it && it.row() < k; ++it)
        y[it.row()] -= it.value() * y[k];
    }
    Relation relation{{used_row_[order(j)], -1.0}};
    double scale = 1;
    for (double value : y) scale = std::max(scale, std::fabs(value));
    for (int k = 0; k < rank_; ++k)
      if (std::fabs(y[k]) > kNegligible * scale) relation[used_row_[order(k)]] = y[k];
    out.push_back(std::move(relation));
  }
  return out;
}

/// Gauss-Jordan over the relations; returns the dependent row of each.
std::vector<int> RowSpace::eliminate(std::vector<Relation>& relations, int rows) {
  std::vector<std::set<int>> in(rows);  // relations that hold a row
  for (std::size_t k = 0; k < relations.size(); ++k)
    for (const auto& [row, value] : relations[k]) in[row].insert(static_cast<int>(k));
  std::vector<int> pivots;
  for (std::size_t k = 0; k < relations.size(); ++k) {
    if (relations[k].empty()) throw std::logic_error("row space: relations that are none");
    const double scale = largest(relations[k]);
    auto last = relations[k].rbegin();
    while (std::fabs(last->second) < kPivot * scale) ++last;
    const int pivot = last->first;
    const double by = last->second;
    pivots.push_back(pivot);
    const std::set<int> others = in[pivot];
    for (int other : others) {
      if (other == static_cast<int>(k)) continue;
      Relation& to = relations[other];
      const double factor = to[pivot] / by;
      for (const auto& [row, value] : relations[k]) {
        to[row] -= factor * value;
        in[row].insert(other);
      }
      const double negligible = kNegligible * largest(to);
      for (auto it = to.begin(); it != to.end();) {
        const bool drop = it->first == pivot || std::fabs(it->second) <= negligible;
        if (drop) in[it->first].erase(other);
        it = drop ? to.erase(it) : std::next(it);
      }
    }
  }
  return pivots;
}

std::vector<DependentRow> RowSpace::dependent() const {
  std::vector<DependentRow> out;
  for (std::size_t r = 0; r < length_.size(); ++r)
    if (length_[r] == 0) out.push_back({static_cast<int>(r), {}});
  if (!used_row_.empty()) {
    std::vector<Relation> all = relations();
    const std::vector<int> pivots = eliminate(all, static_cast<int>(length_.size()));
    for (std::size_t k = 0; k < all.size(); ++k) {
      DependentRow d{pivots[k], {}};
      const double own = all[k].at(d.row);
      for (const auto& [row, value] : all[k])
        if (row != d.row) d.of.emplace_back(row, -value / own * length_[d.row] / length_[row]);
      out.push_back(std::move(d));
    }
  }
  std::sort(out.begin(), out.end(),
            [](const DependentRow& a, const DependentRow& b) { return a.row < b.row; });
  return out;
}

Eigen::VectorXd RowSpace::shortest(const Eigen::VectorXd& right) const {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(columns_);
  if (rank_ == 0) return out;
  const auto& order = qr_.colsPermutation().indices();
  Eigen::VectorXd z = Eigen::VectorXd::Zero(static_cast<int>(used_column_.size()));
  for (int k = 0; k < rank_; ++k) {
    const int row = used_row_[order(k)];
    double sum = right(row) / length_[row], diagonal = 1;
    for (Eigen::SparseMatrix<double>::InnerIterator it(R_, k); it; ++it) {
      if (it.row() < k) sum -= it.value() * z(it.row());
      else diagonal = it.value();
    }
    z(k) = sum / diagonal;
  }
  const Eigen::VectorXd x = qr_.matrixQ() * z;
  for (std::size_t c = 0; c < used_column_.size(); ++c) out(used_column_[c]) = x(c);
  return out;
}

}  // namespace clarke
