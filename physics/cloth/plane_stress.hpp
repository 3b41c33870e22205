#pragma once
// A material in plane stress: a thin sheet thins until nothing presses on its faces [docs/theory.md, eq. E21].
//
//   Ψ'(s₁, s₂) = Ψ(s₁, s₂, s₃),   s₃ ≥ 0 from Ψ_3 = 0                       Ψ of any isotropic material, in its stretches (eq. E2)
//   Ψ'_i = Ψ_i,   Ψ'_ij = Ψ_ij − Ψ_i3 Ψ_j3/Ψ_33
//   in strains of Green, G = (FᵀF − 1)/2, G_i = (s_i² − 1)/2:
//     S_i = Ψ_i/s_i,   ∂S_i/∂G_j = Ψ'_ij/(s_i s_j) − δ_ij Ψ_i/s_i³,   (S_1 − S_2)/(G_1 − G_2) = (flip_3 − twist_3)/(s₁ s₂)
//
// At small strains this is Hooke's law of a plate: E/(1 − ν²), ν. For any type with the functions of a StretchEnergy.

#include "framework/math/symmetric_eigen.hpp"
#include "physics/soft/material.hpp"

namespace clarke {

struct PlaneState {
  Vec3 s;            // stretches, the third across the sheet
  Vec3 gradient;     // Ψ_1, Ψ_2, 0 [Pa]
  double h11, h12, h22;  // Ψ'_ij [Pa]
};

/// s₃ where Ψ_3 = 0, by Newton's method kept inside a bracket. Ψ_3 grows with s₃ for every material here.
template <class M>
KOKKOS_INLINE_FUNCTION double free_thickness(const M& m, double s1, double s2) {
  constexpr int kIterations = 80;  // Newton needs one to five; halving to zero, where only s₃ = 0 is left, the rest
  constexpr double kRounding = 4e-16;
  double low = 0, high = INFINITY, x = 1;
  for (int k = 0; k < kIterations; ++k) {
    const double g = m.stretch_gradient({s1, s2, x}).z;
    if (g == 0) break;
    (g > 0 ? high : low) = x;
    double next = x - g / m.stretch_hessian({s1, s2, x})(2, 2);
    if (!(next > low && next < high)) next = high < INFINITY ? 0.5 * (low + high) : 2 * x;
    const double change = std::fabs(next - x);
    x = next;
    if (change <= kRounding * x) break;
  }
  return x;
}

template <class M>
KOKKOS_INLINE_FUNCTION PlaneState plane_stress(const M& m, double s1, double s2) {
  PlaneState p;
  p.s = {s1, s2, free_thickness(m, s1, s2)};
  p.gradient = m.stretch_gradient(p.s);
  p.gradient.z = 0;
  const Mat3 h = m.stretch_hessian(p.s);
  const double thin = h(2, 2) > 0 ? 1 / h(2, 2) : 0;
  p.h11 = h(0, 0) - h(0, 2) * h(0, 2) * thin;
  p.h12 = h(0, 1) - h(0, 2) * h(1, 2) * thin;
  p.h22 = h(1, 1) - h(1, 2) * h(1, 2) * thin;
  return p;
}

/// Stretches of F = [f₀ f₁] (3 × 2), s₁ ≥ s₂ ≥ 0, and the direction (cos, sin) of the first in the sheet.
struct SheetStretch {
  double s1, s2, cosine, sine;
};
KOKKOS_INLINE_FUNCTION SheetStretch sheet_stretch(const Vec3& f0, const Vec3& f1) {
  const double a = norm2(f0), b = dot(f0, f1), d = norm2(f1);
  const double half = 0.5 * (a - d), angle = 0.5 * std::atan2(b, half);
  const double s1 = std::sqrt(0.5 * (a + d) + std::sqrt(half * half + b * b));
  // |f₀ × f₁| is s₁ s₂ without the cancellation of a difference of squares.
  return {s1, s1 > 0 ? norm(cross(f0, f1)) / s1 : 0, std::cos(angle), std::sin(angle)};
}

/// What a sheet says of one element: strains, stresses and their slope in the frame of the sheet, as vectors (11, 22, √2 12).
struct SheetStress {
  double energy;       // Ψ' [J/m³]
  double strain[3];    // of Green [1]
  double stress[3];    // second Piola-Kirchhoff [Pa]
  Mat3 slope;          // ∂stress/∂strain [Pa], symmetric
};
template <class M>
KOKKOS_INLINE_FUNCTION SheetStress sheet_stress(const M& m, const Vec3& f0, const Vec3& f1) {
  constexpr double kRoot = 1.4142135623730951;
  const SheetStretch d = sheet_stretch(f0, f1);
  const PlaneState p = plane_stress(m, d.s1, d.s2);
  SheetStress out;
  out.energy = m.stretch_energy(p.s);
  out.strain[0] = 0.5 * (norm2(f0) - 1);
  out.strain[1] = 0.5 * (norm2(f1) - 1);
  out.strain[2] = dot(f0, f1) / kRoot;
  const double c = d.cosine, s = d.sine, S1 = p.gradient.x / d.s1, S2 = p.gradient.y / d.s2;
  // columns: v₁v₁ᵀ, v₂v₂ᵀ and √2 sym v₁v₂ᵀ
  const Mat3 Q{{c * c, s * s, -kRoot * c * s}, {s * s, c * c, kRoot * c * s}, {kRoot * c * s, -kRoot * c * s, c * c - s * s}};
  const Vec3 stress = Q * Vec3{S1, S2, 0};
  for (int k = 0; k < 3; ++k) out.stress[k] = stress[k];
  const double shear = (m.flip(p.s).z - m.twist(p.s).z) / (d.s1 * d.s2);
  const double h12 = p.h12 / (d.s1 * d.s2);
  const Mat3 core{{(p.h11 - S1) / (d.s1 * d.s1), h12, 0}, {h12, (p.h22 - S2) / (d.s2 * d.s2), 0}, {0, 0, shear}};
  out.slope = Q * core * transpose(Q);
  return out;
}

}  // namespace clarke
