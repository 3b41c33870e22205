#pragma once
// Isotropic: Coulomb's disc |Λ_f| ≤ μ Λ_n [docs/theory.md, "Contact and Coulomb friction"].

#include "physics/friction/cones/ellipse.hpp"

namespace clarke {

struct Isotropic {
  static constexpr const char* kName = "isotropic";
  static constexpr const char* kSummary = "the same coefficient in all directions";
  static constexpr std::array<ConeKey, 0> kKeys{};
  double mu = 0.5;

  static Isotropic of(const ConeNumbers&, double friction) { return {friction}; }
  SurfaceAt surface() const { return {ConeForm::disc, mu}; }

  KOKKOS_INLINE_FUNCTION double psi(Pair2 l, double ln) const { return ln - std::hypot(l.x, l.y) / mu; }
  KOKKOS_INLINE_FUNCTION Pair2 gradient(Pair2 l) const { return Ellipse{mu, mu}.gradient(l); }
  KOKKOS_INLINE_FUNCTION std::array<double, 3> hessian(Pair2 l) const { return Ellipse{mu, mu}.hessian(l); }
  KOKKOS_INLINE_FUNCTION Pair2 project(Pair2 p, double ln) const {
    const double size = std::hypot(p.x, p.y), radius = mu * (ln > 0 ? ln : 0);
    return size <= radius ? p : Pair2{radius / size * p.x, radius / size * p.y};
  }
  KOKKOS_INLINE_FUNCTION double support(Pair2 w) const { return mu * std::hypot(w.x, w.y); }
  KOKKOS_INLINE_FUNCTION Pair2 maximiser(Pair2 w) const {
    const double s = std::hypot(w.x, w.y);
    return s > 0 ? Pair2{mu * w.x / s, mu * w.y / s} : Pair2{};
  }
};

}  // namespace clarke
