#pragma once
// Matchstick: the ellipse of two surfaces with a grain, from the angle between the two structure directions
// [Erleben Macklin Andrews Kry 2020; Macklin 2020, eqs. 27-34; docs/theory.md, eq. F6].
//
//   d = 1 − (2/π) acos |s_a·s_b|                      1 where the grains are parallel, 0 where they cross at 90°
//   t = (s_a ± s_b)/|…|, the sign that of s_a·s_b;    b = n × t
//   μ_t = d μ_along + (1 − d) μ,    μ_b = d μ_across + (1 − d) μ
//
// with the coefficients of the pair by -friction_pairing, μ the isotropic one. The thesis prints ψ with Rᵀ C R (R is 3
// × 2: R C Rᵀ) and writes μ_a, μ_b for the coefficients along and across, not of the bodies a and b. Both directions
// are taken in the tangent plane. Symmetric in the two surfaces and in the sign of either direction.

#include "physics/friction/cones/ellipse.hpp"

namespace clarke {

/// The coefficients at angle acos |cosine| between the grains.
KOKKOS_INLINE_FUNCTION Ellipse matchstick_cone(double along, double across, double isotropic, double cosine) {
  constexpr double kPi = 3.14159265358979323846;
  const double c = std::fabs(cosine) < 1 ? std::fabs(cosine) : 1.0, d = 1 - 2 / kPi * std::acos(c);
  return {d * along + (1 - d) * isotropic, d * across + (1 - d) * isotropic};
}

struct Matchstick {
  static constexpr const char* kName = "matchstick";
  static constexpr const char* kSummary = "an ellipse from the angle between the grains of the two surfaces";
  static constexpr std::array<ConeKey, 2> kKeys{
      {{"along", "coefficient along parallel grains", 0}, {"across", "coefficient across parallel grains", 0}}};
  double mu_along = 0.5, mu_across = 0.5, mu = 0.5, cosine = 1;

  static Matchstick of(const ConeNumbers& k, double friction) { return {k[0], k[1], friction}; }
  SurfaceAt surface() const { return {ConeForm::matchstick, mu, mu_along, mu_across}; }

  KOKKOS_INLINE_FUNCTION Ellipse ellipse() const { return matchstick_cone(mu_along, mu_across, mu, cosine); }
  KOKKOS_INLINE_FUNCTION double psi(Pair2 l, double ln) const { return ellipse().psi(l, ln); }
  KOKKOS_INLINE_FUNCTION Pair2 gradient(Pair2 l) const { return ellipse().gradient(l); }
  KOKKOS_INLINE_FUNCTION std::array<double, 3> hessian(Pair2 l) const { return ellipse().hessian(l); }
  KOKKOS_INLINE_FUNCTION Pair2 project(Pair2 p, double ln) const { return ellipse().project(p, ln); }
  KOKKOS_INLINE_FUNCTION double support(Pair2 w) const { return ellipse().support(w); }
  KOKKOS_INLINE_FUNCTION Pair2 maximiser(Pair2 w) const { return ellipse().maximiser(w); }
};

}  // namespace clarke
