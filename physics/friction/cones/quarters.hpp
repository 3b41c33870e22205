#pragma once
// Derivatives of ψ = Λ_n − g(Λ_f) for sections made of four quarters of ellipses, g their gauge, in size one; for cones
// that are made of them [docs/theory.md, eq. F5]. What else a cone needs is in framework/sets/friction_section.hpp.
//
//   g = |(l_x/a, l_y/b)| with the semi-axes a, b of the quarter of l:   ∇g = (l_x/a², l_y/b²)/g,
//   ∇²g = (l_y², −l_x l_y, l_x²)/(a² b² g³)

#include "physics/friction/friction_cone.hpp"

namespace clarke {

KOKKOS_INLINE_FUNCTION Pair2 quarters_gradient(const FrictionSection& s, Pair2 l) {
  const double a = l.x < 0 ? s.a_minus : s.a_plus, b = l.y < 0 ? s.b_minus : s.b_plus;
  const double g = section_gauge(s, l.x, l.y);
  return {-l.x / (a * a * g), -l.y / (b * b * g)};
}

KOKKOS_INLINE_FUNCTION std::array<double, 3> quarters_hessian(const FrictionSection& s, Pair2 l) {
  const double a = l.x < 0 ? s.a_minus : s.a_plus, b = l.y < 0 ? s.b_minus : s.b_plus;
  const double g = section_gauge(s, l.x, l.y), k = -1 / (a * a * b * b * g * g * g);
  return {k * l.y * l.y, -k * l.x * l.y, k * l.x * l.x};
}

KOKKOS_INLINE_FUNCTION Pair2 quarters_project(const FrictionSection& s, Pair2 p, double ln) {
  const SectionPoint at = project_on_quarters(s, p.x, p.y, ln > 0 ? ln : 0);
  return {at.x, at.y};
}

KOKKOS_INLINE_FUNCTION Pair2 quarters_maximiser(const FrictionSection& s, Pair2 w) {
  Pair2 at;
  section_maximiser(s, w.x, w.y, at.x, at.y);
  return at;
}

}  // namespace clarke
