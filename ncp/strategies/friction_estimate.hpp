#pragma once
// The friction of sliding contacts as an unknown of its own in Newton's iteration on a proximal step: the estimate q of
// resolvent() [framework/sets/resolvent.hpp; docs/theory.md, eq. D5].
//
//   begin    q = r, the centre of the step
//   predict  p' = p + D dz,  dz = J y/c: what p is, to first order, after the full step du = −y
//   at       q + a (p' − q) of a trial of length a;  take: of the length that was taken
//
// p' is of all rows, q of contacts with friction: three numbers each, in their rows.

#include "framework/step_rows.hpp"

namespace clarke {

class FrictionEstimate {
 public:
  /// Plain views, copied by value into kernels.
  struct At {
    View<double> now, predicted;
    double length = 0;
    /// q of the row `row`.
    KOKKOS_INLINE_FUNCTION double operator()(int row) const {
      return length > 0 ? now(row) + length * (predicted(row) - now(row)) : now(row);
    }
  };

  void begin(const View<double>& centre);
  /// y along the motion, T du; c, p and D as of the last projection.
  void predict(const StepRows& rows, const View<Vec3>& y, const View<double>& c, const View<double>& p,
               const View<double>& D);
  At at(double length) const { return {now_, predicted_, length}; }
  void take(double length);
  /// p' of the last predict(): what a linear solve makes of the impulses.
  const View<double>& predicted() const { return predicted_.view(); }

 private:
  Buffer<double> now_{"friction_estimate"}, predicted_{"friction_predicted"};
};

}  // namespace clarke
