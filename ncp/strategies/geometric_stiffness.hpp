#pragma once
// Geometric stiffness: the part of ∂(Jᵀ Λ)/∂q that Newton's matrix otherwise drops, as a diagonal secant
// [Tournier Nesme Gilles Faure 2015; Andrews Teichmann Kry 2017; Macklin 2020, with the sign of docs/theory.md, eq.
// G1].
//
//   c_k = ((J⁽ⁱ⁾ − J⁽ⁱ⁻¹⁾)ᵀ Λ⁽ⁱ⁾)_k / (u⁽ⁱ⁾ − u⁽ⁱ⁻¹⁾)_k  at fixed multiplier,    H_kk = M_kk − min(0, c_k)
//
// (components whose change is below kSmallChange of the largest are skipped). The previous iterate is lagged state,
// kept here and forgotten at the start of every step. H stays symmetric positive definite.

#include "framework/step_problem.hpp"

namespace clarke {

class GeometricStiffness {
 public:
  static constexpr double kSmallChange = 1e-9;

  /// Forgets the previous iterate.
  void begin_step() { has_previous_ = false; }
  /// Sets system.hessian from M, the present J, and the previous iterate, which the present one then replaces.
  void update(SaddlePointSystem& system, const View<Vec3>& u, const View<double>& impulse);

 private:
  bool has_previous_ = false;
  Buffer<Vec3> previous_jacobian_{"J_previous"}, previous_u_{"u_previous"}, change_{"geometric"};
};

}  // namespace clarke
