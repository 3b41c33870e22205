#pragma once
// Random numbers for builders that are the same on every machine and with every library: the counter of Steele, Lea and
// Flood, mixed twice (SplitMix64) [Steele Lea Flood 2014]. Not for statistics, and not for secrets.

#include "framework/math/quat.hpp"

#include <cmath>
#include <cstdint>

namespace clarke {

class RandomSequence {
 public:
  explicit RandomSequence(int seed) : state_(static_cast<std::uint64_t>(seed)) {}

  /// In [low, high).
  double uniform(double low, double high) {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    z ^= z >> 31;
    return low + (high - low) * (static_cast<double>(z >> 11) * 0x1p-53);  // 53 bits: what a double holds
  }
  /// Each component in [−extent, extent).
  Vec3 offset(double extent) {
    const double x = uniform(-extent, extent), y = uniform(-extent, extent);
    return {x, y, uniform(-extent, extent)};
  }
  /// A turn by less than `largest` [rad] about an axis of any direction.
  Quat tilt(double largest) {
    const double z = uniform(-1, 1), heading = uniform(0, kTurn), r = std::sqrt(1 - z * z);
    return from_axis_angle(Vec3{r * std::cos(heading), r * std::sin(heading), z}, uniform(0, largest));
  }
  /// A turn about the vertical, by any angle.
  Quat heading() { return from_axis_angle(Vec3{0, 0, 1}, uniform(0, kTurn)); }

 private:
  static constexpr double kTurn = 6.283185307179586;  // [rad]
  std::uint64_t state_;
};

}  // namespace clarke
