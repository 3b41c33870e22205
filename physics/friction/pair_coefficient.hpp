#pragma once
// How the coefficients (friction, restitution) of two surfaces combine, and nowhere else.

#include <Kokkos_Macros.hpp>

#include <cmath>
#include <string>
#include <vector>

namespace clarke {

enum class Pairing { geometric_mean, minimum, maximum, average };

/// Names of the rules in the order of the enumeration.
inline const std::vector<std::string>& pairing_names() {
  static const std::vector<std::string> names{"geometric_mean", "minimum", "maximum", "average"};
  return names;
}

/// One of pairing_names().
inline Pairing pairing_named(const std::string& name) {
  int k = 0;
  while (pairing_names()[k] != name) ++k;
  return static_cast<Pairing>(k);
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

}  // namespace clarke
