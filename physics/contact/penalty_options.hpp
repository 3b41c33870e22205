#pragma once
// Options of contacts without multipliers (penalty_contacts.hpp).

#include "framework/options.hpp"

namespace clarke {

struct PenaltyOptions {
  std::string penalty = "none";
  double distance = 1e-3;  // δ [m]
  int stiffening = 0;
  std::string friction = "coulomb_smooth";
  double epsilon = 1e-4;  // ε [m/s]
  std::string evaluation = "implicit";
  int passes = 1;
  std::string slope = "newton";
  int continuation = 0;
  void describe(OptionVisitor& v);
  bool on() const { return penalty != "none"; }
};

}  // namespace clarke
