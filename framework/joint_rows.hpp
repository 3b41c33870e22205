#pragma once
// Where joints and complementarity meet: a row of a joint whose impulse is bounded (limit, rope, drive with limited
// effort, dry friction) is a mixed complementarity problem. Physics fills the row's velocity and bounds, a joint law
// the residual and its linearisation.
//
//   v  = row velocity [m/s, rad/s]: what the row would have zero, compliance and damping included, ∂v/∂u = J, ∂v/∂Λ = γ
//   Λ ∈ [lower, upper] [N s, N m s]:   v ≥ 0 at the lower bound, v ≤ 0 at the upper bound, v = 0 between      [eq. B3]
//
// Two rows that are bounded together obey the same on a disc: Λ in it dissipates most against v [eq. F9].
//
// Unbounded rows are bilateral: F = v, a = 1, b = γ. A limit has Λ ∈ [0, ∞), a rope Λ ∈ (−∞, 0], a drive Λ ∈ [−hτ, hτ].

#include "framework/options.hpp"
#include "framework/system.hpp"

namespace clarke {

struct JointRows {
  int count = 0;              // rows
  bool bounded = false;       // any row may have a bound
  View<double> violation;     // c(q⁺) less its target [m or rad]
  View<double> velocity;      // v
  View<double> impulse;       // Λ (a slice of the unknowns)
  View<double> lower, upper;  // bounds of Λ in this step; ±infinity where there is none
  View<double> compliance;    // γ [1/kg, 1/(kg m²)]
  View<int> rigid;            // 1: a bilateral row of a rigid joint, whose violation must vanish
  bool discs = false;  // items of three rows, of which the last two are bounded together, |(Λ_1, Λ_2)| ≤ upper of row 1
  SystemSlice out;
};

/// How the bounded rows of joints become equations.
class JointLaw {
 public:
  virtual ~JointLaw() = default;
  /// Fills residual, and with `linearise` a and b, of the rows with a finite bound; leaves the others as they are.
  virtual void evaluate(const JointRows& rows, bool linearise) = 0;
  virtual void describe(OptionVisitor& visitor) = 0;
};

}  // namespace clarke
