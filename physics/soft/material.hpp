#pragma once
// What a hyperelastic material is: a pure function from the deformation gradient F to an energy per rest volume, with
// derivatives.
//
//   Ψ(F) [J/m³],   P = ∂Ψ/∂F [Pa] (first Piola-Kirchhoff stress),   ∂²Ψ/∂F² [Pa] by its spectrum (spectrum.hpp)
//   μ = E / (2 (1 + ν)),   λ = E ν / ((1 + ν)(1 − 2ν))                                                       [eq. E3]
//
// E [Pa] > 0 Young's modulus, ν in (−1, 0.5) Poisson's ratio. At ν = 0.5 λ is infinite: refused, but of sheets of a
// material that says what its sheets then are (kIncompressibleSheet). All materials have
// Ψ(1) = 0, P(1) = 0 and at F = 1 the ∂²Ψ/∂F² of linear elasticity with E and ν; a material whose own parameters are
// others converts them.
//
// An isotropic material states itself in the stretches s of F = U diag(s) Vᵀ, as `rows: stretch` and the spectrum need
// it.

#include "framework/error.hpp"
#include "framework/math/dual_vectors.hpp"
#include "physics/soft/spectrum.hpp"

#include <concepts>
#include <sstream>
#include <string>
#include <type_traits>

namespace clarke {

struct Lame {
  double mu, lambda;  // [Pa]
};

/// Throws InputError, naming `owner`, for what is no elastic material. `sheet`: ν = 0.5 is taken, and λ infinite.
inline Lame lame(double young, double poisson, const std::string& owner, bool sheet = false) {
  const auto text = [](double value) {
    std::ostringstream out;
    out << value;
    return out.str();
  };
  if (!(young > 0) || !(young < INFINITY))
    throw InputError(owner + ": young: expected Young's modulus > 0 [Pa], got " + text(young));
  if (poisson == 0.5 && sheet) return {young / 3, INFINITY};
  if (poisson == 0.5)
    throw InputError(owner +
                     ": poisson: 0.5 is incompressible, its bulk modulus infinite; take a value below, as 0.49 or "
                     "0.4999");
  if (!(poisson > -1) || !(poisson < 0.5))
    throw InputError(owner + ": poisson: expected Poisson's ratio between -1 and 0.5, got " + text(poisson));
  return {young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))};
}

/// In stretches: Ψ, its gradient and Hessian, and the quotients of the spectrum.
template <class M>
concept StretchEnergy = requires(const M m, const Vec3 s) {
  { m.stretch_energy(s) } -> std::same_as<double>;
  { m.stretch_gradient(s) } -> std::same_as<Vec3>;
  { m.stretch_hessian(s) } -> std::same_as<Mat3>;
  { m.flip(s) } -> std::same_as<Vec3>;
  { m.twist(s) } -> std::same_as<Vec3>;
};

template <class M>
concept Material = std::is_trivially_copyable_v<M> && requires(const M m, const Mat3 f, Lame l) {
  { M::kName } -> std::convertible_to<const char*>;
  { M::kSummary } -> std::convertible_to<const char*>;
  { M::kInvertible } -> std::convertible_to<bool>;  // defined for det F ≤ 0
  { M::from(l) } -> std::same_as<M>;
  { m.energy(f) } -> std::same_as<double>;
  { m.stress(f) } -> std::same_as<Mat3>;
  { m.spectrum(f) } -> std::same_as<Spectrum>;
};

/// Ψ = w/2 min over R of |F − R|², a squared distance of F: w [Pa], or 0 where its parameters make it something else.
template <class M>
concept Projective = requires(const M m) {
  { m.projection_weight() } -> std::same_as<double>;
};

template <class M>
KOKKOS_INLINE_FUNCTION double projection_weight(const M& m) {
  if constexpr (Projective<M>) return m.projection_weight();
  return 0;
}

/// Spectrum of an isotropic material.
template <class M>
KOKKOS_INLINE_FUNCTION Spectrum isotropic_spectrum(const M& m, const Mat3& f) {
  const Svd d = svd(f);
  return {d.u, d.v, symmetric_eigen(m.stretch_hessian(d.s)), m.flip(d.s), m.twist(d.s)};
}

/// A material whose stress is written for any scalar.
template <class M>
concept StressOfDuals = requires(const M m, const Mat3T<Dual> f) {
  { m.stress(f) } -> std::same_as<Mat3T<Dual>>;
};

/// P at F + ε dF: by the stress in dual numbers, or, of what is made of singular values, by ∂²Ψ/∂F² as it is.
template <class M>
KOKKOS_INLINE_FUNCTION Mat3T<Dual> dual_stress(const M& m, const Mat3T<Dual>& f) {
  if constexpr (StressOfDuals<M>) {
    return m.stress(f);
  } else {
    const Mat3 value = value_of(f), along = derivative_of(f);
    Mat3 sum{};
    const Spectrum s = m.spectrum(value);
    for (int e = 0; e < 9; ++e) {
      const Mat3 q = s.vector(e);
      sum = sum + (s.value(e) * (dot(q.r0, along.r0) + dot(q.r1, along.r1) + dot(q.r2, along.r2))) * q;
    }
    return dual(m.stress(value), sum);
  }
}

/// Cofactors of diag(s): derivatives of J = s₁ s₂ s₃.
KOKKOS_INLINE_FUNCTION constexpr Vec3 stretch_cofactors(const Vec3& s) { return {s.y * s.z, s.x * s.z, s.x * s.y}; }
/// ∂J/∂F; finite for any F.
template <class T>
KOKKOS_INLINE_FUNCTION constexpr Mat3T<T> cofactors(const Mat3T<T>& f) {
  return {cross(f.r1, f.r2), cross(f.r2, f.r0), cross(f.r0, f.r1)};
}

}  // namespace clarke
