#include "linear/reduced_system.hpp"

#include "framework/math/small_solve.hpp"

#include <algorithm>
#include <cmath>

namespace clarke {

namespace {

double shift_of(const RegularisationOptions& o, double residual) {
  if (o.rule == "fixed") return o.relative;
  return std::clamp(o.gain * std::pow(residual, o.power), o.minimum, o.maximum);
}

}  // namespace

void ReducedSystem::reduce(const SaddlePointSystem& s, const RegularisationOptions& options) {
  pattern_ = s.pattern;
  symmetric_ = s.symmetric;
  separate_ = s.separate_transpose;
  symmetric_delassus_ = s.symmetric_delassus;
  dense_compliance_ = s.dense_compliance;
  islands_ = s.islands;
  layout_stamp_ = s.layout_stamp;
  ++reduction_stamp_;
  hessian_ = s.hessian;
  off_ = s.forces.off;
  transpose_ = s.right();
  a_ = s.a;
  b_ = s.b;
  turn_ = s.slip_frame;
  shift_ = shift_of(options, s.residual_measure);

  const Pattern p = pattern_;
  const View<Mat3> H = hessian_, Hinv = inverse_.resize(p.blocks);
  parallel_for(
      "hessian_inverse", p.blocks, KOKKOS_LAMBDA(int b) { Hinv(b) = inverse(H(b)); }, 30);

  const View<Vec3> J = s.jacobian, T = transpose_, R = right_.resize(p.values);
  const View<Vec3> L = left_.resize(symmetric_ && !separate_ ? 0 : p.values);
  const bool separate = separate_;
  const View<double> C = compliance_.resize(p.rows);
  const View<double> Cb = block_.resize(diagonal_compliance() ? 0 : p.squares);
  const View<double> a = a_, b = b_, slip_frame = turn_, A = s.A, B = s.B;
  const bool symmetric = symmetric_, dense_compliance = dense_compliance_;
  const View<int> live = live_.resize(p.items);
  const double relative = shift_, absolute = options.absolute;
  parallel_for(
      "reduce_rows", p.items,
      KOKKOS_LAMBDA(int i) {
        const int s0 = p.item_slot(i), k = p.item_slot(i + 1) - s0;
        const int row = p.item_row(i), m = p.item_row(i + 1) - row, v0 = p.item_value(i);
        const double cosine = slip_frame(2 * i), sine = slip_frame(2 * i + 1);
        for (int r = 0; r < m; ++r)
          for (int j = 0; j < k; ++j) {
            Vec3 value = J(v0 + r * k + j);
            if (sine != 0 || cosine != 1) {  // only contacts turn: rows 1 and 2 of three
              if (r == 1) value = cosine * value + sine * J(v0 + 2 * k + j);
              if (r == 2) value = cosine * value - sine * J(v0 + k + j);
            }
            R(v0 + r * k + j) = value;
          }
        if (separate) {  // what has been turned is the left side; the right one is turned here
          for (int e = 0; e < m * k; ++e) {
            L(v0 + e) = R(v0 + e);
            R(v0 + e) = T(v0 + e);
          }
          if (sine != 0 || cosine != 1)
            for (int j = 0; j < k; ++j) {
              const Vec3 d = T(v0 + k + j), t = T(v0 + 2 * k + j);
              R(v0 + k + j) = cosine * d + sine * t;
              R(v0 + 2 * k + j) = cosine * t - sine * d;
            }
        }
        live(i) = symmetric ? 0 : 1;
        double w[kMaxItemRows];
        for (int r = 0; r < m; ++r) {
          w[r] = 0;
          for (int j = 0; j < k; ++j) {
            const Vec3 value = R(v0 + r * k + j);
            w[r] += dot(separate ? L(v0 + r * k + j) : value, Hinv(p.slot_block(s0 + j)) * value);
          }
        }
        if (symmetric) {
          const int q = dense_compliance ? p.item_square(i) : 0;
          bool dense = false;  // has a compliance off the diagonal: positive definite by itself
          if (dense_compliance)
            for (int e = 0; e < m * m; ++e) dense = dense || (e % (m + 1) != 0 && B(q + e) != 0);
          for (int r = 0; r < m; ++r) {
            if (a(row + r) > 0) {
              live(i) = 1;
              const double c = b(row + r) / a(row + r);
              C(row + r) = dense ? c : c + relative * (w[r] + c) + absolute;
            } else {
              C(row + r) = 1;
              for (int j = 0; j < k; ++j) R(v0 + r * k + j) = Vec3{};
              for (int j = 0; separate && j < k; ++j) L(v0 + r * k + j) = Vec3{};
            }
          }
          if (!dense_compliance) return;
          for (int r = 0; r < m; ++r)
            for (int e = 0; e < m; ++e) Cb(q + r * m + e) = r == e ? C(row + r) : B(q + r * m + e);
          return;
        }
        const int q = p.item_square(i);
        for (int j = 0; j < k; ++j) {
          Vec3 turned[kMaxItemRows];
          for (int e = 0; e < m; ++e) turned[e] = separate ? L(v0 + e * k + j) : R(v0 + e * k + j);
          for (int r = 0; r < m; ++r) {
            Vec3 value{};
            for (int e = 0; e < m; ++e) value += A(q + r * m + e) * turned[e];
            L(v0 + r * k + j) = value;
          }
        }
        for (int r = 0; r < m; ++r) {
          for (int e = 0; e < m; ++e)
            Cb(q + r * m + e) = B(q + r * m + e) + A(q + r * m + e) * (relative * w[e] + absolute);
          C(row + r) = Cb(q + r * m + r);
        }
      },
      150);
}

void ReducedSystem::right_hand_side(const View<Vec3>& r_u, const View<double>& s, const View<double>& sigma) {
  const Pattern p = pattern_;
  const View<double> a = a_, b = b_, slip_frame = turn_;
  const View<double> delta = delta_.resize(p.rows), delta_turned = delta_turned_.resize(p.rows);
  const View<Vec3> T = transpose_;
  const bool symmetric = symmetric_;
  parallel_for(
      "reduce_right_hand_side", p.items,
      KOKKOS_LAMBDA(int i) {
        const int row = p.item_row(i), m = p.item_row(i + 1) - row;
        const double cosine = slip_frame(2 * i), sine = slip_frame(2 * i + 1);
        const bool turned = sine != 0 || cosine != 1;
        for (int r = 0; r < m; ++r) {
          double value = s(row + r);
          if (turned && r == 1) value = cosine * s(row + 1) + sine * s(row + 2);
          if (turned && r == 2) value = cosine * s(row + 2) - sine * s(row + 1);
          const bool known = symmetric && !(a(row + r) > 0);
          delta_turned(row + r) = known ? value / b(row + r) : 0;
          sigma(row + r) = known ? 0 : (symmetric ? value / a(row + r) : value);
          delta(row + r) = delta_turned(row + r);
        }
        if (turned) {
          const double d = delta_turned(row + 1), t = delta_turned(row + 2);
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
  const Pattern p = pattern_;
  const View<double> slip_frame = turn_, delta = delta_turned_;
  parallel_for(
      "expand_impulses", p.items,
      KOKKOS_LAMBDA(int i) {
        const int row = p.item_row(i), m = p.item_row(i + 1) - row;
        const double cosine = slip_frame(2 * i), sine = slip_frame(2 * i + 1);
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
