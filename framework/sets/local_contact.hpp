#pragma once
// One contact by itself, solved exactly: the local solver of Gauss-Seidel over contacts [docs/theory.md, eq. D1].
//
//   given W (3×3, symmetric positive definite) [1/kg], q [m/s], μ      find Λ [N s] with  v = q + W Λ  and
//   0 ≤ v_n ⊥ Λ_n ≥ 0,     |Λ_f| ≤ μ Λ_n,   Λ_f = −μ Λ_n v_t/|v_t| where v_t ≠ 0
//
//   open    q_n ≥ 0:                        Λ = 0
//   stick   Λ = −W⁻¹ q inside the cone:     v = 0
//   slip    v_n = 0, v_t = −s Λ_f, s > 0:   (S + s 1) Λ_f = p,  Λ_n = −(q_n + w·Λ_f)/W_nn,
//           S = W_tt − w wᵀ/W_nn,  p = w q_n/W_nn − q_t,  w = W_tn;      f(s) = |Λ_f| − μ Λ_n = 0
//
// f > 0 at s = 0 (or the contact would stick) and f → μ q_n/W_nn < 0 as s → ∞, so a bracket always exists. Newton's
// steps are made on 1/|Λ_f| − 1/(μ Λ_n) instead, which has the same root and is nearly a straight line in s [Moré
// Sorensen 1983], and are kept inside the bracket, bisection where they leave it. With strong coupling and large μ
// there may be more than one root (Painlevé); the one the bracket closes on is returned.
//
// A cone that is no disc (framework/sets/friction_section.hpp) has no such f: slip is found by projections in turn,
//   Λ_n ← max(0, −(q_n + w·Λ_f)/W_nn),   Λ_f ← π(Λ_f − v_t/r, μ Λ_n),   r = tr W_tt,
// from the last impulse until they stand still, at most kMostProjections of them: what is left is the next sweep's.

#include "framework/math/mat3.hpp"
#include "framework/sets/friction_section.hpp"

#include <cmath>

namespace clarke {

enum class LocalRegime { open, stick, slip };

struct LocalSolution {
  Vec3 impulse;
  LocalRegime regime;
  int iterations;  // evaluations of f in slip
};

/// Λ at slip parameter s, with |Λ_f| and its slope, and f with that.
struct SlipPoint {
  double l1, l2, ln, length, length_slope, f, slope;
  /// Newton's step in s on 1/|Λ_f| − 1/(μ Λ_n); not finite where there is none.
  KOKKOS_INLINE_FUNCTION double step() const {
    const double bound = length - f;  // μ Λ_n
    return f * length * bound / ((length_slope - slope) * length * length - length_slope * bound * bound);
  }
};

KOKKOS_INLINE_FUNCTION SlipPoint slip_point(const Mat3& W, const Vec3& q, double mu, double s11, double s12, double s22,
                                            double p1, double p2, double s) {
  const double a = s11 + s, d = s22 + s, det = a * d - s12 * s12;
  SlipPoint out{};
  out.l1 = (d * p1 - s12 * p2) / det;
  out.l2 = (a * p2 - s12 * p1) / det;
  out.ln = -(q.x + W(0, 1) * out.l1 + W(0, 2) * out.l2) / W(0, 0);
  out.length = std::sqrt(out.l1 * out.l1 + out.l2 * out.l2);  // hypot is a tenth of a sweep
  out.f = out.length - mu * out.ln;
  // dΛ_f/ds = −(S + s)⁻¹ Λ_f
  const double g1 = -(d * out.l1 - s12 * out.l2) / det, g2 = -(a * out.l2 - s12 * out.l1) / det;
  out.length_slope = out.length > 0 ? (out.l1 * g1 + out.l2 * g2) / out.length : 0.0;
  out.slope = out.length_slope + mu * (W(0, 1) * g1 + W(0, 2) * g2) / W(0, 0);
  return out;
}

/// Where to look for s: what `before` slides by, or |Λ_f| ≈ |p|/(σ + s) with Λ_n of no friction.
KOKKOS_INLINE_FUNCTION double slip_guess(const Mat3& W, const Vec3& q, double mu, double p1, double p2, double sigma,
                                         const Vec3& before) {
  const double length = std::sqrt(before.y * before.y + before.z * before.z);
  if (length > 0) {
    const double v1 = q.y + W(1, 0) * before.x + W(1, 1) * before.y + W(1, 2) * before.z,
                 v2 = q.z + W(2, 0) * before.x + W(2, 1) * before.y + W(2, 2) * before.z;
    const double s = std::sqrt(v1 * v1 + v2 * v2) / length;
    if (s > 0) return s;
  }
  const double s = std::sqrt(p1 * p1 + p2 * p2) * W(0, 0) / (-mu * q.x) - sigma;
  return s > 0 ? s : 0.5 * (W(1, 1) + W(2, 2));
}

/// `before`: an impulse from which slip is looked for, for one near the solution saves steps.
KOKKOS_INLINE_FUNCTION LocalSolution solve_local_contact(const Mat3& W, const Vec3& q, double mu,
                                                         const Vec3& before = {}) {
  if (q.x >= 0) return {{}, LocalRegime::open, 0};
  if (mu <= 0) return {{-q.x / W(0, 0), 0, 0}, LocalRegime::slip, 0};
  const double w1 = W(0, 1), w2 = W(0, 2), wn = W(0, 0);
  const double s11 = W(1, 1) - w1 * w1 / wn, s12 = W(1, 2) - w1 * w2 / wn, s22 = W(2, 2) - w2 * w2 / wn;
  const double p1 = w1 * q.x / wn - q.y, p2 = w2 * q.x / wn - q.z;
  const double scale = W(1, 1) + W(2, 2);
  constexpr double kSingular = 1e-14;  // below this S has no inverse to rounding: no mobility along some tangent
  const bool mobile = s11 * s22 - s12 * s12 > kSingular * scale * scale;
  SlipPoint at{};
  if (mobile) {
    at = slip_point(W, q, mu, s11, s12, s22, p1, p2, 0);
    if (at.f <= 0) return {{at.ln, at.l1, at.l2}, LocalRegime::stick, 0};
  }
  double low = 0, high = 0;  // no upper end yet
  double s = slip_guess(W, q, mu, p1, p2, 0.5 * (s11 + s22), before);
  constexpr double kRounding = 4e-16, kQuadratic = 1e-8;
  constexpr int kMost = 200;  // steps and bisections that double precision can need
  int n = 1;
  for (bool last = false;; ++n) {
    at = slip_point(W, q, mu, s11, s12, s22, p1, p2, s);
    if (last || n == kMost || std::fabs(at.f) <= kRounding * at.length) break;
    (at.f > 0 ? low : high) = s;
    if (high > 0 && high - low <= kRounding * high) break;
    const double step = at.step(), newton = s + step;
    const bool inside = at.ln > 0 && newton > low && (newton < high || !(high > 0));
    last = std::fabs(step) <= kQuadratic * s;  // the next point is the root to rounding
    if (last && !inside) break;
    s = inside ? newton : high > 0 ? 0.5 * (low + high) : 4 * s;
  }
  // On the cone exactly, in the direction found.
  const double length = std::hypot(at.l1, at.l2), onto = length > 0 ? mu * at.ln / length : 0;
  return {{at.ln, onto * at.l1, onto * at.l2}, LocalRegime::slip, n};
}

KOKKOS_INLINE_FUNCTION LocalSolution solve_local_section(const Mat3& W, const Vec3& q, double mu,
                                                         const FrictionSection& section, const Vec3& start) {
  if (q.x >= 0) return {{}, LocalRegime::open, 0};
  const double wn = W(0, 0), w1 = W(0, 1), w2 = W(0, 2), r = W(1, 1) + W(2, 2);
  if (mu <= 0 || !(r > 0)) return {{-q.x / wn, 0, 0}, LocalRegime::slip, 0};
  constexpr int kMostProjections = 200;
  constexpr double kStill = 1e-15;  // of the impulse
  Vec3 l = start;
  LocalRegime regime = LocalRegime::slip;
  for (int n = 1; n <= kMostProjections; ++n) {
    const double normal = -(q.x + w1 * l.y + w2 * l.z) / wn, ln = normal > 0 ? normal : 0;
    const double v1 = q.y + w1 * ln + W(1, 1) * l.y + W(1, 2) * l.z, v2 = q.z + w2 * ln + W(2, 1) * l.y + W(2, 2) * l.z;
    const SectionPoint at = project_on_section(section, l.y - v1 / r, l.z - v2 / r, mu * ln);
    const double change = std::hypot(at.x - l.y, at.y - l.z) + std::fabs(ln - l.x);
    l = {ln, at.x, at.y};
    regime = at.inside ? LocalRegime::stick : LocalRegime::slip;
    if (!(change > kStill * (ln + std::hypot(at.x, at.y)))) return {l, regime, n};
  }
  return {l, regime, kMostProjections};
}

}  // namespace clarke
