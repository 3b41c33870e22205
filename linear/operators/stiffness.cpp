#include "linear/operators/stiffness.hpp"

#include "framework/host_threads.hpp"
#include "framework/math/small_solve.hpp"
#include "framework/petsc_views.hpp"
#include "linear/operators/item_blocks.hpp"

namespace clarke {

namespace {

constexpr int kFewItems = 1000;  // one thread writes their blocks as fast
constexpr int kRanges = 4;       // of rows, for each thread: some have many contacts, some none

/// Σ_e D(r, e) x_e or the transposed.
KOKKOS_INLINE_FUNCTION double square_product(const View<double>& D, int q, int m, bool transposed, const double* x,
                                             int r) {
  double sum = 0;
  for (int e = 0; e < m; ++e) sum += D(transposed ? q + e * m + r : q + r * m + e) * x[e];
  return sum;
}

/// A x of an item whose rows J_L are A times those at hand, or Aᵀ x; x where there is no A.
KOKKOS_INLINE_FUNCTION double mixed_rows(const View<double>& A, int q, int m, bool transposed, const double* x, int r) {
  return A.extent(0) > 0 ? square_product(A, q, m, transposed, x, r) : x[r];
}

/// A bound of (J_L M⁻¹ J_Rᵀ + C)_rr, J_L = A J, from the diagonal of W = J M⁻¹ J_Rᵀ: |W_re| is at most its largest.
KOKKOS_INLINE_FUNCTION double schur_bound(const View<double>& A, const View<double>& W, double c, int q, int m, int row,
                                          int r) {
  double largest = 0, sum = 0;
  for (int e = 0; e < m; ++e) {
    const double w = std::fabs(W(row + e));
    largest = w > largest ? w : largest;
    sum += std::fabs(A(q + r * m + e));
  }
  return std::fabs(c) + sum * largest;
}

/// (J_L H⁻¹ J_Rᵀ + C)_rr of row r of item i, J_L = A L.
KOKKOS_INLINE_FUNCTION double mixed_schur_diagonal(const Pattern& p, const View<Vec3>& L, const View<Vec3>& R,
                                                   const View<Mat3>& Hinv, const View<double>& A, double c, int i,
                                                   int r) {
  const int m = p.item_row(i + 1) - p.item_row(i), s0 = p.item_slot(i), k = p.item_slot(i + 1) - s0,
            v0 = p.item_value(i), q = p.item_square(i);
  double sum = c;
  for (int j = 0; j < k; ++j) {
    const Vec3 moved = Hinv(p.slot_block(s0 + j)) * R(v0 + r * k + j);
    for (int e = 0; e < m; ++e) sum += A(q + r * m + e) * dot(L(v0 + e * k + j), moved);
  }
  return sum;
}

/// D = C⁻¹ and D A of three rows with a diagonal C that a bound shows not to be rigid; otherwise does nothing.
KOKKOS_INLINE_FUNCTION bool divide_contact(const View<double>& C, const View<double>& A, const View<double>& W, int q,
                                           int row, bool open, const View<double>& D, const View<double>& DA) {
  for (int e = 0; e < 9; ++e)
    if (e % 4 != 0 && C(q + e) != 0) return false;
  for (int r = 0; r < 3; ++r) {
    const double c = C(q + 4 * r), bound = open ? std::fabs(c) : schur_bound(A, W, c, q, 3, row, r);
    if (!(std::fabs(c) > StiffnessForm::kRigid * bound)) return false;
  }
  for (int r = 0; r < 3; ++r) {
    const double d = 1 / C(q + 4 * r);
    for (int e = 0; e < 3; ++e) {
      D(q + 3 * r + e) = r == e ? d : 0;
      DA(q + 3 * r + e) = d * A(q + 3 * r + e);
    }
  }
  return true;
}

}  // namespace

std::string StiffnessForm::update() {
  const Pattern& p = reduced_.pattern();
  const bool only_diagonal = reduced_.diagonal_compliance(), in_place = reduced_.in_place();
  const View<Mat3> Hinv = reduced_.hessian_inverse();
  const View<double> C = reduced_.compliance(), Cb = reduced_.compliance_block(), A = reduced_.mixing(),
                     W = reduced_.delassus_diagonal();
  const View<Vec3> L = reduced_.left(), R = reduced_.right();
  const View<double> D = stiffness_.resize(p.squares), DA = mixed_.resize(in_place ? p.squares : 0);
  const View<int> kept = kept_item_.resize(p.items), open = reduced_.open();
  parallel_for(
      "stiffness_update", p.items,
      KOKKOS_LAMBDA(int i) {
        const int row = p.item_row(i), m = p.item_row(i + 1) - row, q = p.item_square(i);
        if (in_place && m == 3 && !wide(p, i) && divide_contact(Cb, A, W, q, row, open(i), D, DA)) {
          kept(i) = 0;
          return;
        }
        double c[kMaxItemRows * kMaxItemRows];
        bool rigid = false;
        for (int r = 0; r < m; ++r) {
          for (int e = 0; e < m; ++e) c[r * m + e] = only_diagonal ? (r == e ? C(row + r) : 0.0) : Cb(q + r * m + e);
          const double limit = std::fabs(C(row + r)) / kRigid;
          // What a bound clears needs no H⁻¹.
          if (open(i) || (in_place && limit > schur_bound(A, W, C(row + r), q, m, row, r))) {
            rigid = rigid || !(limit > std::fabs(C(row + r)));
            continue;
          }
          const double w = in_place ? mixed_schur_diagonal(p, L, R, Hinv, A, C(row + r), i, r)
                                    : schur_diagonal(p, L, R, Hinv, C, i, r);
          rigid = rigid || !(limit > std::fabs(w));
        }
        rigid = rigid || !invert_small(c, m);  // C⁻¹, most often of a diagonal
        kept(i) = rigid ? 1 : m > 0 && wide(p, i) ? 2 : 0;
        for (int e = 0; e < m * m; ++e) D(q + e) = kept(i) ? 0.0 : c[e];
        if (!in_place) return;
        for (int r = 0; r < m; ++r)
          for (int e = 0; e < m; ++e) {
            double sum = 0;
            for (int k = 0; !open(i) && k < m; ++k) sum += D(q + r * m + k) * A(q + k * m + e);
            DA(q + r * m + e) = sum;
          }
      },
      150);
  const auto host = host_copy(kept);
  kept_ = 0;
  for (int i = 0; i < p.items; ++i) {
    kept_ += host(i) > 0;
    rigid_rows_ = rigid_rows_ || host(i) == 1;
  }
  has_rows_ = has_rows_ || kept_ > 0;
  return "";
}

void StiffnessForm::apply_with(const View<Vec3>& L, const View<Vec3>& R, bool transposed, const View<double>& x,
                               const View<double>& y) const {
  const Pattern& p = reduced_.pattern();
  const int nu = 3 * p.blocks;
  const bool only_diagonal = reduced_.diagonal_compliance();
  const View<Mat3> H = reduced_.hessian();
  const OffDiagonal& off = reduced_.off_diagonal();
  const View<double> C = reduced_.compliance(), Cb = reduced_.compliance_block(), D = mixed(),
                     A = reduced_.in_place() ? reduced_.mixing() : View<double>();
  const View<int> kept = kept_item_;
  const View<Vec3> xu = as_vec3(x, 0, p.blocks), yu = as_vec3(y, 0, p.blocks);
  const View<double> xl = tail(x, nu), yl = tail(y, nu), t = force_.resize(p.rows);
  const View<Vec3> left = L, right = R;
  const bool rows = has_rows_;
  parallel_for(
      "stiffness_rows", p.items,
      KOKKOS_LAMBDA(int i) {
        const int row = p.item_row(i), m = p.item_row(i + 1) - row, q = p.item_square(i);
        double Jx[kMaxItemRows];
        for (int r = 0; r < m; ++r) Jx[r] = row_product(p, left, xu, i, r);
        for (int r = 0; r < m; ++r) {
          if (kept(i)) {
            t(row + r) = transposed ? -mixed_rows(A, q, m, true, xl.data() + row, r) : -xl(row + r);
            yl(row + r) = (transposed ? -Jx[r] : -mixed_rows(A, q, m, false, Jx, r)) -
                          compliance_product(p, only_diagonal, transposed, C, Cb, xl, 0, i, r);
          } else {
            t(row + r) = square_product(D, q, m, transposed, Jx, r);
            if (rows) yl(row + r) = xl(row + r);
          }
        }
      },
      40);
  parallel_for(
      "stiffness_momentum", p.blocks,
      KOKKOS_LAMBDA(int b) { yu(b) = H(b) * xu(b) + off_diagonal_product(off, xu, b) + block_gather(p, right, t, b); },
      24);
}

void StiffnessForm::apply(const View<double>& x, const View<double>& y) const {
  apply_with(reduced_.left(), reduced_.right(), false, x, y);
}
void StiffnessForm::apply_transpose(const View<double>& x, const View<double>& y) const {
  apply_with(reduced_.right(), reduced_.left(), true, x, y);
}

namespace {

/// (H + J_Rᵀ D J_L) restricted to velocity block b.
KOKKOS_INLINE_FUNCTION Mat3 velocity_block(const Pattern& p, const View<Mat3>& H, const View<Vec3>& L,
                                           const View<Vec3>& R, const View<double>& D, int b) {
  Mat3 sum = H(b);
  for (int g = p.gather(b); g < p.gather(b + 1); ++g) {
    const int i = p.gather_item(g), j = p.gather_slot(g), q = p.item_square(i);
    const int m = p.item_row(i + 1) - p.item_row(i), k = p.item_slot(i + 1) - p.item_slot(i);
    const int v0 = p.item_value(i) + j;
    for (int r = 0; r < m; ++r)
      for (int e = 0; e < m; ++e) sum = sum + D(q + r * m + e) * outer(R(v0 + r * k), L(v0 + e * k));
  }
  return sum;
}

}  // namespace

void StiffnessForm::diagonal(const View<double>& d) const {
  const Pattern& p = reduced_.pattern();
  const int nu = 3 * p.blocks;
  const View<Mat3> H = reduced_.hessian();
  const View<double> C = reduced_.compliance(), D = mixed();
  const View<Vec3> L = reduced_.left(), R = reduced_.right();
  const View<int> kept = kept_item_;
  parallel_for(
      "stiffness_diagonal_u", p.blocks,
      KOKKOS_LAMBDA(int b) {
        const Mat3 K = velocity_block(p, H, L, R, D, b);
        for (int e = 0; e < 3; ++e) d(3 * b + e) = K(e, e);
      },
      100);
  parallel_for(
      "stiffness_diagonal_rows", has_rows_ ? p.rows : 0,
      KOKKOS_LAMBDA(int r) { d(nu + r) = kept(p.row_item(r)) ? -C(r) : 1.0; });
}

void StiffnessForm::prepare_block_inverse() {
  const Pattern& p = reduced_.pattern();
  const View<Mat3> H = reduced_.hessian();
  const View<double> D = mixed();
  const View<Vec3> L = reduced_.left(), R = reduced_.right();
  const View<Mat3> inverse_block = block_inverse_.resize(p.blocks);
  parallel_for(
      "stiffness_block_inverse", p.blocks,
      KOKKOS_LAMBDA(int b) { inverse_block(b) = inverse(velocity_block(p, H, L, R, D, b)); }, 120);
}

void StiffnessForm::apply_block_inverse(const View<double>& x, const View<double>& y) const {
  const Pattern& p = reduced_.pattern();
  const int nu = 3 * p.blocks;
  const View<Mat3> inverse_block = block_inverse_;
  const View<Vec3> xu = as_vec3(x, 0, p.blocks), yu = as_vec3(y, 0, p.blocks);
  parallel_for(
      "stiffness_block_jacobi", p.blocks, KOKKOS_LAMBDA(int b) { yu(b) = inverse_block(b) * xu(b); }, 9);
  Kokkos::deep_copy(tail(y, nu), tail(x, nu));
}

void StiffnessForm::right_hand_side(const View<Vec3>& r_u, const View<double>& sigma, const View<double>& b) const {
  const Pattern& p = reduced_.pattern();
  const int nu = 3 * p.blocks;
  const View<double> D = stiffness_, s = sigma, t = force_.resize(p.rows), bl = tail(b, nu);
  const View<int> kept = kept_item_;
  const bool rows = has_rows_;
  const View<Vec3> R = reduced_.right(), bu = as_vec3(b, 0, p.blocks), r = r_u;
  parallel_for(
      "stiffness_rhs_rows", p.items,
      KOKKOS_LAMBDA(int i) {
        const int row = p.item_row(i), m = p.item_row(i + 1) - row, q = p.item_square(i);
        for (int e = 0; e < m; ++e) {
          t(row + e) = kept(i) ? 0.0 : square_product(D, q, m, false, &s(row), e);
          if (rows) bl(row + e) = kept(i) ? -s(row + e) : 0.0;
        }
      },
      10);
  parallel_for(
      "stiffness_rhs_momentum", p.blocks, KOKKOS_LAMBDA(int k) { bu(k) = r(k) + block_gather(p, R, t, k); }, 16);
}

void StiffnessForm::solution(const View<double>& z, const View<Vec3>&, const View<double>& sigma,
                             const View<double>& y_turned, const View<Vec3>& y_u) const {
  const Pattern& p = reduced_.pattern();
  const int nu = 3 * p.blocks;
  const View<double> D = stiffness_, s = sigma, y = y_turned, zl = tail(z, nu), DA = mixed_;
  const bool in_place = reduced_.in_place();
  const View<int> kept = kept_item_;
  const View<Vec3> L = reduced_.left(), zu = as_vec3(z, 0, p.blocks);
  Kokkos::deep_copy(y_u, zu);
  parallel_for(
      "stiffness_impulses", p.items,
      KOKKOS_LAMBDA(int i) {
        const int row = p.item_row(i), m = p.item_row(i + 1) - row, q = p.item_square(i);
        double rest[kMaxItemRows];
        for (int r = 0; r < m; ++r) rest[r] = (in_place ? 0.0 : s(row + r)) - row_product(p, L, zu, i, r);
        for (int r = 0; r < m; ++r) {
          y(row + r) = kept(i) ? zl(row + r) : square_product(in_place ? DA : D, q, m, false, rest, r);
          if (in_place && !kept(i)) y(row + r) += square_product(D, q, m, false, &s(row), r);
        }
      },
      30);
}

void StiffnessForm::coordinates(std::vector<int>& rows, std::vector<int>& columns) const {
  const auto p = host_copy(reduced_.pattern());
  const auto add_slots = [&](const auto& add) {
    for (int i = 0; i < p.items; ++i)
      for (int s = p.item_slot(i); s < p.item_slot(i + 1) && !wide(p, i); ++s)
        for (int t = 0; t < left_slots(p, i); ++t) add(p.slot_block(s), p.slot_block(p.item_slot(i) + t));
  };
  const auto add = [&](int r, int c) {
    rows.push_back(r);
    columns.push_back(c);
  };
  if (in_blocks()) {
    add_hessian_blocks(reduced_, add);
    add_slots(add);
    return;
  }
  const int nu = 3 * p.blocks;
  add_hessian_coordinates(reduced_, rows, columns);
  add_slots([&](int b, int c) {
    for (int e = 0; e < 9; ++e) add(3 * b + e / 3, 3 * c + e % 3);
  });
  for (int i = 0; i < p.items; ++i) {
    const int row = p.item_row(i), m = p.item_row(i + 1) - row;
    for (int e = 0; e < m * m; ++e) add(nu + row + e / m, nu + row + e % m);
    if (!coupled(p, i)) continue;
    add_coupling_coordinates(p, i, nu, rows, columns);
  }
}

void StiffnessForm::values(MatrixEntries& out) const {
  const int threads = host_threads();
  values_by_ranges(out, threads > 1 && reduced_.pattern().items >= kFewItems ? kRanges * threads : 1);
}

void StiffnessForm::values_by_ranges(MatrixEntries& out, int ranges) const {
  const auto p = host_copy(reduced_.pattern());
  const auto L = host_copy(reduced_.left()), R = host_copy(reduced_.right());
  const auto D = host_copy(mixed());
  const auto open = host_copy(reduced_.open());
  add_hessian_values(reduced_, [&](const Mat3& block) { out.block(block); });
  // Of the items' blocks those in some rows: entries are summed in the order of the items whoever writes which rows.
  const auto write = [&](MatrixEntries& to, const BlockRows& rows, std::vector<Vec3>& left) {
    PairBlocks pair;
    for (int i = 0; i < p.items;) {
      if (is_pair_contact(p, i) && left_slots(p, i) == PairBlocks::kSlots) {
        const int first = i;
        const bool written = pair.begin(p, i, rows);
        for (; i < p.items && is_pair_contact(p, i) && same_blocks(p, first, i); ++i)
          if (written && !open(i)) pair.add(L, R, D.data() + p.item_square(i), p.item_value(i));
        pair.write(i - first, to);
        continue;
      }
      const int item = i++;
      if (wide(p, item)) continue;
      if (open(item)) {
        to.skip_blocks(static_cast<std::ptrdiff_t>(p.item_slot(item + 1) - p.item_slot(item)) * left_slots(p, item));
        continue;
      }
      const std::size_t needed = p.item_value(item + 1) - p.item_value(item);
      if (left.size() < needed) left.resize(needed);
      write_item_blocks(p, L, R, D, item, left_slots(p, item), rows, left.data(), to);
    }
  };
  const MatrixEntries begin = out;
  left_.resize(host_threads());
  share(ranges, host_threads(), [&](int k, int t) {
    const auto bound = [&](int n) { return static_cast<int>(static_cast<long>(p.blocks) * n / ranges); };
    MatrixEntries to = begin;
    write(to, {bound(k), bound(k + 1)}, left_[t]);
    if (k == 0) out = to;
  });
  if (!has_rows_) return;
  const auto C = host_copy(reduced_.compliance());
  const auto Cb = host_copy(reduced_.compliance_block());
  const auto kept = host_copy(kept_item_.view());
  const auto A = host_copy(reduced_.in_place() ? reduced_.mixing() : View<double>());
  for (int i = 0; i < p.items; ++i) {
    const int row = p.item_row(i), m = p.item_row(i + 1) - row, q = p.item_square(i);
    const int k = p.item_slot(i + 1) - p.item_slot(i), v0 = p.item_value(i);
    for (int e = 0; e < m * m; ++e) {
      const double c = reduced_.diagonal_compliance() ? (e / m == e % m ? C(row + e / m) : 0.0) : Cb(q + e);
      out.scalar(kept(i) ? -c : (e / m == e % m ? 1.0 : 0.0));
    }
    for (int r = 0; r < m && coupled(p, i); ++r)
      for (int s = 0; s < k; ++s)
        for (int d = 0; d < 3; ++d) {
          double mixed = A.extent(0) > 0 ? 0 : L(v0 + r * k + s)[d];
          for (int e = 0; A.extent(0) > 0 && e < m; ++e) mixed += A(q + r * m + e) * L(v0 + e * k + s)[d];
          out.scalar(kept(i) ? -R(v0 + r * k + s)[d] : 0.0);
          out.scalar(kept(i) ? -mixed : 0.0);
        }
  }
}

}  // namespace clarke
