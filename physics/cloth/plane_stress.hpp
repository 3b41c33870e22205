#pragma once
// A material in plane stress: a thin sheet thins until nothing presses on its faces [docs/theory.md, eq. E21].
//
//   Ψ'(s₁, s₂) = Ψ(s₁, s₂, s₃),   s₃ ≥ 0 from Ψ_3 = 0      Ψ of any isotropic material, in its stretches (eq. E2)
//   Ψ'_i = Ψ_i,   Ψ'_ij = Ψ_ij − Ψ_i3 Ψ_j3/Ψ_33
//   F = Σ_i s_i u_i v_iᵀ (3 × 2),  n = u₁ × u₂,   P = Σ_i Ψ_i u_i v_iᵀ
//   ∂²Ψ'/∂F²   stretch   w₁ u₁v₁ᵀ + w₂ u₂v₂ᵀ      e, with (e, w) the eigenpairs of Ψ'_ij
//              flip      (u₁v₂ᵀ + u₂v₁ᵀ)/√2       (Ψ_1 − Ψ_2)/(s₁ − s₂)
//              twist     (u₁v₂ᵀ − u₂v₁ᵀ)/√2       (Ψ_1 + Ψ_2)/(s₁ + s₂)
//              across    n v_iᵀ, two              Ψ_i/s_i: nothing in a slack sheet, negative where it is compressed
//
// A material that keeps its volume (eq. E25) has s₃ = 1/(s₁ s₂) and, with d_i its Ψ_ii at the pressure that Ψ_3 = 0
// asks for, Ψ'_ij = d_i δ_ij + d_3 s₃²/(s_i s_j): the limit of the quotient above as λ grows.
//
// At small strains this is Hooke's law of a plate: E/(1 − ν²), ν. For any type with the functions of a StretchEnergy.

#include "framework/math/symmetric_eigen.hpp"
#include "physics/soft/material.hpp"

namespace clarke {

struct PlaneState {
  Vec3 s;                // stretches, the third across the sheet
  Vec3 gradient;         // Ψ_1, Ψ_2, 0 [Pa]
  double h11, h12, h22;  // Ψ'_ij [Pa]
};

/// Whether a sheet of it keeps its volume; materials that can be so say kIncompressibleSheet.
template <class M>
concept IncompressibleSheet = requires {
  requires M::kIncompressibleSheet;
};
template <class M>
KOKKOS_INLINE_FUNCTION bool incompressible(const M& m) {
  if constexpr (requires { m.incompressible(); })
    return m.incompressible();
  else
    return false;
}

/// s₃ where Ψ_3 = 0, by Newton's method kept inside a bracket. Ψ_3 grows with s₃ for every material here.
template <class M>
KOKKOS_INLINE_FUNCTION double free_thickness(const M& m, double s1, double s2) {
  constexpr int kIterations = 80;  // Newton needs one to five; halving to zero, where only s₃ = 0 is left, the rest
  constexpr double kRounding = 4e-16;
  if (incompressible(m)) return 1 / (s1 * s2);
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
  if (incompressible(m)) {
    const double squeezed = h(2, 2) * p.s.z * p.s.z;
    p.h11 = h(0, 0) + squeezed / (s1 * s1);
    p.h12 = squeezed / (s1 * s2);
    p.h22 = h(1, 1) + squeezed / (s2 * s2);
    return p;
  }
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

/// Eigenvalues [Pa] of ∂²Ψ'/∂F² with their vectors, 3 × 2 matrices [q₀ q₁] of norm 1; and P likewise.
struct SheetSpectrum {
  static constexpr int kModes = 6;
  double energy;          // Ψ' [J/m³]
  Vec3 stress0, stress1;  // columns of P [Pa]
  double value[kModes];
  Vec3 q0[kModes], q1[kModes];
};

template <class M>
KOKKOS_INLINE_FUNCTION SheetSpectrum sheet_spectrum(const M& m, const Vec3& f0, const Vec3& f1) {
  constexpr double kLeastStretch = 1e-8;  // as a divisor: concerns Newton's path where a triangle is a line
  constexpr double kRootHalf = 0.70710678118654752;
  const SheetStretch d = sheet_stretch(f0, f1);
  const PlaneState p = plane_stress(m, d.s1, d.s2);
  const double c = d.cosine, s = d.sine;
  const Vec3 along = c * f0 + s * f1, normal = cross(f0, f1);
  const Vec3 u1 = norm(along) > 0 ? normalized(along) : Vec3{1, 0, 0};
  Vec3 n, other;
  if (norm(normal) > 0)
    n = normalized(normal);
  else
    tangent_frame(u1, n, other);
  const Vec3 u2 = cross(n, u1);
  SheetSpectrum out;
  out.energy = m.stretch_energy(p.s);
  out.stress0 = p.gradient.x * c * u1 - p.gradient.y * s * u2;
  out.stress1 = p.gradient.x * s * u1 + p.gradient.y * c * u2;
  // v₁ = (c, s), v₂ = (−s, c)
  const double angle = 0.5 * std::atan2(p.h12, 0.5 * (p.h11 - p.h22));
  const double w[2][2] = {{std::cos(angle), std::sin(angle)}, {-std::sin(angle), std::cos(angle)}};
  for (int k = 0; k < 2; ++k) {
    const double a = w[k][0], b = w[k][1];
    out.value[k] = a * a * p.h11 + 2 * a * b * p.h12 + b * b * p.h22;
    out.q0[k] = a * c * u1 - b * s * u2;
    out.q1[k] = a * s * u1 + b * c * u2;
  }
  out.value[2] = m.flip(p.s).z;
  out.q0[2] = kRootHalf * (c * u2 - s * u1);
  out.q1[2] = kRootHalf * (c * u1 + s * u2);
  out.value[3] = m.twist(p.s).z;
  out.q0[3] = kRootHalf * (-c * u2 - s * u1);
  out.q1[3] = kRootHalf * (c * u1 - s * u2);
  out.value[4] = p.gradient.x / std::fmax(d.s1, kLeastStretch);
  out.q0[4] = c * n, out.q1[4] = s * n;
  out.value[5] = p.gradient.y / std::fmax(d.s2, kLeastStretch);
  out.q0[5] = -s * n, out.q1[5] = c * n;
  return out;
}

}  // namespace clarke
