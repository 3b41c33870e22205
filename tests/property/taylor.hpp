#pragma once
// Test support: is J the derivative of f? By the slope of the Taylor remainder |f(x + e d) − f(x) − e J d| over e,
// which is two where J is right and one where it is not. Sharper than comparing with difference quotients: no tolerance
// depends on f.

#include <array>
#include <cmath>
#include <limits>

namespace clarke::test {

/// Least slope that counts as two: steps are finite, so third derivatives show.
inline constexpr double kTaylorSlope = 1.9;
/// Rounding of a remainder relative to the terms it is the difference of.
inline constexpr double kTaylorNoise = 64 * std::numeric_limits<double>::epsilon();

/// Least slope of log remainder(e) over e = first, first/4, first/16; infinite where f is linear to rounding. `scale`
/// is the size of the terms of the remainder. NaN when a remainder is.
template <class Remainder>
double taylor_slope(double scale, const Remainder& remainder, double first = 1e-3) {
  const std::array<double, 3> r{remainder(first), remainder(first / 4), remainder(first / 16)};
  double slope = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 2; ++k) {
    if (std::isnan(r[k]) || std::isnan(r[k + 1])) return std::numeric_limits<double>::quiet_NaN();
    if (r[k + 1] <= kTaylorNoise * scale) continue;
    slope = std::fmin(slope, std::log(r[k] / r[k + 1]) / std::log(4.0));
  }
  return slope;
}

}  // namespace clarke::test
