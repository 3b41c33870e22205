#pragma once
// How far one row of a joint is from what it asks for: a pure function of the physical quantities, the same for every
// solver [docs/theory.md, eq. V1].
//
//   | mid(v, w (Λ − l), w (Λ − u)) |     [m/s, rad/s]     v row velocity, [l, u] bounds of Λ, w = W_rr + γ [1/kg]
//   w |Λ − Π_R(Λ − v/w)|                 of two rows that are bounded together, |Λ| ≤ R; w the mean of both
//
// the median of three: |v| for a bilateral row, min(v, w Λ) for a limit, the distance from the box for a drive at its
// effort.

#include "framework/device.hpp"

#include <cmath>

namespace clarke {

struct JointQuantities {
  double velocity, impulse, lower, upper, delassus_diagonal;
};

inline double joint_residual(const JointQuantities& q) {
  if (std::isnan(q.velocity) || std::isnan(q.impulse)) return std::nan("");
  const double low = q.delassus_diagonal * (q.impulse - q.lower);  // ≥ the next one
  const double high = q.delassus_diagonal * (q.impulse - q.upper);
  return std::fabs(std::fmin(low, std::fmax(high, q.velocity)));
}

/// Of the pair of rows q and p.
inline double disc_residual(const JointQuantities& q, const JointQuantities& p) {
  const double w = 0.5 * (q.delassus_diagonal + p.delassus_diagonal), x = q.impulse - q.velocity / w,
               y = p.impulse - p.velocity / w;
  const double size = std::hypot(x, y), keep = size > q.upper ? q.upper / size : 1;
  return w * std::hypot(q.impulse - keep * x, p.impulse - keep * y);
}

/// Between its bounds, or at one of them: which of the three is the median.
enum class RowStatus { free, lower, upper };

inline RowStatus row_status(const JointQuantities& q) {
  if (q.velocity > q.delassus_diagonal * (q.impulse - q.lower)) return RowStatus::lower;
  if (q.velocity < q.delassus_diagonal * (q.impulse - q.upper)) return RowStatus::upper;
  return RowStatus::free;
}

}  // namespace clarke
