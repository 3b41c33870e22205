#pragma once
// Strain-rate damping: a viscosity η [Pa s] of the Green strain, implicit in the step [docs/theory.md, eq. E14].
//
//   G = (FᵀF − 1)/2,   D = (η/b) |G − G⁻|²  [J/m³],   P = ∂D/∂F = F · 2 η (G − G⁻)/b
//   ∂P/∂F : δF = (2 η/b) (δF (G − G⁻) + F sym(FᵀδF)),     made positive definite by [G − G⁻]₊ in the first term
//
// G⁻ is the strain at the start of the step and b the step that the stage makes. D is an incremental potential: it
// vanishes for any rotation, however large, and its stress is symmetric, so that it takes no angular momentum, which
// Rayleigh's damping of a stressed body does. η does not depend on the stiffness. Source: Kelvin-Voigt; as a potential
// of the step Ortiz, Stainier 1999.

#include "framework/math/symmetric_eigen.hpp"

namespace clarke {

struct Viscosity {
  double rate = 0;  // η/b [Pa]; 0: none, and nothing below is read
  Mat3 old{};       // F at the start of the step
};

template <class T>
KOKKOS_INLINE_FUNCTION Mat3T<T> green_strain_change(const Mat3T<T>& f, const Mat3T<T>& old) {
  return T(0.5) * (transpose(f) * f - transpose(old) * old);
}

KOKKOS_INLINE_FUNCTION double strain_rate_energy(const Viscosity& v, const Mat3& f) {
  const Mat3 g = green_strain_change(f, v.old);
  return v.rate * (norm2(g.r0) + norm2(g.r1) + norm2(g.r2));
}

template <class T>
KOKKOS_INLINE_FUNCTION Mat3T<T> strain_rate_stress(const Viscosity& v, const Mat3T<T>& f) {
  return T(2 * v.rate) * (f * green_strain_change(f, lift<T>(v.old)));
}

/// H += factor ∂P/∂F, row-major 9 × 9; `exact`: without the projection.
KOKKOS_INLINE_FUNCTION void add_strain_rate_stiffness(const Viscosity& v, const Mat3& f, bool exact, double factor,
                                                      double* H) {
  Mat3 g = green_strain_change(f, v.old);
  if (!exact) g = positive_part(g);
  const Mat3 b = f * transpose(f);
  const double scale = 2 * v.rate * factor;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        for (int l = 0; l < 3; ++l) {
          double sum = 0.5 * f(i, l) * f(k, j);
          if (i == k) sum += g(l, j);
          if (j == l) sum += 0.5 * b(i, k);
          H[9 * (3 * i + j) + 3 * k + l] += scale * sum;
        }
}

}  // namespace clarke
