#include "verdict/step_matrices.hpp"

#include <Eigen/Cholesky>

#include <array>

namespace clarke {
namespace {

using Entries = std::vector<Eigen::Triplet<double>>;

RowMatrix matrix(int rows, int columns, const Entries& entries) {
  RowMatrix out(rows, columns);
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

void add(Entries& entries, int row, int column, double value) {
  if (value != 0) entries.emplace_back(row, column, value);
}

RowMatrix rows_matrix(const SaddlePointSystem& system, const View<Vec3>& values) {
  const auto p = host_copy(system.pattern);
  const auto value = host_copy(values);
  Entries entries;
  for (int i = 0; i < p.items; ++i) {
    const int s0 = p.item_slot(i), k = p.item_slot(i + 1) - s0, rows = p.item_row(i + 1) - p.item_row(i);
    for (int r = 0; r < rows; ++r)
      for (int j = 0; j < k; ++j) {
        const Vec3 v = value(p.item_value(i) + r * k + j);
        const int row = p.item_row(i) + r, column = 3 * p.slot_block(s0 + j);
        add(entries, row, column, v.x);
        add(entries, row, column + 1, v.y);
        add(entries, row, column + 2, v.z);
      }
  }
  return matrix(p.rows, 3 * system.blocks, entries);
}

}  // namespace

RowMatrix step_jacobian(const SaddlePointSystem& system) { return rows_matrix(system, system.jacobian); }
RowMatrix step_transpose(const SaddlePointSystem& system) { return rows_matrix(system, system.right()); }

RowMatrix step_hessian(const SaddlePointSystem& system) {
  RowMatrix out = block_diagonal(system.hessian);
  const OffDiagonal& off = system.forces.off;
  if (off.entries == 0) return out;
  const auto first = host_copy(off.first), column = host_copy(off.column);
  const auto value = host_copy(off.value);
  Entries entries;
  for (int b = 0; b < system.blocks; ++b)
    for (int e = first(b); e < first(b + 1); ++e)
      for (int k = 0; k < 9; ++k) add(entries, 3 * b + k / 3, 3 * column(e) + k % 3, value(e)(k / 3, k % 3));
  return out + matrix(3 * system.blocks, 3 * system.blocks, entries);
}

RowMatrix block_diagonal(const View<Mat3>& blocks) {
  const auto block = host_copy(blocks);
  const int n = static_cast<int>(block.extent(0));
  Entries entries;
  for (int b = 0; b < n; ++b)
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) add(entries, 3 * b + r, 3 * b + c, 0.5 * (block(b)(r, c) + block(b)(c, r)));
  return matrix(3 * n, 3 * n, entries);
}

MassRoots mass_roots(const SaddlePointSystem& system) {
  const auto inverse = host_copy(system.mass_inverse.view());
  std::vector<Eigen::Triplet<double>> root, whole;
  for (int b = 0; b < system.blocks; ++b) {
    Eigen::Matrix3d m;
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) m(r, c) = 0.5 * (inverse(b)(r, c) + inverse(b)(c, r));
    const Eigen::Matrix3d l = m.llt().matrixL();
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) {
        if (m(r, c) != 0) whole.emplace_back(3 * b + r, 3 * b + c, m(r, c));
        if (l(r, c) != 0) root.emplace_back(3 * b + r, 3 * b + c, l(r, c));
      }
  }
  const int n = 3 * system.blocks;
  MassRoots out{RowMatrix(n, n), RowMatrix(n, n)};
  out.root.setFromTriplets(root.begin(), root.end());
  out.inverse.setFromTriplets(whole.begin(), whole.end());
  return out;
}

RowBlocks row_blocks(const SaddlePointSystem& system) {
  const auto p = host_copy(system.pattern);
  const auto a = host_copy(system.a.view()), b = host_copy(system.b.view()),
             slip_frame = host_copy(system.slip_frame.view());
  const auto A = host_copy(system.A.view()), B = host_copy(system.B.view());
  Entries of_A, of_B;
  for (int i = 0; i < p.items; ++i) {
    const int row = p.item_row(i), m = p.item_row(i + 1) - row, q = p.item_square(i);
    const double c = slip_frame(2 * i), s = slip_frame(2 * i + 1);
    const bool turned = s != 0 || c != 1;
    // The turned frame (n, d, t): row r of T.
    const auto T = [&](int r, int k) -> double {
      if (!turned || r == 0 || r > 2 || k == 0 || k > 2) return r == k ? 1 : 0;
      return r == k ? c : (r == 1 ? s : -s);
    };
    const auto entry = [&](const auto& dense, const auto& diagonal, bool coupled, int r, int k) -> double {
      double sum = 0;  // Tᵀ · T
      for (int e = 0; e < m; ++e)
        for (int f = 0; f < m; ++f) {
          const double value = !system.traits.symmetric || (coupled && e != f) ? dense(q + e * m + f)
                                                                               : (e == f ? diagonal(row + e) : 0.0);
          sum += T(e, r) * value * T(f, k);
        }
      return sum;
    };
    for (int r = 0; r < m; ++r)
      for (int k = 0; k < m; ++k) {
        add(of_A, row + r, row + k, entry(A, a, false, r, k));
        add(of_B, row + r, row + k, entry(B, b, system.traits.dense_compliance, r, k));
      }
  }
  return {matrix(p.rows, p.rows, of_A), matrix(p.rows, p.rows, of_B)};
}

}  // namespace clarke
