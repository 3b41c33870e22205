#pragma once
// Options of contact detection, and the one place that knows how the coefficients (friction, restitution) of two
// surfaces combine.

#include "framework/math/vec3.hpp"
#include "framework/options.hpp"

namespace clarke {

enum class Pairing { geometric_mean, minimum, maximum, average };

/// Names of the rules in the order of the enumeration.
inline const std::vector<std::string>& pairing_names() {
  static const std::vector<std::string> names{"geometric_mean", "minimum", "maximum", "average"};
  return names;
}

/// Coefficient c ≥ 0 of a pair; every rule gives c for two surfaces with the same c.
KOKKOS_INLINE_FUNCTION double pair_coefficient(Pairing rule, double a, double b) {
  switch (rule) {
    case Pairing::geometric_mean:
      return std::sqrt(a * b);
    case Pairing::minimum:
      return a < b ? a : b;
    case Pairing::maximum:
      return a > b ? a : b;
    case Pairing::average:
      break;
  }
  return 0.5 * (a + b);
}

struct ContactOptions {
  double margin = 0.005;      // [m] should not be below g h²: what a body at rest falls in one step
  double margin_speed = 1.0;  // [1]
  std::string friction_pairing = "geometric_mean";
  std::string restitution_pairing = "maximum";
  std::string reduction = "none";

  void describe(OptionVisitor& v) {
    v.real("contact_margin", margin, {"m", "pairs with a smaller gap become contacts, even at rest", 0.0});
    v.real("contact_margin_speed", margin_speed,
           {"1", "what a pair's speed times the step length adds to its contact margin, as a factor", 0.0});
    v.choice("friction_pairing", friction_pairing, pairing_names(),
             {"", "friction coefficient of two surfaces from their own coefficients"});
    v.choice("restitution_pairing", restitution_pairing, pairing_names(),
             {"", "coefficient of restitution of two surfaces from their own coefficients"});
    v.choice("contact_reduction", reduction, {"none", "hull"},
             {"", "hull: of the points of a pair only the corners of their patch and the deepest become contacts"});
  }
};

}  // namespace clarke
