#pragma once
// Newton's impact law of a pair: v_n⁺ ≥ −e v_n⁻ at velocity level (integrators/moreau_jean.hpp), e of two surfaces by
// -restitution_pairing.

#include "framework/device.hpp"
#include "framework/options.hpp"
#include "physics/description/world.hpp"
#include "physics/friction/pair_coefficient.hpp"

namespace clarke {

struct RestitutionOptions {
  std::string pairing = "maximum";
  void describe(OptionVisitor& v) {
    v.choice("restitution_pairing", pairing, pairing_names(),
             {"", "coefficient of restitution of two surfaces from their own coefficients"});
  }
};

/// e in [0, 1] of two entities; for kernels.
struct Restitution {
  View<double> surface;  // per entity
  Pairing rule = Pairing::maximum;

  static Restitution of(const World& world, const RestitutionOptions& options);
  KOKKOS_INLINE_FUNCTION double operator()(int a, int b) const {
    return pair_coefficient(rule, surface(a), surface(b));
  }
};

}  // namespace clarke
