#include "linear/operators/schur.hpp"

#include <algorithm>
#include <limits>

namespace clarke {

/// row_product of the three rows of a contact at once: the same additions in the same order, but every velocity read
/// once.
KOKKOS_INLINE_FUNCTION static void contact_product(const Pattern& p, const View<Vec3>& values, const View<Vec3>& u,
                                                   int item, double* sum) {
  const int s0 = p.item_slot(item), k = p.item_slot(item + 1) - s0;
  const int v0 = p.item_value(item);
  double s[3] = {};
  for (int j = 0; j < k; ++j) {
    const Vec3 w = u(p.slot_block(s0 + j));
    for (int r = 0; r < 3; ++r) s[r] += dot(values(v0 + r * k + j), w);
  }
  for (int r = 0; r < 3; ++r) sum[r] = s[r];
}

void SchurForm::gather_velocity(const View<double>& x, const View<int>& closed) const {
  // References: every copy of a View counts itself, and a kernel makes its own.
  const Pattern& p = reduced_.pattern();
  const View<Mat3>& Hinv = reduced_.hessian_inverse();
  const View<Vec3> w = velocity_.resize(p.blocks);
  const View<int>&gather = p.gather, &done = closed, &of_block = reduced_.islands().of_block;
  const bool some = closed.extent(0) > 0;
  const GatheredRows::Rows rows = reduced_.gathered();
  parallel_for(
      "schur_gather", p.blocks,
      KOKKOS_LAMBDA(int b) {
        if (some && of_block(b) >= 0 && done(of_block(b))) return;
        w(b) = Hinv(b) * gather_rows(rows, gather, x, b);
      },
      24);
}

void SchurForm::gather_velocity_transpose(const View<double>& x) const {
  const Pattern& p = reduced_.pattern();
  const View<Mat3>& Hinv = reduced_.hessian_inverse();
  const View<Vec3>& L = reduced_.left();
  const View<Vec3> w = velocity_.resize(p.blocks);
  parallel_for(
      "schur_gather_transpose", p.blocks, KOKKOS_LAMBDA(int b) { w(b) = Hinv(b) * block_gather(p, L, x, b); }, 24);
}

void SchurForm::multiply_rows(const View<Vec3>& L, bool transposed, const View<int>& closed, const View<double>& x,
                              const View<double>& y) const {
  const Pattern& p = reduced_.pattern();
  const bool only_diagonal = reduced_.diagonal_compliance(), some = closed.extent(0) > 0;
  const View<double>&C = reduced_.compliance(), &Cb = reduced_.compliance_block();
  const View<Vec3>&left = L, &w = velocity_.view();
  const View<int>&done = closed, &of_item = reduced_.islands().of_item, &live = reduced_.live();
  parallel_for(
      "schur_rows", p.items,
      KOKKOS_LAMBDA(int i) {
        if (some && of_item(i) >= 0 && done(of_item(i))) return;
        const int row = p.item_row(i), m = p.item_row(i + 1) - row;
        if (!live(i)) {  // left is zero
          for (int r = 0; r < m; ++r) y(row + r) = compliance_product(p, only_diagonal, transposed, C, Cb, x, 0, i, r);
          return;
        }
        if (m == 3) {
          double sum[3];
          contact_product(p, left, w, i, sum);
          for (int r = 0; r < 3; ++r)
            y(row + r) = sum[r] + compliance_product(p, only_diagonal, transposed, C, Cb, x, 0, i, r);
          return;
        }
        for (int r = 0; r < m; ++r)
          y(row + r) =
              row_product(p, left, w, i, r) + compliance_product(p, only_diagonal, transposed, C, Cb, x, 0, i, r);
      },
      30);
}

void SchurForm::apply(const View<double>& x, const View<double>& y) const { apply_open(x, y, {}); }

void SchurForm::apply_open(const View<double>& x, const View<double>& y, const View<int>& closed) const {
  gather_velocity(x, closed);
  multiply_rows(reduced_.left(), false, closed, x, y);
}

void SchurForm::apply_transpose(const View<double>& x, const View<double>& y) const {
  gather_velocity_transpose(x);
  multiply_rows(reduced_.right(), true, {}, x, y);
}

const Partition* SchurForm::partition() const { return partition_.of(reduced_); }

void SchurForm::diagonal(const View<double>& d) const {
  const Pattern& p = reduced_.pattern();
  const View<Mat3> Hinv = reduced_.hessian_inverse();
  const View<double> C = reduced_.compliance();
  const View<Vec3> L = reduced_.left(), R = reduced_.right();
  parallel_for(
      "schur_diagonal", p.items,
      KOKKOS_LAMBDA(int i) {
        const int row = p.item_row(i), m = p.item_row(i + 1) - row;
        for (int r = 0; r < m; ++r) d(row + r) = schur_diagonal(p, L, R, Hinv, C, i, r);
      },
      60);
}

void SchurForm::prepare_block_inverse() { block_inverse_.prepare(reduced_); }

void SchurForm::apply_block_inverse(const View<double>& x, const View<double>& y) const {
  block_inverse_.apply(reduced_.pattern(), x, y, 0);
}

namespace {

constexpr int kSweepCost = 60;  // of an item of a sweep, in units of a light one
// Items per level from which threads, or a device, gain by sweeping over levels.
constexpr int kSweepWidth = kDeviceIsHost ? 4 * kGrain / kSweepCost : 32;

}  // namespace

void SchurForm::gauss_seidel_sweep(const View<double>& b, const View<double>& x) const {
  const Pattern& p = reduced_.pattern();
  const bool only_diagonal = reduced_.diagonal_compliance();
  const View<Mat3> Hinv = reduced_.hessian_inverse();
  const View<double> C = reduced_.compliance(), Cb = reduced_.compliance_block();
  const View<Vec3> L = reduced_.left(), R = reduced_.right();
  const View<Vec3> w = velocity_.resize(p.blocks);
  parallel_for(
      "gauss_seidel_gather", p.blocks, KOKKOS_LAMBDA(int bl) { w(bl) = Hinv(bl) * block_gather(p, R, x, bl); }, 24);
  // The items in order, or all of a level at once, which gives the same bits.
  const auto visit = KOKKOS_LAMBDA(int i) {
    const int s0 = p.item_slot(i), k = p.item_slot(i + 1) - s0;
    const int row = p.item_row(i), m = p.item_row(i + 1) - row, v0 = p.item_value(i);
    for (int r = 0; r < m; ++r) {
      double diagonal = C(row + r);
      for (int j = 0; j < k; ++j) diagonal += dot(L(v0 + r * k + j), Hinv(p.slot_block(s0 + j)) * R(v0 + r * k + j));
      const double residual =
          b(row + r) - row_product(p, L, w, i, r) - compliance_product(p, only_diagonal, false, C, Cb, x, 0, i, r);
      const double change = residual / diagonal;
      x(row + r) += change;
      for (int j = 0; j < k; ++j) {
        const int block = p.slot_block(s0 + j);
        w(block) += Hinv(block) * (change * R(v0 + r * k + j));
      }
    }
  };
  levels_.find(p, reduced_.layout_stamp(), kSweepWidth);
  if (levels_.wide()) {
    levels_.for_each("gauss_seidel_sweep", false, visit, kSweepCost);
    return;
  }
  const int items = p.items;
  parallel_for(
      "gauss_seidel_sweep", 1, KOKKOS_LAMBDA(int) {
        for (int i = 0; i < items; ++i) visit(i);
      });
}

void SchurForm::right_hand_side(const View<Vec3>& r_u, const View<double>& sigma, const View<double>& b) const {
  const Pattern& p = reduced_.pattern();
  const View<Mat3> Hinv = reduced_.hessian_inverse();
  const View<Vec3> L = reduced_.left(), w = velocity_.resize(p.blocks), r = r_u;
  parallel_for(
      "schur_rhs_velocity", p.blocks, KOKKOS_LAMBDA(int bl) { w(bl) = Hinv(bl) * r(bl); }, 9);
  parallel_for(
      "schur_rhs", p.items,
      KOKKOS_LAMBDA(int i) {
        const int row = p.item_row(i), m = p.item_row(i + 1) - row;
        for (int e = 0; e < m; ++e) b(row + e) = sigma(row + e) - row_product(p, L, w, i, e);
      },
      20);
}

void SchurForm::solution(const View<double>& z, const View<Vec3>& r_u, const View<double>&,
                         const View<double>& y_turned, const View<Vec3>& y_u) const {
  Kokkos::deep_copy(y_turned, z);
  const Pattern& p = reduced_.pattern();
  const View<Mat3>& Hinv = reduced_.hessian_inverse();
  const View<int>& gather = p.gather;
  const View<double>& y = y_turned;
  const View<Vec3>&r = r_u, &out = y_u;
  const GatheredRows::Rows rows = reduced_.gathered();
  parallel_for(
      "schur_velocity", p.blocks, KOKKOS_LAMBDA(int b) { out(b) = Hinv(b) * (r(b) + gather_rows(rows, gather, y, b)); },
      24);
}

namespace {

/// Calls f(item i, row r of i, slot j of i, item k, slot l of k, row e of k) for every coupling of two items through a
/// velocity block, in the order of the assembled coordinates. `left_slots`: in how many slots item i has entries at
/// most.
template <class HostPattern, class F>
void for_couplings(const HostPattern& p, int left_slots, F f) {
  for (int i = 0; i < p.items; ++i) {
    const int s0 = p.item_slot(i), slots = std::min(p.item_slot(i + 1) - s0, left_slots);
    for (int j = 0; j < slots; ++j) {
      const int block = p.slot_block(s0 + j);
      for (int g = p.gather(block); g < p.gather(block + 1); ++g) f(i, j, block, p.gather_item(g), p.gather_slot(g));
    }
  }
}

int left_slots(const ReducedSystem& reduced) {
  return reduced.left_in_first_slot() ? 1 : std::numeric_limits<int>::max();
}

}  // namespace

void SchurForm::coordinates(std::vector<int>& rows, std::vector<int>& columns) const {
  const auto p = host_copy(reduced_.pattern());
  for (int i = 0; i < p.items; ++i) {
    const int row = p.item_row(i), m = p.item_row(i + 1) - row;
    for (int r = 0; r < m; ++r)
      for (int e = 0; e < m; ++e) {
        rows.push_back(row + r);
        columns.push_back(row + e);
      }
  }
  for_couplings(p, left_slots(reduced_), [&](int i, int, int, int k, int) {
    for (int r = p.item_row(i); r < p.item_row(i + 1); ++r)
      for (int e = p.item_row(k); e < p.item_row(k + 1); ++e) {
        rows.push_back(r);
        columns.push_back(e);
      }
  });
}

void SchurForm::values(MatrixEntries& out) const {
  const auto p = host_copy(reduced_.pattern());
  const auto Hinv = host_copy(reduced_.hessian_inverse());
  const auto L = host_copy(reduced_.left()), R = host_copy(reduced_.right());
  const auto C = host_copy(reduced_.compliance());
  const auto Cb = host_copy(reduced_.compliance_block());
  for (int i = 0; i < p.items; ++i) {
    const int row = p.item_row(i), m = p.item_row(i + 1) - row;
    for (int r = 0; r < m; ++r)
      for (int e = 0; e < m; ++e)
        out.scalar(reduced_.diagonal_compliance() ? (r == e ? C(row + r) : 0.0) : Cb(p.item_square(i) + r * m + e));
  }
  for_couplings(p, left_slots(reduced_), [&](int i, int j, int block, int k, int l) {
    const int mi = p.item_row(i + 1) - p.item_row(i), mk = p.item_row(k + 1) - p.item_row(k);
    const int si = p.item_slot(i + 1) - p.item_slot(i), sk = p.item_slot(k + 1) - p.item_slot(k);
    for (int r = 0; r < mi; ++r) {
      const Vec3 left = L(p.item_value(i) + r * si + j);
      for (int e = 0; e < mk; ++e) out.scalar(dot(left, Hinv(block) * R(p.item_value(k) + e * sk + l)));
    }
  });
}

}  // namespace clarke
