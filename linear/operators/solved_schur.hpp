#pragma once
// Schur form where H is block-sparse: as schur.hpp, but each product solves with H (hessian_solver.hpp) [eq. L2].
//
//   S x = J_L v + C x,   H v = J_Rᵀ x       one solve per product, one for the right-hand side, one for the velocities
//
// The unknowns are the rows only: contacts, joints, attachments. Matrix-free; symmetric for symmetric laws, and
// positive (semi)definite where H is.
//
// Preconditioners: J H⁻¹ Jᵀ is not known entry by entry. -system_schur_diagonal
//   blocks   diagonal and item blocks of J_L H_D⁻¹ J_Rᵀ + C, H_D the diagonal blocks of H: free, and too small, by less
//            where H is near M
//   exact    of the operator itself: a solve per row and linearisation
//
// Bytes: those of schur.hpp and of a solve.

#include "linear/operators/hessian_solver.hpp"
#include "linear/operators/item_block_inverse.hpp"
#include "linear/operators/row_partition.hpp"

namespace clarke {

class SolvedSchurForm final : public Form {
 public:
  /// `hessian` outlives the form.
  SolvedSchurForm(const ReducedSystem& reduced, HessianSolver& hessian, bool exact_diagonal)
      : Form(reduced), hessian_(hessian), exact_(exact_diagonal) {}
  int size() const override { return reduced_.pattern().rows; }
  bool symmetric() const override { return reduced_.symmetric_schur(); }
  /// Not by construction: H may be indefinite.
  bool positive_definite() const override { return false; }
  std::string update() override;
  void apply(const View<double>& x, const View<double>& y) const override;
  void apply_transpose(const View<double>& x, const View<double>& y) const override;
  const Partition* partition() const override { return partition_.of(reduced_); }
  void apply_open(const View<double>& x, const View<double>& y, const View<int>& closed) const override;
  void diagonal(const View<double>& d) const override;
  void prepare_block_inverse() override;
  void apply_block_inverse(const View<double>& x, const View<double>& y) const override;

  void right_hand_side(const View<Vec3>& r_u, const View<double>& sigma, const View<double>& b) const override;
  void solution(const View<double>& z, const View<Vec3>& r_u, const View<double>& sigma, const View<double>& y_turned,
                const View<Vec3>& y_u) const override;
  /// There are none: throws.
  void coordinates(std::vector<int>& rows, std::vector<int>& columns) const override;
  void values(MatrixEntries& out) const override;

  /// As SchurForm::apply_with. (Public: device lambdas may not live in private members.)
  void apply_with(const View<Vec3>& left, const View<Vec3>& right, bool transposed, const View<int>& closed,
                  const View<double>& x, const View<double>& y) const;
  /// Item blocks of the operator, by a solve per row.
  void exact_blocks(const View<double>& blocks) const;

 private:
  HessianSolver& hessian_;
  bool exact_ = false;
  mutable Buffer<Vec3> force_{"solved_schur_force"}, velocity_{"solved_schur_velocity"};
  mutable Buffer<double> blocks_{"solved_schur_blocks"};
  mutable RowPartition partition_;
  ItemBlockInverse block_inverse_;
};

}  // namespace clarke
