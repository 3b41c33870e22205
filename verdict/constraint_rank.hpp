#pragma once
// Which joints are redundant and which contradict each other, by name [docs/theory.md, eq. V2].
//
//   b_i = J_i L, L Lᵀ = M⁻¹   rows of the rigid joints in the kinetic metric (rigid_rows.hpp), dependent if within
//                             -constraint_rank_tolerance of the span of the others (row_space.hpp)
//   J_j = Σ y_i J_i           row j is implied by the joints of the rows with y_i ≠ 0
//   e_j = c_j − Σ y_i c_i     what is left of violation j [m or rad] when all other rows are satisfied, to first order
//
// A dependent row is **redundant** if |e_j| is within the tolerance, else it **contradicts** the others by |e_j|.
// Redundant rows leave the motion unique but not their impulses, and make the Schur form singular. Contradictory rows
// cannot all hold.
//
// The rank is that of the configuration at hand. Second order: away from its joints, a mechanism may show e_j of the
// size of |c|²/(length) without contradiction; so |e_j| counts only above kSecondOrder max|c|. In a singular
// configuration (a stretched four-bar) more rows are dependent than elsewhere. Rows with compliance and bounds are no
// constraints in this sense.

#include "framework/options.hpp"
#include "verdict/rigid_rows.hpp"

#include <nlohmann/json_fwd.hpp>

namespace clarke {

struct ConstraintRankOptions {
  double tolerance = 1e-7;
  void describe(OptionVisitor& v) {
    v.real("constraint_rank_tolerance", tolerance,
           {"1",
            "a row of a joint is redundant when the sine of its angle to the span of the others is "
            "below this",
            1e-14, 0.1});
  }
};

/// The dependent rows of one joint.
struct DependentJoint {
  std::string name;                     // "hinge door"
  int rows = 0, of = 0;                 // dependent, and all of its rigid rows
  std::vector<std::string> implied_by;  // other joints, in the order of the rows; empty: it acts on nothing that moves
  double length = 0, angle = 0;         // [m], [rad] norm of e over its contradictory rows
  /// "hinge c is implied by hinge a, hinge b (2 of 5 rows)", "ball c contradicts ball a by 3 mm"
  std::string text() const;
};

struct ConstraintRank {
  int rows = 0, rank = 0;
  std::vector<DependentJoint> redundant, contradictory;
  std::vector<std::string> lines() const;  // the count, then one line for each
  nlohmann::json record() const;
};

/// `contradiction` [m or rad] is what violations may differ by without contradiction. Throws InputError for rows that
/// are not finite.
ConstraintRank constraint_rank(const RigidRows& rows, const ConstraintRankOptions& options, double contradiction);

/// "3.2 mm", "0.2 deg"
std::string violation_text(double value, bool is_angle);

}  // namespace clarke
