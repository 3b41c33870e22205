#pragma once
// From Newton's unsymmetric system to the one a linear solver sees. For a right-hand side (r_u, −s)
//
//   H y_u − Jᵀ y_Λ = r_u,      A J y_u + B y_Λ = s
//
// the rows are rotated into the slip frame (n, d, t) (primes), then
//   symmetric items   row with a > 0:  J' y_u + C y'_Λ = s'/a =: σ,  C = b/a + shift
//                     row with a = 0:  y'_Λ = s'/b =: δ is known; its row leaves the system (J' := 0, C := 1, σ := 0)
//                                      and its impulse goes to the right-hand side, r_u := r_u + Jᵀ δ
//   dense compliance  as symmetric with a = 1, but C = B a dense block of the item: positive definite, not regularised
//   general items     J_L = A' J',  C = B' + shift,  σ = s'
//   in place          of a strategy that writes all rows itself, general and not turned (LinearExchange::row_writer):
//                     nothing is copied, left() is J, of which J_L = A J, and right() R
// leaving, with J_R the rotated rows of Jᵀ (J_L = J_R for symmetric laws, unless R stands for J there:
// framework/system.hpp),
//   H y_u − J_Rᵀ y' = r_u,     J_L y_u + C y' = σ                                                             [eq. L1]
// The Schur, saddle and stiffness forms are three ways to solve L1 (operators/); reduced_item.hpp has the functions of
// one item.
//
// Regularisation: C_rr += ε (W_rr + C_rr) + ε_abs for symmetric rows, C += ε A diag(W) for general items. The solution
// of the step does not depend on it: it only makes Newton's matrix regular where contacts are redundant. ε is
// -regularisation_relative, or, with -regularisation_rule residual, clip(gain · e^power, min, max) with e the relative
// natural map of the iterate.

#include "framework/options.hpp"
#include "framework/system.hpp"
#include "linear/gathered_rows.hpp"

namespace clarke {

struct RegularisationOptions {
  double relative = 1e-6, absolute = 0;
  std::string rule = "fixed";
  double gain = 0.3, power = 1, minimum = 1e-7, maximum = 1e-2;
  void describe(OptionVisitor& v) {
    v.real("regularisation_relative", relative,
           {"1", "diagonal shift of the constraint block relative to the Schur diagonal", 0.0, 1.0});
    v.real("regularisation_absolute", absolute, {"1/kg", "diagonal shift of the constraint block", 0.0});
    v.choice("regularisation_rule", rule, {"fixed", "residual"},
             {"", "relative shift: fixed, or proportional to the residual"});
    v.real("regularisation_gain", gain, {"1", "residual rule: shift = gain * residual^power", 0.0});
    v.real("regularisation_power", power, {"1", "residual rule: exponent", 0.0});
    v.real("regularisation_min", minimum, {"1", "residual rule: least shift", 0.0});
    v.real("regularisation_max", maximum, {"1", "residual rule: largest shift", 0.0});
  }
};

class ReducedSystem {
 public:
  /// Condenses the linearisation of `system`. The system must outlive the use of this object and keep its pattern.
  /// `residual`: relative natural map of the iterate, for -regularisation_rule residual.
  /// `in_place`: see above; for forms that know mixing().
  void reduce(const SaddlePointSystem& system, const RegularisationOptions& options, double residual = 1,
              bool in_place = false);
  /// What is left to do of it in place. (Public: device lambdas may not live in private members.)
  void reduce_in_place(const SaddlePointSystem& system);
  /// Right-hand sides: r_u (velocity blocks) := r_u + Jᵀ δ, and σ (rows), from (r_u, s).
  void right_hand_side(const View<Vec3>& r_u, const View<double>& s, const View<double>& sigma);
  /// y_Λ in the original frame from the solution y' of L1 and the known δ of the last right_hand_side().
  void expand(const View<double>& y_rotated, const View<double>& y_impulse) const;

  /// δ of the last right_hand_side() in the original frame.
  const View<double>& fixed_multiplier_step() const { return delta_.view(); }

  const Pattern& pattern() const { return pattern_; }
  /// C is diagonal, and the left rows are not mixed by A.
  bool symmetric() const { return traits_.symmetric; }
  /// J_L = J_R
  bool shared_rows() const { return traits_.symmetric && !traits_.separate_transpose; }
  /// J_L H⁻¹ J_Rᵀ + C is symmetric.
  bool symmetric_schur() const { return traits_.symmetric && traits_.symmetric_delassus && symmetric_hessian(); }
  bool symmetric_hessian() const { return traits_.symmetric_hessian; }
  /// 1 per item with a row in the system, else 0: open contacts, whose J_L and J_R are zero.
  const View<int>& live() const { return live_.view(); }
  /// 1 per general item that is open, A = 0: its rows J_L are zero.
  const View<int>& open() const { return open_.view(); }
  /// The rows J_L of an item have entries in its first slot only.
  bool left_in_first_slot() const { return traits_.separate_transpose; }
  /// C has no entries off the diagonal: compliance() is all of it.
  bool diagonal_compliance() const { return !traits_.dense_b(); }
  int blocks() const { return pattern_.blocks; }
  const View<Vec3>& left() const { return in_place_ ? own_left_ : shared_rows() ? right_.view() : left_.view(); }
  const View<Vec3>& right() const { return in_place_ ? transpose_ : right_.view(); }
  /// J_L = A left()
  bool in_place() const { return in_place_; }
  const View<double>& mixing() const { return mixing_; }  // A, if so
  /// W_rr of the rows at the start of the step, with M for H.
  const View<double>& delassus_diagonal() const { return delassus_; }
  /// J_R in the order in which velocity blocks gather it.
  GatheredRows::Rows gathered() const { return gathered_.of(pattern_, right_, live_, layout_stamp_, reduction_stamp_); }
  const View<double>& compliance() const { return compliance_.view(); }  // C_rr
  /// C, unless diagonal_compliance()
  const View<double>& compliance_block() const { return in_place_ ? own_block_ : block_.view(); }
  const View<Mat3>& hessian() const { return hessian_; }  // its diagonal blocks
  /// The other blocks of H: with them the Schur form solves with H, the others add their product.
  const OffDiagonal& off_diagonal() const { return off_; }
  /// Of the diagonal blocks: H⁻¹ where there are no others.
  const View<Mat3>& hessian_inverse() const { return inverse_.view(); }
  const Islands& islands() const { return islands_; }
  std::uint64_t layout_stamp() const { return layout_stamp_; }
  double shift() const { return shift_; }

 private:
  Pattern pattern_;
  RowTraits traits_;
  Islands islands_;
  std::uint64_t layout_stamp_ = 0, reduction_stamp_ = 0;
  double shift_ = 0;
  View<Mat3> hessian_;
  OffDiagonal off_;
  bool in_place_ = false;
  View<Vec3> transpose_, own_left_;
  View<double> a_, b_, slip_frame_, mixing_, own_block_, delassus_;
  Buffer<Vec3> left_{"J_L"}, right_{"J_R"};
  Buffer<double> compliance_{"C"}, block_{"C_block"}, delta_{"delta"}, delta_rotated_{"delta_rotated"};
  Buffer<Mat3> inverse_{"H^-1"};
  Buffer<int> live_{"live_items"}, open_{"open_items"};
  mutable GatheredRows gathered_;
};

}  // namespace clarke
