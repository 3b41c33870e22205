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
//   sections: Huber as the projection, so the envelope of F σ_C; the others are U(σ), σ = σ_C(−v_t), of sections with a
//   smooth boundary: p_t = U'(σ) a, a the point of C with a·(−v_t) = σ, and the stiffness k is that along a unit axis
//   All have U'(s) = w s and w ≥ U'': U is concave in s², so that the parabola with curvature w majorises it.
//   Weight of a box row: max(0, −p/v), which is 1/γ between its bounds. A row that has opened has weight 0: there no
//   parabola is claimed. Sections: Huber's w = |p_t|/|v_t| without a proof, the others' w(σ) times the square of the
//   longest semi-axis, since σ² is at most that curved.
//
// Sets of host and device; an item with γ = 0 in some row has no relaxed law, and polygons have no smoothing: who calls
// has to refuse them.

#include "framework/sets/admissible_set.hpp"
#include "framework/sets/relaxed_contact.hpp"

namespace clarke {

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

/// The longest semi-axis of quarters.
KOKKOS_INLINE_FUNCTION double longest_axis(const FrictionSection& c) {
  return std::fmax(std::fmax(c.a_plus, c.a_minus), std::fmax(c.b_plus, c.b_minus));
}

/// Friction at a radius: Ψ, p_t and its weight.
struct RelaxedFriction {
  double energy, p1, p2, weight;  // [J, N s, N s, kg]
};

KOKKOS_INLINE_FUNCTION RelaxedFriction relaxed_friction(const FrictionSection* section, FrictionSmoothing smoothing,
                                                        double v1, double v2, double k, double radius) {
  const double s = std::hypot(v1, v2);
  if (!section) {
    const FrictionPotential at = friction_potential(smoothing, s, k, radius);
    return {at.energy, -at.weight * v1, -at.weight * v2, at.weight};
  }
  if (smoothing == FrictionSmoothing::huber) {
    const SectionPoint at = project_on_section(*section, -k * v1, -k * v2, radius);
    const double energy = -v1 * at.x - v2 * at.y - 0.5 * (at.x * at.x + at.y * at.y) / k;
    return {energy, at.x, at.y, at.inside || !(s > 0) ? k : std::hypot(at.x, at.y) / s};
  }
  double a = 0, b = 0;
  section_maximiser(*section, -v1, -v2, a, b);
  const double support = section_support(*section, -v1, -v2);
  const FrictionPotential at = friction_potential(smoothing, support, k, radius);
  const double axis = longest_axis(*section);
  return {at.energy, at.weight * support * a, at.weight * support * b, at.weight * axis * axis};
}

/// Ψ of an item's friction at a radius.
KOKKOS_INLINE_FUNCTION double friction_energy(const AdmissibleSet& set, const RelaxedContact& law, const double* v,
                                              const double* gamma, double radius) {
  if (set.kind != SetKind::cone) return 0;
  return relaxed_friction(set.section, law.smoothing, v[1], v[2], 1 / gamma[1], radius).energy;
}

/// v of a contact's rows, without compliance, plus what Λ makes of them: γ Λ, or where they are not linear the velocity
/// at which the potential has that Λ_n, and (Λ_t − p_t)/w instead of v_t. Rows with γ = 0 stay as they are.
KOKKOS_INLINE_FUNCTION void add_compliance(const RelaxedContact& law, const FrictionSection* section, double friction,
                                           const double* gamma, const double* impulse, double* v) {
  const double normal = gamma[0] * impulse[0];
  v[0] += law.exponent == 2 || !(normal > 0) ? normal : std::pow(normal, 1.0 / (law.exponent - 1));
  const double radius = friction * impulse[0];
  if (law.smoothing == FrictionSmoothing::huber || !(gamma[1] > 0) || !(radius > 0)) {
    for (int r = 1; r < 3; ++r) v[r] += gamma[r] * impulse[r];
    return;
  }
  const RelaxedFriction at = relaxed_friction(section, law.smoothing, v[1], v[2], 1 / gamma[1], radius);
  v[1] = (impulse[1] - at.p1) / at.weight;
  v[2] = (impulse[2] - at.p2) / at.weight;
}

/// p and weights of all rows of an item; returns Ψ, of friction at the radius of this p. `gamma` > 0.
KOKKOS_INLINE_FUNCTION double relaxed_law(const AdmissibleSet& set, const RelaxedContact& law, const double* v,
                                          const double* gamma, double* impulse, double* weight) {
  double energy = 0;
  if (set.kind == SetKind::cone) {
    const NormalPotential normal = normal_potential(v[0], 1 / gamma[0], law.exponent);
    const RelaxedFriction friction =
        relaxed_friction(set.section, law.smoothing, v[1], v[2], 1 / gamma[1], set.friction * normal.force);
    impulse[0] = normal.force, impulse[1] = friction.p1, impulse[2] = friction.p2;
    weight[0] = normal.curvature, weight[1] = weight[2] = friction.weight;
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

/// Weights of a contact, 1/γ to begin with, that its curvatures do not exceed while the potentials together are at most
/// `level` [J]: with p > 2 no number is enough for all depths.
KOKKOS_INLINE_FUNCTION void majorising_weights(const AdmissibleSet& set, const RelaxedContact& law, double level,
                                               double* weight) {
  const double p = law.exponent, k = weight[0];
  if (law.exponent > 2) weight[0] = (p - 1) * k * std::pow(p * level / k, (p - 2) / p);
  if (!set.section || law.smoothing == FrictionSmoothing::huber) return;
  const double axis = longest_axis(*set.section);
  weight[1] *= axis * axis, weight[2] *= axis * axis;
}

/// Tangential rows of T over a section; `slope` is −∂F/∂v_n.
KOKKOS_INLINE_FUNCTION void section_tangent(const AdmissibleSet& set, const RelaxedContact& law, const double* v,
                                            double k, double radius, double slope, double* T) {
  const FrictionSection& c = *set.section;
  double growth[2], D[2][2];  // ∂p_t/∂F, −∂p_t/∂v_t
  if (law.smoothing == FrictionSmoothing::huber) {
    const SectionPoint at = project_on_section(c, -k * v[1], -k * v[2], radius);
    const double tangent[2] = {-at.ny, at.nx};
    section_growth(c, at, -k * v[1], -k * v[2], radius, growth[0], growth[1]);
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) D[i][j] = at.inside ? (i == j ? k : 0) : k * at.e * tangent[i] * tangent[j];
  } else {
    const double s = section_support(c, -v[1], -v[2]);
    const FrictionPotential at = friction_potential(law.smoothing, s, k, radius);
    double a[2];
    section_maximiser(c, -v[1], -v[2], a[0], a[1]);
    const double axis[2] = {v[1] > 0 ? c.a_minus : c.a_plus, v[2] > 0 ? c.b_minus : c.b_plus};
    for (int i = 0; i < 2; ++i) {
      growth[i] = at.weight_slope * s * a[i];
      for (int j = 0; j < 2; ++j)  // U'' a aᵀ + w (diag(axis²) − a aᵀ)
        D[i][j] = (at.curvature - at.weight) * a[i] * a[j] + (i == j ? at.weight * axis[i] * axis[i] : 0);
    }
  }
  for (int i = 0; i < 2; ++i) {
    T[3 * (i + 1)] = slope * growth[i];
    for (int j = 0; j < 2; ++j) T[3 * (i + 1) + j + 1] = D[i][j];
  }
}

/// T = −∂p/∂v of an item, rows × rows, row-major, where it has been found to have this p and these weights. Of a
/// contact it is unsymmetric: p_t follows the radius, which follows v_n.
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
  if (!(s > 0)) return;
  if (set.section) {
    section_tangent(set, law, v, 1 / gamma[1], set.friction * impulse[0], set.friction * weight[0], T);
    return;
  }
  const FrictionPotential friction = friction_potential(law.smoothing, s, 1 / gamma[1], set.friction * impulse[0]);
  const double bend = (friction.curvature - friction.weight) / (s * s);
  for (int i = 1; i < 3; ++i) {
    for (int j = 1; j < 3; ++j) T[3 * i + j] += bend * v[i] * v[j];
    T[3 * i] = -friction.weight_slope * set.friction * weight[0] * v[i];
  }
}

}  // namespace clarke
