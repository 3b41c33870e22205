#pragma once
// Saddle form:  [H  −J_Rᵀ; −J_L  −C] [y_u; y'] = [r_u; −σ]     [eq. L3]
//
// Size: velocities + rows. Symmetric indefinite for symmetric laws: MINRES, GMRES, LDLᵀ or LU; never CG or CR.
// Block Jacobi uses H⁻¹ and the inverse Schur block of every item, which is positive definite, as MINRES wants.

#include "linear/operators/item_block_inverse.hpp"

namespace clarke {

class SaddleForm final : public Form {
 public:
  using Form::Form;
  int size() const override { return 3 * reduced_.blocks() + reduced_.pattern().rows; }
  bool positive_definite() const override { return false; }
  void apply(const View<double>& x, const View<double>& y) const override;
  void apply_transpose(const View<double>& x, const View<double>& y) const override;
  void diagonal(const View<double>& d) const override;
  void prepare_block_inverse() override;
  void apply_block_inverse(const View<double>& x, const View<double>& y) const override;

  void right_hand_side(const View<Vec3>& r_u, const View<double>& sigma, const View<double>& b) const override;
  void solution(const View<double>& z, const View<Vec3>& r_u, const View<double>& sigma, const View<double>& y_turned,
                const View<Vec3>& y_u) const override;
  void coordinates(std::vector<int>& rows, std::vector<int>& columns) const override;
  void values(MatrixEntries& out) const override;

  /// The product with given left and right rows: apply and apply_transpose. (Public: device lambdas may not live in
  /// private members.)
  void apply_with(const View<Vec3>& left, const View<Vec3>& right, bool transposed, const View<double>& x,
                  const View<double>& y) const;

 private:
  ItemBlockInverse block_inverse_;
};

}  // namespace clarke
