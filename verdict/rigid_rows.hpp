#pragma once
// The rigid rows of all joints at a configuration by itself, outside of any step: for questions about the constraints
// alone (constraint_rank.hpp, the initial configuration).
//
//   c(q, t)     violation less the target at time t       [m or rad]
//   J           ∂c/∂q G, columns of what can move only    [1 or m]
//   L Lᵀ = M⁻¹  per velocity block: ξ = L⁻¹ δ measures a displacement δ [m, rad] by its kinetic metric,
//               |ξ|² = δᵀ M δ [kg m²]
//
// Rigid bilateral rows count; rows with compliance or bounds do not. One-sided rigid rows (limits, ropes, struts) are
// kept apart: they can be out of bounds, but bind nothing otherwise.

#include "framework/step_problem.hpp"

#include <Eigen/SparseCore>

namespace clarke {

using RowMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;

struct RigidRows {
  RowMatrix jacobian;                      // rows × 3 velocity blocks; explicit zeros are left out
  Eigen::VectorXd violation;               // c
  std::vector<int> item;                   // per row: index into names
  std::vector<std::string> names;          // per item with a rigid row: "hinge door"
  std::vector<bool> is_angle;              // per row: c is in rad
  std::vector<Eigen::Matrix3d> mass_root;  // L per velocity block

  int count() const { return static_cast<int>(item.size()); }
  /// J L, whose row space does not depend on units.
  RowMatrix scaled_jacobian() const;
  /// Largest |c| and its row; NaN counts as larger than any number, -1 where there are no rows.
  double largest_violation(int* row = nullptr) const;
  bool finite() const;
};

/// A rigid one-sided row on the wrong side.
struct OneSidedRow {
  std::string name;
  double violation = 0;  // how far beyond its bound [m or rad], positive
  bool is_angle = false;
};

class JointConfiguration {
 public:
  /// Rows of the joints of `problem`, which must outlive this.
  explicit JointConfiguration(StepProblem& problem);

  /// Rows at state.x, state.orientation and state.t.
  RigidRows evaluate(const State& state);
  /// One-sided rows of the last evaluate() that are beyond their bound, in the order of the rows.
  const std::vector<OneSidedRow>& beyond_bounds() const { return beyond_; }
  /// Winding angles go on from this configuration.
  void remember(const State& state);

 private:
  struct Part {
    const ItemGeometry* geometry;
    JacobianSlice slice;
    ConfigurationRows rows;
  };
  void append(const Part& part, RigidRows& out, std::vector<Eigen::Triplet<double>>& entries,
              std::vector<double>& violations);

  int blocks_;
  PatternBuilder builder_;
  PatternStorage storage_;
  std::vector<ItemGeometry*> items_of_;  // of all contributors
  std::vector<Part> parts_;              // of those with rows at a configuration
  View<Mat3> inverse_mass_;
  std::vector<bool> rotational_;  // per velocity block
  std::vector<OneSidedRow> beyond_;
};

}  // namespace clarke
