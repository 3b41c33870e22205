#include "linear/operators/solved_schur.hpp"

#include <stdexcept>

namespace clarke {

std::string SolvedSchurForm::update() { return hessian_.update(reduced_); }

void SolvedSchurForm::apply_with(const View<Vec3>& L, const View<Vec3>& R, bool transposed, const View<int>& closed,
                                 const View<double>& x, const View<double>& y) const {
  const Pattern& p = reduced_.pattern();
  const bool only_diagonal = reduced_.diagonal_compliance();
  const View<double> C = reduced_.compliance(), Cb = reduced_.compliance_block(), in = x, out = y;
  const View<Vec3> f = force_.resize(p.blocks), v = velocity_.resize(p.blocks), left = L, right = R;
  const bool some = closed.extent(0) > 0;
  const View<int> done = closed, of_block = reduced_.islands().of_block;
  parallel_for(
      "solved_schur_gather", p.blocks,
      KOKKOS_LAMBDA(int b) {
        const bool rests = some && of_block(b) >= 0 && done(of_block(b));
        f(b) = rests ? Vec3{} : block_gather(p, right, in, b);
      },
      24);
  hessian_.solve(f, v);
  parallel_for(
      "solved_schur_rows", p.items,
      KOKKOS_LAMBDA(int i) {
        const int row = p.item_row(i), m = p.item_row(i + 1) - row;
        for (int r = 0; r < m; ++r)
          out(row + r) =
              row_product(p, left, v, i, r) + compliance_product(p, only_diagonal, transposed, C, Cb, in, 0, i, r);
      },
      30);
}

void SolvedSchurForm::apply(const View<double>& x, const View<double>& y) const {
  apply_with(reduced_.left(), reduced_.right(), false, {}, x, y);
}
void SolvedSchurForm::apply_open(const View<double>& x, const View<double>& y, const View<int>& closed) const {
  apply_with(reduced_.left(), reduced_.right(), false, closed, x, y);
}
void SolvedSchurForm::apply_transpose(const View<double>& x, const View<double>& y) const {
  apply_with(reduced_.right(), reduced_.left(), true, {}, x, y);
}

void SolvedSchurForm::exact_blocks(const View<double>& blocks) const {
  const Pattern& p = reduced_.pattern();
  const auto row_item = host_copy(p.row_item), item_row = host_copy(p.item_row);
  const bool only_diagonal = reduced_.diagonal_compliance();
  const View<double> C = reduced_.compliance(), Cb = reduced_.compliance_block(), out = blocks;
  const View<Vec3> f = force_.resize(p.blocks), v = velocity_.resize(p.blocks), L = reduced_.left(),
                   R = reduced_.right();
  for (int row = 0; row < p.rows; ++row) {
    const int i = row_item(row), e = row - item_row(i);
    fill(f, Vec3{});
    parallel_for(
        "solved_schur_unit_row", 1, KOKKOS_LAMBDA(int) {
          const int s0 = p.item_slot(i), k = p.item_slot(i + 1) - s0;
          for (int j = 0; j < k; ++j) f(p.slot_block(s0 + j)) = R(p.item_value(i) + e * k + j);
        });
    hessian_.solve(f, v);
    parallel_for(
        "solved_schur_block_column", 1, KOKKOS_LAMBDA(int) {
          const int m = p.item_row(i + 1) - p.item_row(i), q = p.item_square(i);
          for (int r = 0; r < m; ++r)
            out(q + r * m + e) =
                row_product(p, L, v, i, r) + (only_diagonal ? (r == e ? C(row) : 0.0) : Cb(q + r * m + e));
        });
  }
}

void SolvedSchurForm::diagonal(const View<double>& d) const {
  const Pattern& p = reduced_.pattern();
  const View<double> blocks = blocks_.resize(p.squares);
  if (exact_) exact_blocks(blocks);
  const bool exact = exact_;
  const View<Mat3> Hinv = reduced_.hessian_inverse();
  const View<double> C = reduced_.compliance();
  const View<Vec3> L = reduced_.left(), R = reduced_.right();
  parallel_for(
      "solved_schur_diagonal", p.items,
      KOKKOS_LAMBDA(int i) {
        const int row = p.item_row(i), m = p.item_row(i + 1) - row, q = p.item_square(i);
        for (int r = 0; r < m; ++r)
          d(row + r) = exact ? blocks(q + r * (m + 1)) : schur_diagonal(p, L, R, Hinv, C, i, r);
      },
      60);
}

void SolvedSchurForm::prepare_block_inverse() {
  if (!exact_) return block_inverse_.prepare(reduced_);
  const View<double> blocks = blocks_.resize(reduced_.pattern().squares);
  exact_blocks(blocks);
  block_inverse_.prepare(reduced_.pattern(), blocks);
}

void SolvedSchurForm::apply_block_inverse(const View<double>& x, const View<double>& y) const {
  block_inverse_.apply(reduced_.pattern(), x, y, 0);
}

void SolvedSchurForm::right_hand_side(const View<Vec3>& r_u, const View<double>& sigma, const View<double>& b) const {
  const Pattern& p = reduced_.pattern();
  const View<Vec3> L = reduced_.left(), v = velocity_.resize(p.blocks);
  const View<double> s = sigma, out = b;
  if (p.rows == 0) return;
  hessian_.solve(r_u, v);
  parallel_for(
      "solved_schur_rhs", p.items,
      KOKKOS_LAMBDA(int i) {
        const int row = p.item_row(i), m = p.item_row(i + 1) - row;
        for (int e = 0; e < m; ++e) out(row + e) = s(row + e) - row_product(p, L, v, i, e);
      },
      20);
}

void SolvedSchurForm::solution(const View<double>& z, const View<Vec3>& r_u, const View<double>&,
                               const View<double>& y_turned, const View<Vec3>& y_u) const {
  const Pattern& p = reduced_.pattern();
  const View<Vec3> f = force_.resize(p.blocks), R = reduced_.right(), r = r_u;
  const View<double> y = y_turned;
  Kokkos::deep_copy(y_turned, z);
  parallel_for(
      "solved_schur_impulses", p.blocks, KOKKOS_LAMBDA(int b) { f(b) = r(b) + block_gather(p, R, y, b); }, 24);
  hessian_.solve(f, y_u);
}

void SolvedSchurForm::coordinates(std::vector<int>&, std::vector<int>&) const {
  throw std::logic_error("Schur form with a block-sparse H: no matrix entries");
}
void SolvedSchurForm::values(MatrixEntries&) const {
  throw std::logic_error("Schur form with a block-sparse H: no matrix entries");
}

}  // namespace clarke
