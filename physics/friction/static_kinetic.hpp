#pragma once
// Static and kinetic friction: a surface's coefficient falls with the speed of sliding (Stribeck), and may rise again
// [Stribeck 1902; Armstrong-Hélouvry Dupont Canudas de Wit 1994; docs/theory.md, eq. F7].
//
//   μ(v) = μ_s f(|v_t|),    f(v) = k + (1 − k) exp(−(v/v_s)²) + c v        k = μ_k/μ_s, v_s [m/s], c [s/m]
//
// It scales any cone. The speed is that of the start of the step (lagged: fixed in the step, of first order in h), or
// that of its end (implicit: part of the residual, lagged in the Jacobian; where f falls fast, a step may have several
// solutions, or none that the iteration finds).

#include <Kokkos_Macros.hpp>

#include <cmath>

namespace clarke {

struct StaticKinetic {
  double kinetic = 1, speed = 0.01, viscous = 0;
  KOKKOS_INLINE_FUNCTION double operator()(double v) const {
    if (kinetic == 1 && viscous == 0) return 1;
    const double x = v / speed;
    return kinetic + (1 - kinetic) * std::exp(-x * x) + viscous * v;
  }
};

}  // namespace clarke
