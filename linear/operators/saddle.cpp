#include "linear/operators/saddle.hpp"

#include "framework/petsc_views.hpp"

namespace clarke {

void SaddleForm::apply_with(const View<Vec3>& L, const View<Vec3>& R, bool transposed, const View<double>& x,
                            const View<double>& y) const {
  const Pattern& p = reduced_.pattern();
  const int nu = 3 * p.blocks;
  const bool only_diagonal = reduced_.diagonal_compliance();
  const View<Mat3> H = reduced_.hessian();
  const OffDiagonal& off = reduced_.off_diagonal();
  const View<double> C = reduced_.compliance(), Cb = reduced_.compliance_block();
  const View<Vec3> xu = as_vec3(x, 0, p.blocks), yu = as_vec3(y, 0, p.blocks);
  const View<double> xl = tail(x, nu), yl = tail(y, nu);
  const View<Vec3> left = L, right = R;
  parallel_for(
      "saddle_momentum", p.blocks,
      KOKKOS_LAMBDA(int b) { yu(b) = H(b) * xu(b) + off_diagonal_product(off, xu, b) - block_gather(p, right, xl, b); },
      24);
  parallel_for(
      "saddle_rows", p.items,
      KOKKOS_LAMBDA(int i) {
        const int row = p.item_row(i), m = p.item_row(i + 1) - row;
        for (int r = 0; r < m; ++r)
          yl(row + r) =
              -row_product(p, left, xu, i, r) - compliance_product(p, only_diagonal, transposed, C, Cb, xl, 0, i, r);
      },
      30);
}

void SaddleForm::apply(const View<double>& x, const View<double>& y) const {
  apply_with(reduced_.left(), reduced_.right(), false, x, y);
}
void SaddleForm::apply_transpose(const View<double>& x, const View<double>& y) const {
  apply_with(reduced_.right(), reduced_.left(), true, x, y);
}

void SaddleForm::diagonal(const View<double>& d) const {
  const Pattern& p = reduced_.pattern();
  const int nu = 3 * p.blocks;
  const View<Mat3> H = reduced_.hessian();
  const View<double> C = reduced_.compliance();
  parallel_for(
      "saddle_diagonal_u", nu, KOKKOS_LAMBDA(int i) { d(i) = H(i / 3)(i % 3, i % 3); }, 2);
  parallel_for(
      "saddle_diagonal_rows", p.rows, KOKKOS_LAMBDA(int r) { d(nu + r) = -C(r); });
}

void SaddleForm::prepare_block_inverse() { block_inverse_.prepare(reduced_); }

void SaddleForm::apply_block_inverse(const View<double>& x, const View<double>& y) const {
  const Pattern& p = reduced_.pattern();
  const View<Mat3> Hinv = reduced_.hessian_inverse();
  const View<Vec3> xu = as_vec3(x, 0, p.blocks), yu = as_vec3(y, 0, p.blocks);
  parallel_for(
      "saddle_block_jacobi_u", p.blocks, KOKKOS_LAMBDA(int b) { yu(b) = Hinv(b) * xu(b); }, 9);
  block_inverse_.apply(p, x, y, 3 * p.blocks);
}

void SaddleForm::right_hand_side(const View<Vec3>& r_u, const View<double>& sigma, const View<double>& b) const {
  const Pattern& p = reduced_.pattern();
  const int nu = 3 * p.blocks;
  Kokkos::deep_copy(as_vec3(b, 0, p.blocks), r_u);
  const View<double> s = sigma, out = b;
  parallel_for(
      "saddle_rhs", p.rows, KOKKOS_LAMBDA(int r) { out(nu + r) = -s(r); });
}

void SaddleForm::solution(const View<double>& z, const View<Vec3>&, const View<double>&, const View<double>& y_turned,
                          const View<Vec3>& y_u) const {
  const Pattern& p = reduced_.pattern();
  Kokkos::deep_copy(y_u, as_vec3(z, 0, p.blocks));
  Kokkos::deep_copy(y_turned, tail(z, 3 * p.blocks));
}

void SaddleForm::coordinates(std::vector<int>& rows, std::vector<int>& columns) const {
  const auto p = host_copy(reduced_.pattern());
  const int nu = 3 * p.blocks;
  auto add = [&](int r, int c) {
    rows.push_back(r);
    columns.push_back(c);
  };
  add_hessian_coordinates(reduced_, rows, columns);
  for (int i = 0; i < p.items; ++i) {
    const int row = p.item_row(i), m = p.item_row(i + 1) - row;
    for (int e = 0; e < m * m; ++e) add(nu + row + e / m, nu + row + e % m);
    add_coupling_coordinates(p, i, nu, rows, columns);
  }
}

void SaddleForm::values(MatrixEntries& out) const {
  const auto p = host_copy(reduced_.pattern());
  const auto L = host_copy(reduced_.left()), R = host_copy(reduced_.right());
  const auto C = host_copy(reduced_.compliance());
  const auto Cb = host_copy(reduced_.compliance_block());
  add_hessian_values(reduced_, [&](const Mat3& block) { out.block(block); });
  for (int i = 0; i < p.items; ++i) {
    const int row = p.item_row(i), m = p.item_row(i + 1) - row;
    const int k = p.item_slot(i + 1) - p.item_slot(i);
    for (int e = 0; e < m * m; ++e)
      out.scalar(reduced_.diagonal_compliance() ? (e / m == e % m ? -C(row + e / m) : 0.0) : -Cb(p.item_square(i) + e));
    for (int r = 0; r < m; ++r)
      for (int j = 0; j < k; ++j)
        for (int d = 0; d < 3; ++d) {
          out.scalar(-R(p.item_value(i) + r * k + j)[d]);
          out.scalar(-L(p.item_value(i) + r * k + j)[d]);
        }
  }
}

}  // namespace clarke
