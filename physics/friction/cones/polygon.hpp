#pragma once
// Polygon: the linearised cone, a regular polygon inscribed in Coulomb's disc, first corner along the structure. It is
// there to show what linearisation costs [docs/theory.md, eq. F5]: the force of sliding sits at a corner, up to π/k
// beside the velocity.

#include "physics/friction/friction_cone.hpp"

namespace clarke {

struct Polygon {
  static constexpr const char* kName = "polygon";
  static constexpr const char* kSummary = "a regular polygon with its corners on Coulomb's disc";
  static constexpr std::array<ConeKey, 1> kKeys{{{"facets", "edges of the polygon, at least 3", 2, true}}};
  double mu = 0.5;
  int facets = 4;

  static Polygon of(const ConeNumbers& k, double friction) { return {friction, static_cast<int>(k[0])}; }
  SurfaceAt surface() const { return {ConeForm::section, mu, mu, mu, section()}; }
  KOKKOS_INLINE_FUNCTION FrictionSection section() const { return {SectionKind::polygon, 1, 1, 1, 1, facets, 0}; }
  /// Outward normal over the apothem: the gradient of the gauge, constant along an edge.
  KOKKOS_INLINE_FUNCTION Pair2 edge(Pair2 l) const {
    constexpr double kPi = 3.14159265358979323846;
    const double wedge = 2 * kPi / facets;
    const double along = (std::floor(std::atan2(l.y, l.x) / wedge) + 0.5) * wedge, k = 1 / (mu * std::cos(0.5 * wedge));
    return {k * std::cos(along), k * std::sin(along)};
  }
  KOKKOS_INLINE_FUNCTION double psi(Pair2 l, double ln) const { return ln - section_gauge(section(), l.x, l.y) / mu; }
  KOKKOS_INLINE_FUNCTION Pair2 gradient(Pair2 l) const { return {-edge(l).x, -edge(l).y}; }
  KOKKOS_INLINE_FUNCTION std::array<double, 3> hessian(Pair2) const { return {0, 0, 0}; }
  KOKKOS_INLINE_FUNCTION Pair2 project(Pair2 p, double ln) const {
    const SectionPoint at = project_on_polygon(section(), p.x, p.y, mu * (ln > 0 ? ln : 0));
    return {at.x, at.y};
  }
  KOKKOS_INLINE_FUNCTION double support(Pair2 w) const { return mu * section_support(section(), w.x, w.y); }
  KOKKOS_INLINE_FUNCTION Pair2 maximiser(Pair2 w) const {
    Pair2 at;
    section_maximiser(section(), w.x, w.y, at.x, at.y);
    return {mu * at.x, mu * at.y};
  }
};

}  // namespace clarke
