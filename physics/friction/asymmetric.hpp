#pragma once
// Asymmetric: different coefficients forward and backward along the structure, as of scales or bristles
// [docs/theory.md, eq. F5].
//
//   what slides over the surface along +s meets μ_forward, along −s μ_backward, across it μ_across
//   section: two half ellipses that meet on the b axis at right angles, so convex whatever the three numbers
//
// In the axes of the force on what slides: it points along −s where that slides along +s. Not symmetric, so the sign of
// s matters.

#include "physics/friction/friction_cone.hpp"

namespace clarke {

struct Asymmetric {
  static constexpr const char* kName = "asymmetric";
  static constexpr const char* kSummary = "different coefficients forward and backward";
  static constexpr ConeKind kKind = ConeKind::asymmetric;
  static constexpr std::array<ConeKey, 3> kKeys{
      {{"forward", "coefficient of what slides along the structure direction", 0},
       {"backward", "coefficient of what slides against it", 0},
       {"across", "coefficient at right angles to it", 0}}};
  double mu_forward = 0.5, mu_backward = 0.5, mu_across = 0.5;

  KOKKOS_INLINE_FUNCTION FrictionSection section() const {
    return {SectionKind::quarters, mu_backward, mu_forward, mu_across, mu_across};
  }
  KOKKOS_INLINE_FUNCTION double psi(Pair2 l, double ln) const { return ln - section_gauge(section(), l.x, l.y); }
  KOKKOS_INLINE_FUNCTION double half(Pair2 l) const { return l.x < 0 ? mu_forward : mu_backward; }
  KOKKOS_INLINE_FUNCTION Pair2 gradient(Pair2 l) const {
    const double a = half(l), g = section_gauge(section(), l.x, l.y);
    return {-l.x / (a * a * g), -l.y / (mu_across * mu_across * g)};
  }
  KOKKOS_INLINE_FUNCTION std::array<double, 3> hessian(Pair2 l) const {
    const double a = half(l), g = section_gauge(section(), l.x, l.y);
    const double k = -1 / (a * a * mu_across * mu_across * g * g * g);
    return {k * l.y * l.y, -k * l.x * l.y, k * l.x * l.x};
  }
  KOKKOS_INLINE_FUNCTION Pair2 project(Pair2 p, double ln) const {
    const SectionPoint at = project_on_quarters(section(), p.x, p.y, ln > 0 ? ln : 0);
    return {at.x, at.y};
  }
  KOKKOS_INLINE_FUNCTION double support(Pair2 w) const { return section_support(section(), w.x, w.y); }
  KOKKOS_INLINE_FUNCTION Pair2 maximiser(Pair2 w) const {
    Pair2 at;
    section_maximiser(section(), w.x, w.y, at.x, at.y);
    return at;
  }
};

}  // namespace clarke
