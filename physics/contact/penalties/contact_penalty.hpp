#pragma once
// A penalty of a contact: the energy of coming nearer than a distance δ [docs/theory.md, eq. N9].
//
//   λ(d) = −b'(d) ≥ 0 for d < δ, and 0 from there on      [N]      b [J], d the gap, λ' ≤ 0 [N/m]
//
// κ [N/m] is the stiffness of a contact point. Both laws agree to leading order at d = δ, where λ' vanishes.

#include <Kokkos_Macros.hpp>

#include <string>
#include <vector>

namespace clarke {

struct PenaltyValue {
  double energy, force, slope;  // b [J], λ [N], λ' [N/m]
};

enum class ContactPenalty { cubic, log_barrier };

inline const std::vector<std::string>& contact_penalty_names() {
  static const std::vector<std::string> names{"cubic", "log_barrier"};
  return names;
}

}  // namespace clarke
