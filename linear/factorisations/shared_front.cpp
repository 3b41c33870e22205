#include "linear/factorisations/shared_front.hpp"

#include "framework/host_threads.hpp"
#include "linear/factorisations/front_tree.hpp"

#include <algorithm>

namespace clarke {

namespace {

constexpr double kFrontWorthSharing = 1e6;  // flops of a front
constexpr int kBlock = 48;                  // pivots that one thread eliminates before others see them
constexpr int kBlockStride = 52;            // of its rows
constexpr int kColumns = 32, kRows = 16;    // that one thread takes at a time, multiples of four (front_kernels.hpp)

int pieces(int n, int of) { return (n + of - 1) / of; }

PivotFailure eliminate_alone(const DenseFront& f, double zero) {
  const PivotFailure failure =
      eliminate_pivots(f.P, f.panel_stride, f.pivots, f.pivots, f.pivots + f.below, f.swap, f.inverse, zero);
  if (failure.row >= 0) return failure;
  divide_by_upper(f.X, f.update_stride, f.below, f.P, f.panel_stride, f.pivots, f.inverse);
  subtract_update(f.S, f.update_stride, f.X, f.update_stride, f.P + f.pivots, f.panel_stride, f.below, f.below,
                  f.pivots);
  return {};
}

}  // namespace

std::size_t shared_front_room(int pivots) { return static_cast<std::size_t>(pivots) * kBlockStride + 4; }

PivotFailure eliminate_front(const DenseFront& f, double zero, int threads, double* room) {
  if (threads <= 1 || FrontTree::flops_of(f.pivots, f.below) < kFrontWorthSharing) return eliminate_alone(f, zero);
  const int ld = f.panel_stride, p = f.pivots, size = p + f.below;
  const auto copy = [&](double* to, int to_stride, const double* from, int from_stride, int rows, int columns) {
    for (int i = 0; i < rows; ++i, to += to_stride, from += from_stride) std::copy(from, from + columns, to);
  };
  for (int k = 0; k < p; k += kBlock) {
    const int q = std::min(kBlock, p - k), next = k + q, rows = p - k;
    double* const rest = f.P + k * ld;
    int* const swap = f.swap + k;
    // By itself, for beyond the end of its rows there are columns that others have.
    copy(room, kBlockStride, rest + k, ld, rows, q);
    const PivotFailure failure = eliminate_pivots(room, kBlockStride, rows, q, q, swap, f.inverse + k, zero);
    const int swaps = failure.row < 0 ? q : failure.row + 1;
    if (failure.row < 0) {
      copy(rest + k, ld, room, kBlockStride, rows, q);
      swap_rows(rest, ld, q, k, swap);
      share(pieces(size - next, kColumns), threads, [&](int piece, int) {
        const int column = next + kColumns * piece;
        apply_pivots(rest + column, rest + k, ld, rows, q, std::min(kColumns, size - column), swap);
      });
    }
    for (int i = 0; i < swaps; ++i) swap[i] += k;
    if (failure.row >= 0) return {k + failure.row, failure.value};
  }
  const int ldx = f.update_stride;
  share(pieces(f.below, kRows), threads, [&](int piece, int) {
    const int row = kRows * piece, n = std::min(kRows, f.below - row);
    divide_by_upper(f.X + row, ldx, n, f.P, ld, p, f.inverse);
    subtract_update(f.S + row * ldx, ldx, f.X + row, ldx, f.P + p, ld, n, f.below, p);
  });
  return {};
}

}  // namespace clarke
