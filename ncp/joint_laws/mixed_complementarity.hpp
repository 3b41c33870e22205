#pragma once
// Mixed complementarity by an NCP function, for the bounded rows of joints: Λ ∈ [l, u], v ≥ 0 at l, v ≤ 0 at u, v = 0
// between [Billups 1995; docs/theory.md, eq. B4].
//
//   F = φ(z, r (Λ − l)),   z = −φ(−v, r (u − Λ))        with l = −∞: F = z,   u = ∞: z = v
//   a = φ_a φ'_a,   b = r (φ_b + φ_a φ'_b) + a γ         φ' the inner function, r = W_rr + γ of the row
//
// Two rows that share a disc (rolling resistance) take no NCP function: F = r (Λ − Π_R(Λ − v/r)) as F2, with
// r = (W_11 + W_22)/2 + γ.
//
// Any registered NCP function will do; with minimum_map F is the median of v, r (Λ − l), r (Λ − u). A row with a below
// -ncp_slope_min only sets its multiplier in Newton's matrix, as in a contact. l = u = 0 switches a row off.

#include "framework/row_law.hpp"
#include "ncp/functions/ncp_function.hpp"

#include <memory>

namespace clarke {

class MixedComplementarity final : public RowLaw {
 public:
  /// Reads its options from the database.
  MixedComplementarity();
  bool symmetric() const override { return true; }
  void evaluate(const RowSet& rows, bool linearise) override;
  void describe(OptionVisitor& visitor) override {
    options_.describe(visitor);
    ncp_->describe(visitor);
  }

  // Public: device lambdas may not live in private members.
  void disc_rows(const RowSet& rows, bool linearise);

 private:
  NcpOptions options_;
  std::unique_ptr<NcpFunction> ncp_;
  Buffer<double> a_{"joint_ncp_a"}, b_{"joint_ncp_b"}, value_{"joint_ncp_phi"}, da_{"joint_ncp_da"},
      db_{"joint_ncp_db"}, inner_da_{"joint_ncp_inner_da"}, inner_db_{"joint_ncp_inner_db"};
};

}  // namespace clarke
