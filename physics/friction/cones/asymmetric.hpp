#pragma once
// Asymmetric: different coefficients forward and backward along the structure, as of scales or bristles
// [docs/theory.md, eq. F5].
//
//   what slides over the surface along +s meets μ_forward, along −s μ_backward, across it μ_across
//   section: two half ellipses that meet on the b axis at right angles, so convex whatever the three numbers
//
// In the axes of the force on what slides: it points along −s where that slides along +s. Not symmetric, so the sign of
// s matters.

#include "physics/friction/cones/quarters.hpp"

namespace clarke {

struct Asymmetric {
  static constexpr const char* kName = "asymmetric";
  static constexpr const char* kSummary = "different coefficients forward and backward";
  static constexpr std::array<ConeKey, 3> kKeys{
      {{"forward", "coefficient of what slides along the structure direction", 0},
       {"backward", "coefficient of what slides against it", 0},
       {"across", "coefficient at right angles to it", 0}}};
  double mu_forward = 0.5, mu_backward = 0.5, mu_across = 0.5;
  double mu = 0.5;  // where the grain ends

  static Asymmetric of(const ConeNumbers& k, double friction) { return {k[0], k[1], k[2], friction}; }
  SurfaceAt surface() const { return {ConeForm::section, mu, mu_forward, mu_across, section()}; }
  KOKKOS_INLINE_FUNCTION FrictionSection section() const {
    return {SectionKind::quarters, mu_backward, mu_forward, mu_across, mu_across};
  }
  KOKKOS_INLINE_FUNCTION double psi(Pair2 l, double ln) const { return ln - section_gauge(section(), l.x, l.y); }
  KOKKOS_INLINE_FUNCTION Pair2 gradient(Pair2 l) const { return quarters_gradient(section(), l); }
  KOKKOS_INLINE_FUNCTION std::array<double, 3> hessian(Pair2 l) const { return quarters_hessian(section(), l); }
  KOKKOS_INLINE_FUNCTION Pair2 project(Pair2 p, double ln) const { return quarters_project(section(), p, ln); }
  KOKKOS_INLINE_FUNCTION double support(Pair2 w) const { return section_support(section(), w.x, w.y); }
  KOKKOS_INLINE_FUNCTION Pair2 maximiser(Pair2 w) const { return quarters_maximiser(section(), w); }
};

}  // namespace clarke
