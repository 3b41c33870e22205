#pragma once
// r-factors: the weight [1/kg] that brings a multiplier to the unit of its constraint inside φ(ĉ, r_n Λ_n) and in
// Λ_f − v_t/r_f. The solution does not depend on them, convergence does. Fixed during a step, from W = J M⁻¹ Jᵀ at q⁻.
// Most r-factors are pure function objects of one contact:  RFactorValue operator()(w_nn, w_11, w_22, h) const.
// W_rr includes the compliance γ of the row.

#include "framework/registry.hpp"
#include "framework/row_law.hpp"

namespace clarke {

struct RFactorValue {
  double normal, friction;  // r_n, r_f [1/kg]
};

class RFactor {
 public:
  virtual ~RFactor() = default;
  /// Fills r_normal and r_friction of the rows, from W_rr of every contact (rows.out.delassus_diagonal), the step
  /// length h, and for factors of the system as a whole from J, M⁻¹ and γ, which the rows hold too.
  virtual void evaluate(const RowSet& rows, double h) = 0;
  /// Options of its own, for reading and for the record.
  virtual void describe(OptionVisitor& /*visitor*/) {}
};

/// An r-factor that is a pure function of one contact.
template <class R>
class RFactorBatch final : public RFactor {
 public:
  void evaluate(const RowSet& rows, double h) override {
    const R r{};
    const View<double> w = rows.out.delassus_diagonal, normal = rows.r_normal, friction = rows.r_friction;
    parallel_for(
        R::kName, rows.items,
        KOKKOS_LAMBDA(int i) {
          const RFactorValue value = r(w(3 * i), w(3 * i + 1), w(3 * i + 2), h);
          normal(i) = value.normal;
          friction(i) = value.friction;
        },
        6);
  }
};

Registry<RFactor>& r_factor_registry();

}  // namespace clarke
