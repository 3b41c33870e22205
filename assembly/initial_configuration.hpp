#pragma once
// Whether a model starts on its joints, and the nearest configuration that does [docs/theory.md, eq. V3].
//
//   minimise ½ dᵀ M d  subject to c(q₀ ⊕ d) = 0    d = displacement and rotation vector of each entity since the start
//   d⁺ = J⁺ (J d − c),  J⁺ = M⁻¹Jᵀ (J M⁻¹ Jᵀ)⁺      Gauss-Newton at the present q; q ← q ⊕ (d⁺ − d)
//
// c are the violations of the rigid bilateral rows at t = 0 [m or rad], prescribed motion and rest values included. At
// the end c = 0 and d ∈ range M⁻¹Jᵀ: d is orthogonal in M to every motion that the joints leave free. Rows with
// compliance and one-sided rows do not take part; rigid limits, ropes and struts must hold at the configuration found.
//
// Redundant joints are dependent on their joints only: beside them, J has full rank with small singular values of the
// order of the violation, along which a step would be meaningless. So each iterate tries a fallback sequence of
// tolerances of the row space, loose ones first (row_space.hpp); rows within the tolerance of the span of others are
// left to them, and the first step that takes the violation down to a quarter is made. No regularisation is left in the
// result.
//
// Limits: the mass and J of d are those of the configuration found, which for anisotropic inertia is the nearest to
// second order in the angle turned. Velocities are left as given. The rank is checked at the configuration found.

#include "verdict/constraint_rank.hpp"

#include <optional>

namespace clarke {

struct InitialOptions {
  bool check_constraints = false;
  double violation_max = 1e-6;  // [m or rad]
  bool project = false;
  double project_max = 0.05;  // [m or rad]
  void describe(OptionVisitor& v);
};

/// What -project_initial did.
struct InitialProjection {
  double violation_before = 0, violation_after = 0;  // [m or rad]
  std::string where;                                 // joint that was violated most before
  bool is_angle = false;                             // of that row
  int iterations = 0;
  double moved = 0, turned = 0;         // [m], [rad] largest of all entities
  std::string moved_name, turned_name;  // "body 'rod'", "" where nothing moved
  std::string text() const;
  nlohmann::json record() const;
};

class InitialConfiguration {
 public:
  /// Reads its options from the database.
  InitialConfiguration();
  void describe(OptionVisitor& v);

  /// Moves `state` onto its joints or refuses it, as the options say; checks the rank if asked. `names` per entity.
  /// Throws InputError naming the joint.
  void settle(StepProblem& problem, State& state, const std::vector<std::string>& names);
  /// The rank at a configuration. Throws InputError where it is not finite.
  ConstraintRank rank(StepProblem& problem, const State& state) const;
  /// Lines for the explanation of a failed step that began at `state`; "" without rigid rows.
  std::string explain(StepProblem& problem, const State& state) const;

  /// What there is to tell the user of settle(), a line each.
  std::vector<std::string> lines() const;
  /// Keys of summary.json: "constraints", "initial_projection"; an empty object when nothing was asked for.
  nlohmann::json record() const;
  const std::optional<InitialProjection>& projection() const { return projection_; }

 private:
  void refuse_violated(const RigidRows& rows) const;
  void refuse_beyond_bounds(const std::vector<OneSidedRow>& rows) const;

  InitialOptions options_;
  ConstraintRankOptions rank_options_;
  std::optional<ConstraintRank> rank_;
  std::optional<InitialProjection> projection_;
};

/// Throws InputError with every contradiction, if there is one.
void require_consistent(const ConstraintRank& rank);

}  // namespace clarke
