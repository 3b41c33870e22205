#pragma once
// Schur (compliance) form:  (J_L H⁻¹ J_Rᵀ + C) y' = σ − J_L H⁻¹ r_u,   y_u = H⁻¹ (r_u + J_Rᵀ y')     [eq. L2]
//
// Size: rows. Symmetric positive (semi)definite for symmetric laws; H⁻¹ is explicit, so a product costs one pass over
// J_R and one over J_L: bytes = 48 values + 12 slots + 24 · 3 blocks + 8 · 3 rows, values of live items. J_Rᵀ is
// gathered from a copy of J_R in the order of blocks (gathered_rows.hpp).

#include "framework/item_levels.hpp"
#include "linear/operators/item_block_inverse.hpp"
#include "linear/operators/row_partition.hpp"

namespace clarke {

class SchurForm final : public Form {
 public:
  using Form::Form;
  int size() const override { return reduced_.pattern().rows; }
  bool symmetric() const override { return reduced_.symmetric_schur(); }
  bool positive_definite() const override { return symmetric(); }
  void apply(const View<double>& x, const View<double>& y) const override;
  void apply_transpose(const View<double>& x, const View<double>& y) const override;
  const Partition* partition() const override;
  void apply_open(const View<double>& x, const View<double>& y, const View<int>& closed) const override;
  void diagonal(const View<double>& d) const override;
  void prepare_block_inverse() override;
  void apply_block_inverse(const View<double>& x, const View<double>& y) const override;
  bool has_gauss_seidel() const override { return true; }
  void gauss_seidel_sweep(const View<double>& b, const View<double>& x) const override;

  void right_hand_side(const View<Vec3>& r_u, const View<double>& sigma, const View<double>& b) const override;
  void solution(const View<double>& z, const View<Vec3>& r_u, const View<double>& sigma, const View<double>& y_turned,
                const View<Vec3>& y_u) const override;
  void coordinates(std::vector<int>& rows, std::vector<int>& columns) const override;
  void values(MatrixEntries& out) const override;

  /// y = left w + C x, or + Cᵀ x, for islands with closed(island) == 0 or, where `closed` is empty, for all; w = H⁻¹
  /// J_Rᵀ x, or of J_L.
  /// (Public: device lambdas may not live in private members.)
  void gather_velocity(const View<double>& x, const View<int>& closed) const;
  void gather_velocity_transpose(const View<double>& x) const;
  void multiply_rows(const View<Vec3>& left, bool transposed, const View<int>& closed, const View<double>& x,
                     const View<double>& y) const;

 private:
  mutable Buffer<Vec3> velocity_{"schur_velocity"};
  mutable RowPartition partition_;
  mutable ItemLevels levels_;  // of gauss_seidel_sweep()
  ItemBlockInverse block_inverse_;
};

}  // namespace clarke
