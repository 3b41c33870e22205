#pragma once
// The relaxed law of one item: what its impulses are where every row gives way, as functions of the velocity alone, and
// the potential they come from [docs/theory.md, eq. A2; Macklin Erleben Müller Chentanez Jeschke Kim 2020, sections 4
// and 5].
//
//   the rows' law      −(v + γ Λ) − s n ∈ N_K(Λ)          v without compliance [m/s], γ > 0 [1/kg]
//   solved for Λ       Λ = p(v) = −∂Ψ/∂v,   Ψ(v) = max over Λ ∈ K of −v·Λ − ½ γ |Λ|²                [N s], [J]
//     box              p_r = mid(l, −v_r/γ_r, u_r)
//     contact          p_n = normal force of max(0, −v_n),   p_t = −w v_t with the radius F = μ p_n (sections: the
//                      projection of −v_t/γ on F C): Ψ of friction is a potential at fixed F only
//   potentials of a contact, k = 1/γ [kg]
//     normal, exponent p ≥ 2, x = max(0, −v_n):   U = k x^p/p,   U' = k x^(p−1),   U'' = (p − 1) k x^(p−2)
//     friction, s = |v_t|, ε = F/k:
//       huber          s < ε: U = k s²/2, w = k, U'' = k          s ≥ ε: U = F s − F ε/2, w = F/s, U'' = 0
//       pseudo_huber   r = √(s² + ε²): U = F (r − ε), w = F/r, U'' = F ε²/r³
//       quintic        e = 15/8 ε, x = s/e < 1: U = F e (15 x² − 5 x⁴ + x⁶)/16, w = F (15 − 10 x² + 3 x⁴)/(8 e),
//                      U'' = 15 F (1 − x²)²/(8 e);   x ≥ 1: U = F (s − 5 e/16), w = F/s, U'' = 0
//   All have U'(s) = w s and w ≥ U'': U is concave in s², so that the parabola with curvature w majorises it.
//   Weight of a box row: max(0, −p/v), which is 1/γ between its bounds. A row that has opened has weight 0: there no
//   parabola is claimed. Sections: w = |p_t|/|v_t|, without a proof.
//
// Sets of host and device; an item with γ = 0 in some row has no relaxed law: who calls has to refuse it. Pseudo-Huber
// and quintic take discs; a section is always Huber's.

#include "framework/sets/admissible_set.hpp"

namespace clarke {

enum class FrictionSmoothing : int { huber, pseudo_huber, quintic };

/// How contacts are relaxed.
struct RelaxedContact {
  double exponent = 2;  // p of the normal potential
  FrictionSmoothing smoothing = FrictionSmoothing::huber;
};

struct NormalPotential {
  double energy, force, curvature;  // [J, N s, kg]
};

KOKKOS_INLINE_FUNCTION NormalPotential normal_potential(double v, double k, double exponent) {
  const double x = v < 0 ? -v : 0;
  if (v != v) return {v, v, v};
  if (x == 0) return {0, 0, 0};
  const double slope = exponent == 2 ? 1 : std::pow(x, exponent - 2);  // x^(p−2)
  return {k * slope * x * x / exponent, k * slope * x, (exponent - 1) * k * slope};
}

struct FrictionPotential {
  double energy, weight, curvature;  // [J, kg, kg]
  double weight_slope;               // ∂w/∂F [s/m]
};

/// `s` = |v_t|, `k` = 1/γ, `radius` = F.
KOKKOS_INLINE_FUNCTION FrictionPotential friction_potential(FrictionSmoothing smoothing, double s, double k,
                                                            double radius) {
  if (!(radius > 0)) return {0, 0, 0, 0};
  const double eps = radius / k;
  if (smoothing == FrictionSmoothing::pseudo_huber) {
    const double r = std::hypot(s, eps);
    return {radius * s * s / (r + eps), radius / r, radius * eps * eps / (r * r * r), s * s / (r * r * r)};
  }
  if (smoothing == FrictionSmoothing::quintic) {
    const double e = 1.875 * eps, x = s / e, y = x * x;
    if (x >= 1) return {radius * (s - 0.3125 * e), radius / s, 0, 1 / s};
    // F/e does not depend on F, so w changes by x alone: ∂w/∂F = −(x/F) ∂w/∂x
    return {radius * e * y * (15 - 5 * y + y * y) / 16, radius * (15 - 10 * y + 3 * y * y) / (8 * e),
            1.875 * radius * (1 - y) * (1 - y) / e, y * (20 - 12 * y) / (8 * e)};
  }
  if (s < eps) return {0.5 * k * s * s, k, k, 0};
  return {radius * (s - 0.5 * eps), radius / s, 0, 1 / s};
}

/// Ψ of an item's friction at a radius.
KOKKOS_INLINE_FUNCTION double friction_energy(const AdmissibleSet& set, const RelaxedContact& law, const double* v,
                                              const double* gamma, double radius) {
  if (set.kind != SetKind::cone) return 0;
  if (!set.section) return friction_potential(law.smoothing, std::hypot(v[1], v[2]), 1 / gamma[1], radius).energy;
  const SectionPoint at = project_on_section(*set.section, -v[1] / gamma[1], -v[2] / gamma[1], radius);
  return -v[1] * at.x - v[2] * at.y - 0.5 * gamma[1] * (at.x * at.x + at.y * at.y);
}

/// p and weights of all rows of an item; returns Ψ, of friction at the radius of this p. `gamma` > 0.
KOKKOS_INLINE_FUNCTION double relaxed_law(const AdmissibleSet& set, const RelaxedContact& law, const double* v,
                                          const double* gamma, double* impulse, double* weight) {
  double energy = 0;
  if (set.kind == SetKind::cone) {
    const NormalPotential normal = normal_potential(v[0], 1 / gamma[0], law.exponent);
    const double radius = set.friction * normal.force, k = 1 / gamma[1], s = std::hypot(v[1], v[2]);
    impulse[0] = normal.force;
    weight[0] = normal.curvature;
    if (set.section) {
      const SectionPoint at = project_on_section(*set.section, -k * v[1], -k * v[2], radius);
      impulse[1] = at.x, impulse[2] = at.y;
      weight[1] = weight[2] = at.inside || !(s > 0) ? k : std::hypot(at.x, at.y) / s;
      return normal.energy - v[1] * at.x - v[2] * at.y - 0.5 * gamma[1] * (at.x * at.x + at.y * at.y);
    }
    const FrictionPotential friction = friction_potential(law.smoothing, s, k, radius);
    weight[1] = weight[2] = friction.weight;
    for (int r = 1; r < 3; ++r) impulse[r] = -friction.weight * v[r];
    return normal.energy + friction.energy;
  }
  for (int r = 0; r < set.rows; ++r) impulse[r] = -v[r] / gamma[r];
  project(set, impulse);
  for (int r = 0; r < set.rows; ++r) {
    const double secant = v[r] != 0 ? -impulse[r] / v[r] : 1 / gamma[r];
    weight[r] = secant > 0 ? secant : 0;
    energy -= impulse[r] * (v[r] + 0.5 * gamma[r] * impulse[r]);
  }
  return energy;
}

/// T = −∂p/∂v of an item, rows × rows, row-major, where it has been found to have this p and these weights. Of a
/// contact it is unsymmetric: p_t follows the radius, which follows v_n. Sections: w for the tangential block, and no
/// coupling.
KOKKOS_INLINE_FUNCTION void relaxed_tangent(const AdmissibleSet& set, const RelaxedContact& law, const double* v,
                                            const double* gamma, const double* impulse, const double* weight,
                                            double* T) {
  const int m = set.rows;
  for (int e = 0; e < m * m; ++e) T[e] = 0;
  for (int r = 0; r < m; ++r) T[(m + 1) * r] = weight[r];
  if (set.kind != SetKind::cone) {
    for (int r = 0; set.lower && r < m; ++r)
      if (!(impulse[r] > set.lower[r] && impulse[r] < set.upper[r])) T[(m + 1) * r] = 0;
    return;
  }
  const double s = std::hypot(v[1], v[2]);
  if (set.section || !(s > 0)) return;
  const FrictionPotential friction = friction_potential(law.smoothing, s, 1 / gamma[1], set.friction * impulse[0]);
  const double bend = (friction.curvature - friction.weight) / (s * s);
  for (int i = 1; i < 3; ++i) {
    for (int j = 1; j < 3; ++j) T[3 * i + j] += bend * v[i] * v[j];
    T[3 * i] = -friction.weight_slope * set.friction * weight[0] * v[i];
  }
}

}  // namespace clarke
