#pragma once
// Corotational elasticity of what strains are beyond a limit e: within it nothing resists [docs/theory.md, eq. E26].
//
//   ε_i = s_i − mid(1 − e, s_i, 1 + e),   Ψ = μ ε:ε + λ/2 tr²ε
//   Ψ_i = a_i (2 μ ε_i + λ tr ε),   a_i = ∂ε_i/∂s_i ∈ {0, 1}
//
// Without λ it is the squared distance of F to all U diag(mid) Vᵀ, which projective dynamics projects on (eq. D10).
// With e = 0 it is `corotational`. ∂²Ψ/∂F² jumps at the limit and is 0 within it: as rows, elements have there the
// compliance of the projected Hessian. The limit is an option, of all bodies of this model.
//
// Source: Bouaziz Martin Liu Kavan Pauly 2014, 5.1 (strain limiting).

#include "framework/options.hpp"
#include "physics/materials/corotational.hpp"

#include <cmath>

namespace clarke {

struct StrainLimitOptions {
  double limit = 0;
  void describe(OptionVisitor& v) {
    v.real(
        "strain_limit", limit,
        {"1", "stretches between 1 − e and 1 + e cost nothing, in soft bodies of the model strain_limited", 0.0, 0.9});
  }
};

struct StrainLimited {
  static constexpr const char* kName = "strain_limited";
  static constexpr const char* kSummary = "corotational beyond -strain_limit, and nothing within it";
  static constexpr bool kInvertible = true;
  double mu, lambda;  // [Pa]
  double limit;       // e

  static StrainLimited from(const Lame& l) {
    StrainLimitOptions options;
    read_options(options);
    return {l.mu, l.lambda, options.limit};
  }

  KOKKOS_INLINE_FUNCTION double projection_weight() const { return lambda == 0 ? 2 * mu : 0; }
  KOKKOS_INLINE_FUNCTION double strain(double s) const {
    const double e = s - 1;
    return e > limit ? e - limit : e < -limit ? e + limit : 0 * e;  // of NaN NaN
  }
  KOKKOS_INLINE_FUNCTION double strain_slope(double s) const { return limit == 0 || std::fabs(s - 1) > limit ? 1 : 0; }
  KOKKOS_INLINE_FUNCTION Vec3 strains(const Vec3& s) const { return {strain(s.x), strain(s.y), strain(s.z)}; }
  KOKKOS_INLINE_FUNCTION Vec3 slopes(const Vec3& s) const {
    return {strain_slope(s.x), strain_slope(s.y), strain_slope(s.z)};
  }
  KOKKOS_INLINE_FUNCTION double stretch_energy(const Vec3& s) const {
    const Vec3 e = strains(s);
    const double t = e.x + e.y + e.z;
    return mu * norm2(e) + 0.5 * lambda * t * t;
  }
  KOKKOS_INLINE_FUNCTION Vec3 stretch_gradient(const Vec3& s) const {
    const Vec3 e = strains(s);
    return 2 * mu * e + lambda * (e.x + e.y + e.z) * slopes(s);
  }
  KOKKOS_INLINE_FUNCTION Mat3 stretch_hessian(const Vec3& s) const {
    const Vec3 a = slopes(s);
    return lambda * outer(a, a) + 2 * mu * Mat3::diagonal(a.x, a.y, a.z);
  }
  /// (Ψ_i − Ψ_j)/(s_i − s_j)
  KOKKOS_INLINE_FUNCTION Vec3 flip(const Vec3& s) const {
    const Vec3 g = stretch_gradient(s);
    return {quotient(g.y - g.z, s.y, s.z), quotient(g.x - g.z, s.x, s.z), quotient(g.x - g.y, s.x, s.y)};
  }
  KOKKOS_INLINE_FUNCTION Vec3 twist(const Vec3& s) const { return polar_twist(stretch_gradient(s), s); }
  KOKKOS_INLINE_FUNCTION double energy(const Mat3& f) const { return stretch_energy(svd(f).s); }
  KOKKOS_INLINE_FUNCTION Mat3 stress(const Mat3& f) const {
    const Svd d = svd(f);
    return compose(d.u, stretch_gradient(d.s), d.v);
  }
  KOKKOS_INLINE_FUNCTION Spectrum spectrum(const Mat3& f) const { return isotropic_spectrum(*this, f); }

 private:
  KOKKOS_INLINE_FUNCTION double quotient(double difference, double si, double sj) const {
    constexpr double kSame = 1e-7;  // of stretches of order one
    return std::fabs(si - sj) > kSame ? difference / (si - sj) : 2 * mu * strain_slope(si);
  }
};

}  // namespace clarke
