#pragma once
// The potential of a step without rows, of which the momentum residual is the gradient [docs/theory.md, eq. N5]:
//
//   Φ(u) = ½ (u − ũ)ᵀ M (u − ũ) + Σ potentials of the contributors' forces          [J],    ∂Φ/∂u = g

#include "framework/step_problem.hpp"

namespace clarke {

class StepEnergy {
 public:
  /// At the last evaluated point; infinite where an element is not defined.
  double value(const StepProblem& problem) {
    const SaddlePointSystem& s = problem.system();
    const View<Vec3> u = problem.point().u, u_tilde = s.u_tilde;
    const View<Mat3> mass = s.mass;
    double sum[1];
    deterministic_sum<1>(
        "step_energy", s.blocks,
        KOKKOS_LAMBDA(int b) {
          const Vec3 d = u(b) - u_tilde(b);
          return Kokkos::Array<double, 1>{0.5 * dot(d, mass(b) * d)};
        },
        scratch_, sum);
    for (int i = 0; i < problem.contributors(); ++i) sum[0] += problem.contributor(i).step_potential(problem.context());
    return sum[0];
  }
  /// g·y
  double slope(const SaddlePointSystem& s, const View<Vec3>& step) {
    const View<Vec3> g = s.momentum_residual, y = step;
    double sum[1];
    deterministic_sum<1>(
        "step_energy_slope", s.blocks, KOKKOS_LAMBDA(int b) { return Kokkos::Array<double, 1>{dot(g(b), y(b))}; },
        scratch_, sum);
    return sum[0];
  }

 private:
  SumScratch<1> scratch_;
};

}  // namespace clarke
