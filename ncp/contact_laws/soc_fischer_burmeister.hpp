#pragma once
// Second-order-cone Fischer-Burmeister with De Saxcé's change of variable: one law for the whole contact
// [De Saxcé Feng 1998; Fukushima Luo Tseng 2002; docs/theory.md, eq. S1].
//
//   Λ ∈ K_μ,  K_μ = {|Λ_f| ≤ μ Λ_n},   y = (ĉ + μ |v_t|, v_t) ∈ K_μ*,   Λ·y = 0
//   scaled to the self-dual cone:  x = r (Λ_n, Λ_f/μ),  z = (y_n, μ v_t)      both in m/s
//   F = x + z − (x² + z²)^(1/2)      Jordan product (s, v)∘(t, w) = (st + v·w, s w + t v)
//   A = (1 − L_w⁻¹ L_z) ∂z/∂(ĉ, v_t),   B = r (1 − L_w⁻¹ L_x) diag(1, 1/μ, 1/μ)
//   w = (x² + z²)^(1/2),   L the arrow matrix
//
// Dense and unsymmetric. Safeguard: in A and B the spectral values of x² + z² are held above -soc_smoothing · r [J ·
// 1/kg], counted.
// |v_t| has the subgradient 0 at v_t = 0. A frictionless contact (μ = 0) is the scalar Fischer-Burmeister row with Λ_f
// = 0.

#include "ncp/contact_laws/whole_contact.hpp"

namespace clarke {

/// Arrow matrix of (s, v) times a vector: (s t + v·w, s w + t v).
KOKKOS_INLINE_FUNCTION Vec3 jordan_product(const Vec3& x, const Vec3& y) {
  return {dot(x, y), x.x * y.y + y.x * x.y, x.x * y.z + y.x * x.z};
}

/// λ₁λ₂ = det(x² + z²) = det(x)² + det(z)² + 2 ((x₀² + |x̄|²)(z₀² + |z̄|²) − 4 x₀z₀ x̄·z̄), det(x) = x₀² − |x̄|², as a
/// sum of terms ≥ 0: in slip λ₁ is 4 min(x₀², z₀²), which the difference of two numbers of size x₀² + z₀² would not
/// resolve.
KOKKOS_INLINE_FUNCTION double squares_determinant(const Vec3& x, const Vec3& z) {
  const double a = hypotenuse(x.y, x.z), b = hypotenuse(z.y, z.z);
  const double dx = (x.x - a) * (x.x + a), dz = (z.x - b) * (z.x + b);
  const double sign = x.x * z.x < 0 ? -1 : 1;
  const double p = x.x * z.x - sign * a * b, q = x.x * b - sign * z.x * a;
  const double rest = a * b - sign * (x.y * z.y + x.z * z.z);  // ≥ 0 but for rounding
  return dx * dx + dz * dz + 2 * (p * p + q * q) + 8 * std::fabs(x.x * z.x) * (rest > 0 ? rest : 0);
}

/// L_w⁻¹ y for w inside the cone (L_w is symmetric positive definite), det the product of w's spectral values.
KOKKOS_INLINE_FUNCTION Vec3 arrow_solve(const Vec3& w, double det, const Vec3& y) {
  const double wy = w.y * y.y + w.z * y.z;
  const double t = (w.x * y.x - wy) / det;
  return {t, (y.y - t * w.y) / w.x, (y.z - t * w.z) / w.x};
}

struct SocFischerBurmeister {
  static constexpr const char* kName = "soc_fischer_burmeister";
  static constexpr bool kSections = false;
  struct Parameters {
    double smoothing = 1e-18;  // [J] least spectral value of x² + z², over r
    void describe(OptionVisitor& v) {
      v.real("soc_smoothing", smoothing,
             {"J", "soc_fischer_burmeister: least spectral value of x² + z², over r", 0.0, 1.0});
    }
  };
  Parameters parameters{};

  KOKKOS_INLINE_FUNCTION ContactBlock operator()(const ContactArguments& s) const;
};

KOKKOS_INLINE_FUNCTION ContactBlock SocFischerBurmeister::operator()(const ContactArguments& s) const {
  ContactBlock out{};
  const double floor = parameters.smoothing * s.r;
  if (s.mu <= 0) {
    const double a = s.gap_velocity, b = s.r * s.ln, n = hypotenuse(a, b);
    const bool corner = n * n <= floor;
    out.f[0] = a + b > 0 ? 2 * a * b / (a + b + n) : a + b - n;
    out.A[0] = corner ? 1 : 1 - a / n;
    out.B[0] = corner ? 0 : s.r * (1 - b / n);
    friction_off(out, s, s.r);
    return out;
  }
  const double speed = hypotenuse(s.v1, s.v2);
  const Vec3 z{s.gap_velocity + s.mu * speed, s.mu * s.v1, s.mu * s.v2};
  const Vec3 x{s.r * s.ln, s.r * s.l1 / s.mu, s.r * s.l2 / s.mu};
  const Vec3 q = jordan_product(x, x) + jordan_product(z, z);
  const double qt = hypotenuse(q.y, q.z);
  double high = q.x + qt, low = high > 0 ? squares_determinant(x, z) / high : 0;
  const Vec3 direction = qt > 0 ? Vec3{0, q.y / qt, q.z / qt} : Vec3{};
  const auto root = [&direction](double l, double h) {  // of the spectral values √λ₁, √λ₂
    Vec3 w = 0.5 * (h - l) * direction;
    w.x = 0.5 * (l + h);
    return w;
  };
  const Vec3 f = x + z - root(std::sqrt(low), std::sqrt(high));
  if (low < floor) {
    low = floor;
    out.safeguard = 1;
  }
  if (high < floor) high = floor;
  const double root_low = std::sqrt(low), root_high = std::sqrt(high), det = root_low * root_high;
  const Vec3 w = root(root_low, root_high);
  // Columns of 1 − L_w⁻¹ L_z and 1 − L_w⁻¹ L_x.
  for (int k = 0; k < 3; ++k) {
    out.f[k] = f[k];
    Vec3 e{};
    e[k] = 1;
    const Vec3 dz = e - arrow_solve(w, det, jordan_product(z, e));
    const Vec3 dx = e - arrow_solve(w, det, jordan_product(x, e));
    for (int i = 0; i < 3; ++i) {
      out.A[3 * i + k] = dz[i];
      out.B[3 * i + k] = s.r * dx[i] / (k == 0 ? 1 : s.mu);
    }
  }
  // Chain rule: ∂z/∂ĉ = e_n, ∂z/∂v_k = μ (v_k/|v|) e_n + μ e_k.
  const double d1 = speed > 0 ? s.v1 / speed : 0, d2 = speed > 0 ? s.v2 / speed : 0;
  for (int i = 0; i < 3; ++i) {
    const double an = out.A[3 * i];
    out.A[3 * i + 1] = s.mu * (d1 * an + out.A[3 * i + 1]);
    out.A[3 * i + 2] = s.mu * (d2 * an + out.A[3 * i + 2]);
  }
  return out;
}

}  // namespace clarke
