#pragma once
// r-factors: the weight [1/kg] that brings a multiplier to the unit of its constraint inside φ(C/h, r_n Λ_n) and in
// Λ_f − v_t/r_f. The solution does not depend on them, convergence does. Fixed during a step, from W = J M⁻¹ Jᵀ at q⁻.
// An r-factor is a pure function object:  RFactorValue operator()(w_nn, w_11, w_22, h) const.

#include "framework/device.hpp"
#include "framework/registry.hpp"

namespace clarke {

struct RFactorValue {
  double normal, friction;  // r_n, r_f [1/kg]
};

class RFactor {
 public:
  virtual ~RFactor() = default;
  /// `w` holds W_rr of the rows (n, t1, t2) of every contact.
  virtual void evaluate(int contacts, double h, const View<double>& w, const View<double>& normal,
                        const View<double>& friction) const = 0;
};

template <class R>
class RFactorBatch final : public RFactor {
 public:
  void evaluate(int contacts, double h, const View<double>& w, const View<double>& normal,
                const View<double>& friction) const override {
    const R r{};
    parallel_for(
        R::kName, contacts,
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
