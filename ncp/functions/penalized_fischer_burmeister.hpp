#pragma once
// Penalised Fischer-Burmeister: φ(a, b) = w (a + b − √(a² + b²)) + (1 − w) a₊ b₊/v₀
// [Chen Chen Kanzow 2000; docs/theory.md, eq. P3].
//
//   (∂a, ∂b) = w (1 − a/n, 1 − b/n) + (1 − w)/v₀ (b₊, a₊)        at the corner w times what -ncp_corner asks for
//
// w        -penalized_fischer_burmeister_weight   [1]     in (0, 1]; 1 is Fischer-Burmeister
// v₀       -penalized_fischer_burmeister_speed    [m/s]   the papers' φ has no units; a₊ b₊ is divided by this speed
// The second term grows where both arguments are positive: a contact that is open and yet pushes. Fischer-Burmeister is
// bounded by 2 min(a, b) there, so far from a solution it tells little of the larger argument. With arguments well
// below v₀ the two are alike. The function is not homogeneous: results of an iteration depend on v₀, solutions do not.

#include "ncp/functions/fischer_burmeister.hpp"

namespace clarke {

struct PenalizedFischerBurmeister {
  static constexpr const char* kName = "penalized_fischer_burmeister";
  struct Parameters {
    double weight = 0.95;
    double speed = 1;  // [m/s]
    void describe(OptionVisitor& v) {
      v.real("penalized_fischer_burmeister_weight", weight,
             {"1", "share w of Fischer-Burmeister; 1 − w is that of the product of the positive parts", 1e-3, 1.0});
      v.real("penalized_fischer_burmeister_speed", speed, {"m/s", "speed v₀ by which the product is divided", 1e-12});
    }
  };
  NcpCorner corner{};
  Parameters parameters{};

  template <class T>
  KOKKOS_INLINE_FUNCTION NcpValue<T> operator()(T a, T b) const {
    const NcpValue<T> f = FischerBurmeister{corner}(a, b);
    const T w = T(parameters.weight), k = T((1 - parameters.weight) / parameters.speed);
    const T pa = a > T(0) ? a : T(0), pb = b > T(0) ? b : T(0);
    const T value = w * f.value + k * pa * pb;
    using std::hypot;
    if (hypot(a, b) <= T(corner.radius)) return {value, w * f.da, w * f.db};
    return {value, w * f.da + (a > T(0) ? k * pb : T(0)), w * f.db + (b > T(0) ? k * pa : T(0))};
  }
};

}  // namespace clarke
