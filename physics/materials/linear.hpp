#pragma once
// Linear elasticity: small strains, no rotation [docs/theory.md, eq. E4].
//
//   ε = sym(F − 1),   Ψ = μ ε:ε + λ/2 tr²ε,   P = 2 μ ε + λ tr ε 1
//
// Exact to first order in F − 1 only: a rotation by φ has the strain cos φ − 1 and blows the body up. Constant ∂²Ψ/∂F²,
// whose three eigenvalues of infinitesimal rotations are zero.

#include "physics/soft/material.hpp"

namespace clarke {

struct Linear {
  static constexpr const char* kName = "linear";
  static constexpr const char* kSummary = "small strains without rotation";
  static constexpr bool kInvertible = true;
  double mu, lambda;  // [Pa]

  static Linear from(const Lame& l) { return {l.mu, l.lambda}; }

  template <class T>
  KOKKOS_INLINE_FUNCTION static Mat3T<T> strain(const Mat3T<T>& f) {
    return T(0.5) * (f + transpose(f)) - Mat3T<T>::identity();
  }
  KOKKOS_INLINE_FUNCTION double energy(const Mat3& f) const {
    const Mat3 e = strain(f);
    return mu * (norm2(e.r0) + norm2(e.r1) + norm2(e.r2)) + 0.5 * lambda * trace(e) * trace(e);
  }
  template <class T>
  KOKKOS_INLINE_FUNCTION Mat3T<T> stress(const Mat3T<T>& f) const {
    const Mat3T<T> e = strain(f);
    return T(2 * mu) * e + T(lambda) * trace(e) * Mat3T<T>::identity();
  }
  KOKKOS_INLINE_FUNCTION Spectrum spectrum(const Mat3&) const {
    const Mat3 H = {
        {2 * mu + lambda, lambda, lambda}, {lambda, 2 * mu + lambda, lambda}, {lambda, lambda, 2 * mu + lambda}};
    return {Mat3::identity(), Mat3::identity(), symmetric_eigen(H), {2 * mu, 2 * mu, 2 * mu}, {}};
  }
};

}  // namespace clarke
