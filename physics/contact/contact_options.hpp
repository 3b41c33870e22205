#pragma once
// Options of contact detection, and the one place that knows how the friction coefficients of two surfaces combine.

#include "framework/math/vec3.hpp"
#include "framework/options.hpp"

namespace clarke {

enum class FrictionPairing { geometric_mean, minimum, maximum, average };

/// Names of the rules in the order of the enumeration.
inline const std::vector<std::string>& friction_pairing_names() {
  static const std::vector<std::string> names{"geometric_mean", "minimum", "maximum", "average"};
  return names;
}

/// μ of a pair; every rule gives μ for two surfaces with the same μ.
KOKKOS_INLINE_FUNCTION double pair_friction(FrictionPairing rule, double mu_a, double mu_b) {
  switch (rule) {
    case FrictionPairing::geometric_mean:
      return std::sqrt(mu_a * mu_b);
    case FrictionPairing::minimum:
      return mu_a < mu_b ? mu_a : mu_b;
    case FrictionPairing::maximum:
      return mu_a > mu_b ? mu_a : mu_b;
    case FrictionPairing::average:
      break;
  }
  return 0.5 * (mu_a + mu_b);
}

struct ContactOptions {
  double margin = 0.005;  // [m] should not be below g h²: what a body at rest falls in one step
  double margin_speed = 1.0;  // [1]
  std::string friction_pairing = "geometric_mean";

  void describe(OptionVisitor& v) {
    v.real("contact_margin", margin,
           {"m", "pairs with a smaller gap become contacts, even at rest", 0.0});
    v.real(
        "contact_margin_speed", margin_speed,
        {"1", "what a pair's speed times the step length adds to its contact margin, as a factor",
         0.0});
    v.choice("friction_pairing", friction_pairing, friction_pairing_names(),
             {"", "friction coefficient of two surfaces from their own coefficients"});
  }
};

}  // namespace clarke
