#pragma once
// The section of a convex friction cone at unit radius, for cones that no scaling of the tangential rows turns into a
// disc, and what laws need of it [docs/theory.md, eq. F5]. Coordinates are the contact's two tangential rows.
//
//   cone       {(Λ_n, Λ_f): Λ_f ∈ R C},   R = μ max(Λ_n, 0),   C convex, 0 inside
//   quarters   four quarters of ellipses with semi-axes a₊, a₋ along t1 and b₊, b₋ along t2: convex for any positive
//              four, with a continuous normal, since all quarters cross the axes at right angles
//   polygon    regular, k corners on the unit circle, the first at the angle φ
//   π(p, R) = Π_{R C}(p),   D = ∂π/∂p = e τ τᵀ,   e = 1/(1 + κ dist),   ∂π/∂R = (π − D p)/R
// with τ the tangent and κ the curvature of the boundary at π (κ = ∞ at a corner, 0 on an edge). For the disc e =
// R/|p|.

#include "framework/math/hypotenuse.hpp"

#include <cmath>
#include <numbers>

namespace clarke {

enum class SectionKind { quarters, polygon };

struct FrictionSection {
  SectionKind kind = SectionKind::quarters;
  double a_plus = 1, a_minus = 1, b_plus = 1, b_minus = 1;  // quarters
  int corners = 0;                                          // polygon: k ≥ 3
  double angle = 0;                                         // polygon: φ [rad]
};

/// π(p, R) and what its derivatives are made of. Inside n is 0 and e is 1.
struct SectionPoint {
  double x, y;    // π
  double nx, ny;  // outward unit normal along p − π
  double e;       // eigenvalue of D along the tangent
  bool inside;
};

/// Nearest point of the ellipse x²/a² + y²/b² ≤ 1 to (p, q) in its first quarter, p, q ≥ 0 outside. With (x, y) = (a²
/// p/(a² + t), b² q/(b² + t)), F(t) = (x/a)² + (y/b)² − 1 falls and is convex for t ≥ 0, so Newton's steps from a t
/// with F ≥ 0 rise to the root.
KOKKOS_INLINE_FUNCTION SectionPoint nearest_of_quarter(double a, double b, double p, double q) {
  double t = std::fmax(0.0, std::fmax(a * p - a * a, b * q - b * b));
  constexpr int kMost = 60;  // a tenth of it in practice: the start is within a factor √2 of (a² + t)
  for (int k = 0; k < kMost; ++k) {
    const double u = a * p / (a * a + t), v = b * q / (b * b + t);
    const double f = u * u + v * v - 1, slope = -2 * (u * u / (a * a + t) + v * v / (b * b + t));
    const double next = t - f / slope;
    if (!(next > t)) break;
    t = next;
  }
  const double sx = p / (a * a + t), sy = q / (b * b + t);  // (x/a², y/b²): along the normal
  const double x = a * a * sx, y = b * b * sy, s = hypotenuse(sx, sy);
  const double curvature = 1 / (a * a * b * b * s * s * s);
  return {x, y, sx / s, sy / s, 1 / (1 + curvature * t * s), false};
}

KOKKOS_INLINE_FUNCTION SectionPoint project_on_quarters(const FrictionSection& c, double p1, double p2, double radius) {
  // The nearest point lies in the quarter of p: leaving out a coordinate stays in the set.
  const double a = radius * (p1 < 0 ? c.a_minus : c.a_plus), b = radius * (p2 < 0 ? c.b_minus : c.b_plus);
  if (radius > 0 && (p1 / a) * (p1 / a) + (p2 / b) * (p2 / b) <= 1) return {p1, p2, 0, 0, 1, true};
  if (!(radius > 0)) {
    const double p = hypotenuse(p1, p2);
    return {0, 0, p > 0 ? p1 / p : 0.0, p > 0 ? p2 / p : 0.0, 0, !(p > 0)};
  }
  SectionPoint at = nearest_of_quarter(a, b, std::fabs(p1), std::fabs(p2));
  if (p1 < 0) at.x = -at.x, at.nx = -at.nx;
  if (p2 < 0) at.y = -at.y, at.ny = -at.ny;
  return at;
}

KOKKOS_INLINE_FUNCTION SectionPoint project_on_polygon(const FrictionSection& c, double p1, double p2, double radius) {
  const double wedge = 2 * std::numbers::pi / c.corners;
  // The edge that the ray of p crosses; the wedge of its two corners is where it is the nearest.
  const double edge = std::floor((std::atan2(p2, p1) - c.angle) / wedge);
  const double along = c.angle + (edge + 0.5) * wedge, nx = std::cos(along), ny = std::sin(along);
  const double p = nx * p1 + ny * p2, q = nx * p2 - ny * p1;
  const double apothem = radius * std::cos(0.5 * wedge), half = radius * std::sin(0.5 * wedge);
  if (p <= apothem) return {p1, p2, 0, 0, 1, true};
  if (std::fabs(q) <= half)  // on the edge
    return {nx * apothem - ny * q, ny * apothem + nx * q, nx, ny, 1, false};
  const double s = q > 0 ? half : -half, x = nx * apothem - ny * s, y = ny * apothem + nx * s;
  const double distance = hypotenuse(p1 - x, p2 - y);
  return {x, y, (p1 - x) / distance, (p2 - y) / distance, 0, false};
}

KOKKOS_INLINE_FUNCTION SectionPoint project_on_section(const FrictionSection& c, double p1, double p2, double radius) {
  return c.kind == SectionKind::polygon ? project_on_polygon(c, p1, p2, radius)
                                        : project_on_quarters(c, p1, p2, radius);
}

/// σ_C(w) = max over C of w·x: the dissipation of C at the velocity −w.
KOKKOS_INLINE_FUNCTION double section_support(const FrictionSection& c, double w1, double w2) {
  if (c.kind == SectionKind::quarters)
    return hypotenuse(w1 * (w1 < 0 ? c.a_minus : c.a_plus), w2 * (w2 < 0 ? c.b_minus : c.b_plus));
  const double wedge = 2 * std::numbers::pi / c.corners;
  const double corner = c.angle + wedge * std::round((std::atan2(w2, w1) - c.angle) / wedge);
  return w1 * std::cos(corner) + w2 * std::sin(corner);
}

/// The point of C with that product: where the force is while a slides with the velocity −w. Any of them where there
/// are several.
KOKKOS_INLINE_FUNCTION void section_maximiser(const FrictionSection& c, double w1, double w2, double& x, double& y) {
  x = y = 0;
  if (c.kind == SectionKind::quarters) {
    const double a = w1 < 0 ? c.a_minus : c.a_plus, b = w2 < 0 ? c.b_minus : c.b_plus, s = hypotenuse(a * w1, b * w2);
    if (!(s > 0)) return;
    x = a * a * w1 / s;
    y = b * b * w2 / s;
    return;
  }
  const double wedge = 2 * std::numbers::pi / c.corners;
  const double corner = c.angle + wedge * std::round((std::atan2(w2, w1) - c.angle) / wedge);
  x = std::cos(corner);
  y = std::sin(corner);
}

/// ∂π/∂R = (π − D p)/R; 0 inside. At R = 0 it is the point of C furthest along p.
KOKKOS_INLINE_FUNCTION void section_growth(const FrictionSection& c, const SectionPoint& at, double p1, double p2,
                                           double radius, double& g1, double& g2) {
  if (!(radius > 0)) {
    section_maximiser(c, p1, p2, g1, g2);
    return;
  }
  g1 = g2 = 0;
  if (at.inside) return;
  const double t1 = -at.ny, t2 = at.nx, tp = at.e * (t1 * p1 + t2 * p2);
  g1 = (at.x - tp * t1) / radius;
  g2 = (at.y - tp * t2) / radius;
}

/// Gauge of C: the least s ≥ 0 with x ∈ s C.
KOKKOS_INLINE_FUNCTION double section_gauge(const FrictionSection& c, double x, double y) {
  if (c.kind == SectionKind::quarters)
    return hypotenuse(x / (x < 0 ? c.a_minus : c.a_plus), y / (y < 0 ? c.b_minus : c.b_plus));
  const double wedge = 2 * std::numbers::pi / c.corners;
  const double along = c.angle + (std::floor((std::atan2(y, x) - c.angle) / wedge) + 0.5) * wedge;
  return (std::cos(along) * x + std::sin(along) * y) / std::cos(0.5 * wedge);
}

}  // namespace clarke
