#include "verdict/row_space.hpp"

#include <Eigen/OrderingMethods>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

namespace clarke {
namespace {

constexpr double kPivot = 0.1;        // a row may be called dependent with this share of the largest coefficient
constexpr double kNegligible = 1e-7;  // coefficients of scaled rows below this share of the largest are rounding

// Rows that share a column with more others than this say little of the order, and much of memory: pairs grow as the
// square.
constexpr std::size_t kDenseColumn = 200;

double largest(const std::map<int, double>& relation) {
  double m = 0;
  for (const auto& [row, value] : relation) m = std::max(m, std::fabs(value));
  return m;
}

}  // namespace

RowSpace::RowSpace(const RowMatrix& matrix, double tolerance) : columns_(static_cast<int>(matrix.cols())) {
  length_.assign(matrix.rows(), 0);
  for (int r = 0; r < static_cast<int>(matrix.rows()); ++r) length_[r] = std::sqrt(matrix.row(r).squaredNorm());
  order(matrix);
  factorise(matrix, tolerance);
}

/// Places of the rows that are not zero: approximate minimum degree of the graph of rows that share a column.
void RowSpace::order(const RowMatrix& matrix) {
  std::vector<int> used;
  std::vector<std::vector<int>> in_column(columns_);
  for (int r = 0; r < static_cast<int>(length_.size()); ++r) {
    if (length_[r] == 0) continue;
    for (RowMatrix::InnerIterator it(matrix, r); it; ++it)
      if (it.value() != 0) in_column[it.col()].push_back(static_cast<int>(used.size()));
    used.push_back(r);
  }
  if (used.empty()) return;
  std::vector<std::vector<int>> neighbours(used.size());
  for (const std::vector<int>& rows : in_column) {
    if (rows.size() > kDenseColumn) continue;
    for (int r : rows) neighbours[r].insert(neighbours[r].end(), rows.begin(), rows.end());
  }
  std::vector<Eigen::Triplet<double>> entries;
  for (int r = 0; r < static_cast<int>(used.size()); ++r) {
    std::vector<int>& near = neighbours[r];
    near.push_back(r);
    std::sort(near.begin(), near.end());
    near.erase(std::unique(near.begin(), near.end()), near.end());
    for (int other : near) entries.emplace_back(other, r, 1);
  }
  const int n = static_cast<int>(used.size());
  Eigen::SparseMatrix<double> graph(n, n);
  graph.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> place;
  Eigen::AMDOrdering<int>()(graph, place);
  row_at_.resize(used.size());
  for (int i = 0; i < n; ++i) row_at_[i] = used[place.indices()(i)];
}

/// Makes entries (first + 1 …, column) zero by a reflection of the rows from `first` on, and keeps the reflection.
void RowSpace::reflect(Eigen::MatrixXd& front, const std::vector<int>& row, int first, int column) {
  const int n = static_cast<int>(front.rows()) - first;
  if (n < 2) return;
  Reflection h;
  double beta = 0;
  Eigen::VectorXd essential(n - 1);
  front.col(column).tail(n).makeHouseholder(essential, h.tau, beta);
  h.v.resize(n);
  h.v << 1, essential;
  const int right = static_cast<int>(front.cols()) - column - 1;
  if (right > 0) {
    const Eigen::RowVectorXd products = h.tau * (h.v.transpose() * front.bottomRightCorner(n, right));
    front.bottomRightCorner(n, right) -= h.v * products;
  }
  front.col(column).tail(n).setZero();
  front(first, column) = beta;
  h.at.assign(row.begin() + first, row.end());
  reflections_.push_back(std::move(h));
}

void RowSpace::factorise(const RowMatrix& matrix, double tolerance) {
  const int places = static_cast<int>(row_at_.size());
  // A row of Bᵀ, or what reflections have left of it: entries by place, ascending.
  struct Waiting {
    int at;
    std::vector<int> place;
    std::vector<double> value;
  };
  std::vector<Waiting> start(columns_);
  for (int p = 0; p < places; ++p)
    for (RowMatrix::InnerIterator it(matrix, row_at_[p]); it; ++it) {
      if (it.value() == 0) continue;
      start[it.col()].place.push_back(p);
      start[it.col()].value.push_back(it.value() / length_[row_at_[p]]);
    }
  std::vector<std::vector<Waiting>> waiting(places);  // by first place
  for (int c = 0; c < columns_; ++c) {
    start[c].at = c;
    if (!start[c].place.empty()) waiting[start[c].place[0]].push_back(std::move(start[c]));
  }
  std::vector<Eigen::Triplet<double>> R;
  std::vector<int> column(places, -1), pattern;
  for (int p = 0; p < places; ++p) {
    pattern.clear();
    for (const Waiting& w : waiting[p])
      for (int place : w.place)
        if (column[place] < 0) {
          column[place] = 0;
          pattern.push_back(place);
        }
    std::sort(pattern.begin(), pattern.end());
    const int n = static_cast<int>(waiting[p].size()), m = static_cast<int>(pattern.size());
    for (int k = 0; k < m; ++k) column[pattern[k]] = k;
    Eigen::MatrixXd front = Eigen::MatrixXd::Zero(n, std::max(m, 1));
    std::vector<int> row;  // the rows of Bᵀ in the front
    for (int i = 0; i < n; ++i) {
      const Waiting& w = waiting[p][i];
      row.push_back(w.at);
      for (std::size_t k = 0; k < w.place.size(); ++k) front(i, column[w.place[k]]) = w.value[k];
    }
    for (int place : pattern) column[place] = -1;
    waiting[p].clear();
    waiting[p].shrink_to_fit();
    const bool independent = n > 0 && front.col(0).norm() >= tolerance;
    int top = 0;  // rows of the front that are done with
    if (independent) {
      reflect(front, row, 0, 0);
      for (int k = 0; k < m; ++k)
        if (front(0, k) != 0) R.emplace_back(rank_, pattern[k], front(0, k));
      pivot_.push_back(row[0]);
      ++rank_;
      top = 1;
    }
    (independent ? independent_ : dependent_).push_back(p);
    // More rows than columns: a triangle says the same, and the rows below it are zero.
    const int bottom = std::min(n, top + m - 1);
    if (n > bottom)
      for (int k = 1; k < m; ++k) reflect(front, row, top + k - 1, k);
    for (int i = top; i < bottom; ++i) {
      Waiting w{row[i], {}, {}};
      for (int k = 1; k < m; ++k)
        if (front(i, k) != 0) {
          w.place.push_back(pattern[k]);
          w.value.push_back(front(i, k));
        }
      if (!w.place.empty()) waiting[w.place[0]].push_back(std::move(w));
    }
  }
  R_.resize(rank_, places);
  R_.setFromTriplets(R.begin(), R.end());
}

std::vector<RowSpace::Relation> RowSpace::relations() const {
  std::vector<Relation> out;
  std::vector<double> y(rank_, 0.0);
  for (int j : dependent_) {
    std::fill(y.begin(), y.end(), 0.0);
    for (Eigen::SparseMatrix<double>::InnerIterator it(R_, j); it; ++it) y[it.row()] = it.value();
    for (int k = rank_ - 1; k >= 0; --k) {
      if (y[k] == 0) continue;
      y[k] /= R_.coeff(k, independent_[k]);
      for (Eigen::SparseMatrix<double>::InnerIterator it(R_, independent_[k]); it && it.row() < k; ++it)
        y[it.row()] -= it.value() * y[k];
    }
    Relation relation{{row_at_[j], -1.0}};
    double scale = 1;
    for (double value : y) scale = std::max(scale, std::fabs(value));
    for (int k = 0; k < rank_; ++k)
      if (std::fabs(y[k]) > kNegligible * scale) relation[row_at_[independent_[k]]] = y[k];
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
  if (!dependent_.empty()) {
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
  std::sort(out.begin(), out.end(), [](const DependentRow& a, const DependentRow& b) { return a.row < b.row; });
  return out;
}

Eigen::VectorXd RowSpace::shortest(const Eigen::VectorXd& right) const {
  Eigen::VectorXd x = Eigen::VectorXd::Zero(columns_), z = Eigen::VectorXd::Zero(rank_);
  for (int k = 0; k < rank_; ++k) {
    const int row = row_at_[independent_[k]];
    double sum = right(row) / length_[row], diagonal = 1;
    for (Eigen::SparseMatrix<double>::InnerIterator it(R_, independent_[k]); it; ++it) {
      if (it.row() < k)
        sum -= it.value() * z(it.row());
      else
        diagonal = it.value();
    }
    z(k) = sum / diagonal;
    x(pivot_[k]) = z(k);
  }
  for (auto it = reflections_.rbegin(); it != reflections_.rend(); ++it) {
    const Reflection& h = *it;
    double product = 0;
    for (std::size_t i = 0; i < h.at.size(); ++i) product += h.v(i) * x(h.at[i]);
    for (std::size_t i = 0; i < h.at.size(); ++i) x(h.at[i]) -= h.tau * product * h.v(i);
  }
  return x;
}

}  // namespace clarke
