#pragma once
// Stiffness form: impulses of compliant rows are eliminated, D = C⁻¹ per item [eq. L4],
//   (H + J_Rᵀ D J_L) y_u = r_u + J_Rᵀ D σ,      y' = D (σ − J_L y_u)
// Rows whose compliance is below kRigid of their Schur diagonal are rigid: they are kept as saddle rows,
//   −J_k y_u − C y' = −σ,   and −J_kᵀ y' in the momentum rows,
// which makes the operator indefinite. So are rows of items that touch more than kWide blocks, as an enclosed volume
// does, whose J_Rᵀ D J_L would fill the matrix. Size: velocities, and all rows too from the first linearisation on that
// keeps one, until the layout or the step changes; an eliminated row is then the equation z = 0.

#include "linear/operators/form.hpp"

namespace clarke {

class StiffnessForm final : public Form {
 public:
  using Form::Form;
  /// Compliance relative to the Schur diagonal below which a row counts as rigid: D would lose all digits.
  static constexpr double kRigid = 1e-13;

  static constexpr int kWide = 32;

  int size() const override { return 3 * reduced_.blocks() + (has_rows_ ? reduced_.pattern().rows : 0); }
  bool in_blocks() const override { return !has_rows_; }
  void begin_step() override { has_rows_ = rigid_rows_ = false; }
  int entries() const override { return has_rows_ + 2 * rigid_rows_; }
  bool positive_definite() const override { return symmetric() && kept_ == 0; }
  int kept_rows() const override { return kept_; }
  std::string update() override;
  void apply(const View<double>& x, const View<double>& y) const override;
  void apply_transpose(const View<double>& x, const View<double>& y) const override;
  void diagonal(const View<double>& d) const override;
  void prepare_block_inverse() override;
  void apply_block_inverse(const View<double>& x, const View<double>& y) const override;

  bool only_velocities() const override { return !has_rows_; }
  void right_hand_side(const View<Vec3>& r_u, const View<double>& sigma, const View<double>& b) const override;
  void solution(const View<double>& z, const View<Vec3>& r_u, const View<double>& sigma, const View<double>& y_turned,
                const View<Vec3>& y_u) const override;
  void coordinates(std::vector<int>& rows, std::vector<int>& columns) const override;
  void values(MatrixEntries& out) const override;
  /// The same, each of so many ranges of rows by whichever thread is free: to the last bit, however many.
  void values_by_ranges(MatrixEntries& out, int ranges) const;

  /// The product with given left and right rows: apply and apply_transpose. (Public: device lambdas may not live in
  /// private members.)
  void apply_with(const View<Vec3>& left, const View<Vec3>& right, bool transposed, const View<double>& x,
                  const View<double>& y) const;

 private:
  /// Slots in which the rows J_L of an item have entries.
  template <class HostPattern>
  int left_slots(const HostPattern& p, int item) const {
    return reduced_.left_in_first_slot() ? 1 : p.item_slot(item + 1) - p.item_slot(item);
  }

  template <class AnyPattern>
  KOKKOS_INLINE_FUNCTION static bool wide(const AnyPattern& p, int item) {
    return p.item_slot(item + 1) - p.item_slot(item) > kWide;
  }
  /// The item's rows have entries in the matrix beside a 1 on the diagonal.
  template <class AnyPattern>
  bool coupled(const AnyPattern& p, int item) const {
    return rigid_rows_ || wide(p, item);
  }

  /// D A where J_L = A J is not made, else D.
  const View<double>& mixed() const { return reduced_.in_place() ? mixed_.view() : stiffness_.view(); }

  int kept_ = 0;
  bool has_rows_ = false, rigid_rows_ = false;  // in this step and layout: some row is kept, some that is not wide
  Buffer<double> stiffness_{"D"};               // item blocks C⁻¹; zero for kept items
  Buffer<double> mixed_{"D A"};                 // where rows are in place
  Buffer<int> kept_item_{"kept"};               // per item
  mutable Buffer<double> force_{"stiffness_force"};
  Buffer<Mat3> block_inverse_{"stiffness_block_inverse"};
  mutable std::vector<std::vector<Vec3>> left_;  // of values_by_ranges(): scratch of each thread
};

}  // namespace clarke
