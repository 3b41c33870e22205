#pragma once
// Test support: numbers that look random and are the same on every machine.

#include "framework/math/quat.hpp"

#include <cmath>
#include <cstdint>

namespace clarke::test {

/// splitmix64.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  /// In [a, b).
  double uniform(double a, double b) {
    state_ += 0x9E3779B97F4A7C15ull;
    std::uint64_t k = state_;
    k = (k ^ (k >> 30)) * 0xBF58476D1CE4E5B9ull;
    k = (k ^ (k >> 27)) * 0x94D049BB133111EBull;
    k ^= k >> 31;
    return a + (b - a) * (static_cast<double>(k >> 11) * 0x1p-53);
  }
  double sign() { return uniform(-1, 1) < 0 ? -1 : 1; }
  /// Positive, uniform in the exponent.
  double log_uniform(double a, double b) { return std::exp(uniform(std::log(a), std::log(b))); }
  Vec3 vector(double size) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }
  Vec3 unit_vector() {
    for (;;) {
      const Vec3 v = vector(1);
      if (norm(v) > 0.1 && norm(v) < 1) return normalized(v);
    }
  }
  /// Any orientation.
  Quat rotation() { return from_axis_angle(unit_vector(), uniform(-3, 3)); }

 private:
  std::uint64_t state_;
};

}  // namespace clarke::test
