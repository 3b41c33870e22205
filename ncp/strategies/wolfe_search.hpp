#pragma once
// A step length by the strong Wolfe conditions [Nocedal Wright 2006, algorithms 3.5 and 3.6]: with Φ(a) along a
// direction that descends,
//
//   Φ(a) ≤ Φ(0) + c₁ a Φ'(0) + noise,   |Φ'(a)| ≤ c₂ |Φ'(0)|,        c₁ = 10⁻⁴, c₂ = 0.9
//
// The length doubles until an interval is known to hold such a point, which is then cut at the minimum of the cubic
// through both ends, and every third time in the middle. `noise` is rounding of Φ: two values that differ by
// less are equal. The second condition gives quasi-Newton pairs with s·y > 0.
//
// Limits: kWolfeTrials points. Where they are used up the best with the first condition is taken, and `both` is false;
// length 0 is none.

#include <cmath>
#include <utility>

namespace clarke {

struct LinePoint {
  double energy, slope;  // Φ(a) [J], Φ'(a) [J]
};

struct WolfeStep {
  double length;
  bool both;  // conditions hold
};

inline constexpr double kWolfeDecrease = 1e-4, kWolfeCurvature = 0.9;
inline constexpr int kWolfeTrials = 30;

/// `at(a)` evaluates Φ there; what it evaluated last need not be at the length that is returned.
template <class At>
WolfeStep wolfe_search(const LinePoint& start, double noise, const At& at) {
  struct End {
    double a;
    LinePoint f;
  };
  const auto decreases = [&](double a, const LinePoint& f) {
    return f.energy <= start.energy + kWolfeDecrease * a * start.slope + noise;
  };
  const auto flat = [&](const LinePoint& f) { return std::fabs(f.slope) <= -kWolfeCurvature * start.slope; };
  End low{0, start}, high{0, start};  // low: the best so far with the first condition
  bool bracketed = false;
  double a = 1;
  for (int trial = 0; trial < kWolfeTrials; ++trial) {
    const LinePoint f = at(a);
    if (!decreases(a, f) || f.energy > low.f.energy + noise) {  // a NaN is too long
      high = {a, f};
      bracketed = true;
    } else {
      if (flat(f)) return {a, true};
      const End before = std::exchange(low, End{a, f});
      if (!bracketed ? f.slope >= 0 : f.slope * (high.a - a) >= 0) {
        high = before;
        bracketed = true;
      }
    }
    if (!bracketed) {
      a *= 2;
      continue;
    }
    // Minimum of the cubic through energies and slopes of both ends, as a share of the interval.
    const double width = high.a - low.a;
    const double d1 = low.f.slope + high.f.slope - 3 * (high.f.energy - low.f.energy) / width;
    const double d2 = (width >= 0 ? 1 : -1) * std::sqrt(d1 * d1 - low.f.slope * high.f.slope);
    const double share = 1 - (high.f.slope + d2 - d1) / (high.f.slope - low.f.slope + 2 * d2);
    constexpr double kLeast = 1e-3, kMost = 0.9;
    const bool cut = trial % 3 == 2 || !(share > 0 && share < 1);  // in the middle
    a = low.a + width * (cut ? 0.5 : std::fmin(std::fmax(share, kLeast), kMost));
  }
  return {low.a, false};
}

}  // namespace clarke
