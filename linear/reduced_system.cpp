#include "linear/reduced_system.hpp"

#include "framework/math/small_solve.hpp"
#include "linear/reduced_item.hpp"

#include <algorithm>
#include <cmath>

namespace clarke {

namespace {

double shift_of(const RegularisationOptions& o, double residual) {
  if (o.rule == "fixed") return o.relative;
  return std::clamp(o.gain * std::pow(residual, o.power), o.minimum, o.maximum);
}

}  // namespace

void ReducedSystem::reduce_in_place(const SaddlePointSystem& s) {
  own_left_ = s.left();
  mixing_ = s.A;
  own_block_ = s.B;
  const Pattern& p = pattern_;
  const View<double> C = compliance_.resize(p.rows), A = s.A, B = s.B;
  const View<int> live = live_.resize(p.items), unread = open_.resize(p.items);
  parallel_for(
      "reduce_in_place", p.items,
      KOKKOS_LAMBDA(int i) {
        const ItemPlace at = item_place(p, i);
        live(i) = 1;
        unread(i) = is_open(at, A) ? 1 : 0;
        for (int r = 0; r < at.rows; ++r) C(at.row + r) = B(at.square + r * (at.rows + 1));
      },
      20);
}

void ReducedSystem::reduce(const SaddlePointSystem& s, const RegularisationOptions& options, double residual,
                           bool in_place) {
  pattern_ = s.pattern;
  traits_ = s.traits;
  islands_ = s.islands;
  layout_stamp_ = s.layout_stamp;
  ++reduction_stamp_;
  hessian_ = s.hessian;
  off_ = s.forces.off;
  transpose_ = s.right();
  a_ = s.a;
  b_ = s.b;
  slip_frame_ = s.slip_frame;
  shift_ = shift_of(options, residual);
  in_place_ = in_place;
  delassus_ = s.delassus_diagonal;

  const Pattern& p = pattern_;
  const View<Mat3> H = hessian_, Hinv = inverse_.resize(p.blocks);
  parallel_for(
      "hessian_inverse", p.blocks, KOKKOS_LAMBDA(int b) { Hinv(b) = inverse(H(b)); }, 30);

  if (in_place) return reduce_in_place(s);

  const RowTraits traits = traits_;
  const View<Vec3> J = s.left(), T = transpose_, R = right_.resize(p.values);
  const View<Vec3> L = left_.resize(shared_rows() ? 0 : p.values);
  const bool separate = traits.separate_transpose || s.motion_jacobian.view().extent(0) > 0;
  const View<Vec3> rotated = separate ? L : R;  // J in the slip frame
  const View<double> C = compliance_.resize(p.rows);
  const View<double> block = block_.resize(diagonal_compliance() ? 0 : p.squares);
  const View<double> a = a_, b = b_, frames = slip_frame_, A = s.A, B = s.B;
  const View<int> live = live_.resize(p.items), unread = open_.resize(p.items);
  const Regularisation shift{shift_, options.absolute};
  parallel_for(
      "reduce_rows", p.items,
      KOKKOS_LAMBDA(int i) {
        const ItemPlace at = item_place(p, i);
        const SlipFrame frame{frames(2 * i), frames(2 * i + 1)};
        const bool open = !traits.symmetric && is_open(at, A);
        if (!open || !separate) rotate_rows(at, frame, J, rotated);
        if (separate) rotate_rows(at, frame, T, R);
        live(i) = 1;
        unread(i) = open ? 1 : 0;
        if (open) {
          reduce_open(at, B, L, C, block);
          return;
        }
        double w[kMaxItemRows] = {};
        if (shift.relative > 0) schur_diagonal(p, at, rotated, R, Hinv, w);
        if (!traits.symmetric) {
          reduce_general(at, A, B, shift, w, rotated, L, C, block);
          return;
        }
        const bool dense = traits.dense_compliance && has_dense_compliance(at, B);
        live(i) = reduce_symmetric(at, a, b, dense, shift, w, rotated, R, C);
        if (traits.dense_compliance) write_compliance_block(at, B, C, block);
      },
      150);
}

void ReducedSystem::right_hand_side(const View<Vec3>& r_u, const View<double>& s, const View<double>& sigma) {
  const Pattern& p = pattern_;
  const View<double> a = a_, b = b_, frames = slip_frame_;
  const View<double> delta = delta_.resize(p.rows), delta_rotated = delta_rotated_.resize(p.rows);
  const View<Vec3> T = transpose_;
  const bool symmetric = traits_.symmetric;
  parallel_for(
      "reduce_right_hand_side", p.items,
      KOKKOS_LAMBDA(int i) {
        const int row = p.item_row(i), m = p.item_row(i + 1) - row;
        const double cosine = frames(2 * i), sine = frames(2 * i + 1);
        const bool rotates = sine != 0 || cosine != 1;
        for (int r = 0; r < m; ++r) {
          double value = s(row + r);
          if (rotates && r == 1) value = cosine * s(row + 1) + sine * s(row + 2);
          if (rotates && r == 2) value = cosine * s(row + 2) - sine * s(row + 1);
          const bool known = symmetric && !(a(row + r) > 0);
          delta_rotated(row + r) = known ? value / b(row + r) : 0;
          sigma(row + r) = known ? 0 : (symmetric ? value / a(row + r) : value);
          delta(row + r) = delta_rotated(row + r);
        }
        if (rotates) {
          const double d = delta_rotated(row + 1), t = delta_rotated(row + 2);
          delta(row + 1) = cosine * d - sine * t;
          delta(row + 2) = sine * d + cosine * t;
        }
      },
      10);
  if (!symmetric) return;
  parallel_for(
      "reduce_known_impulses", p.blocks, KOKKOS_LAMBDA(int bl) { r_u(bl) += block_gather(p, T, delta, bl); }, 16);
}

void ReducedSystem::expand(const View<double>& y, const View<double>& out) const {
  const Pattern& p = pattern_;
  const View<double> frames = slip_frame_, delta = delta_rotated_;
  parallel_for(
      "expand_impulses", p.items,
      KOKKOS_LAMBDA(int i) {
        const int row = p.item_row(i), m = p.item_row(i + 1) - row;
        const double cosine = frames(2 * i), sine = frames(2 * i + 1);
        for (int r = 0; r < m; ++r) out(row + r) = y(row + r) + delta(row + r);
        if (sine != 0 || cosine != 1) {
          const double d = out(row + 1), t = out(row + 2);
          out(row + 1) = cosine * d - sine * t;
          out(row + 2) = sine * d + cosine * t;
        }
      },
      8);
}

}  // namespace clarke
