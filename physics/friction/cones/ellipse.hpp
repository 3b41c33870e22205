#pragma once
// Ellipse: two coefficients along two axes at right angles [docs/theory.md, eq. F4; Macklin 2020, eq. 28].
//
//   g(Λ_f) = |(Λ_t/μ_t, Λ_b/μ_b)|,   σ(w) = |(μ_t w_t, μ_b w_b)|,   argmax = (μ_t² w_t, μ_b² w_b)/σ
//
// Rows scaled by s_i = μ_i/√(μ_t μ_b) turn it into a disc of coefficient √(μ_t μ_b), and the laws never know
// (contact_friction.hpp). The force is not antiparallel to the velocity, unless that is along an axis: paths curve away
// from the axis of large friction.

#include "physics/friction/friction_cone.hpp"

namespace clarke {

struct Ellipse {
  static constexpr const char* kName = "ellipse";
  static constexpr const char* kSummary = "two coefficients along two axes";
  static constexpr std::array<ConeKey, 2> kKeys{
      {{"along", "coefficient along the structure", 0}, {"across", "coefficient at right angles to it", 0}}};
  double mu_t = 0.5, mu_b = 0.5;
  double mu = 0.5;  // where its grain meets another's, and where the grain ends

  static Ellipse of(const ConeNumbers& k, double friction) { return {k[0], k[1], friction}; }
  SurfaceAt surface() const { return {ConeForm::ellipse, mu, mu_t, mu_b}; }

  KOKKOS_INLINE_FUNCTION double gauge(Pair2 l) const { return std::hypot(l.x / mu_t, l.y / mu_b); }
  KOKKOS_INLINE_FUNCTION double psi(Pair2 l, double ln) const { return ln - gauge(l); }
  KOKKOS_INLINE_FUNCTION Pair2 gradient(Pair2 l) const {
    const double g = gauge(l);
    return {-l.x / (mu_t * mu_t * g), -l.y / (mu_b * mu_b * g)};
  }
  KOKKOS_INLINE_FUNCTION std::array<double, 3> hessian(Pair2 l) const {
    const double g = gauge(l), a = 1 / (mu_t * mu_t), b = 1 / (mu_b * mu_b), k = -a * b / (g * g * g);
    return {k * l.y * l.y, -k * l.x * l.y, k * l.x * l.x};
  }
  KOKKOS_INLINE_FUNCTION Pair2 project(Pair2 p, double ln) const {
    const SectionPoint at =
        project_on_quarters({SectionKind::quarters, mu_t, mu_t, mu_b, mu_b}, p.x, p.y, ln > 0 ? ln : 0);
    return {at.x, at.y};
  }
  KOKKOS_INLINE_FUNCTION double support(Pair2 w) const { return std::hypot(mu_t * w.x, mu_b * w.y); }
  KOKKOS_INLINE_FUNCTION Pair2 maximiser(Pair2 w) const {
    const double s = support(w);
    return s > 0 ? Pair2{mu_t * mu_t * w.x / s, mu_b * mu_b * w.y / s} : Pair2{};
  }
};

}  // namespace clarke
