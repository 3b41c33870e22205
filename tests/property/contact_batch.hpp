#pragma once
// Test support: a batch of contacts with given arguments, as the contact contributor would hand it to a law, and what
// the law makes of it. Everything a law has to fill is NaN beforehand.

#include "framework/row_law.hpp"
#include "tests/property/taylor.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <vector>

namespace clarke::test {

inline constexpr double kPoison = std::numeric_limits<double>::quiet_NaN();

/// Arguments of a law at one contact.
struct ContactSample {
  double gap = 0, v1 = 0, v2 = 0;  // ĉ, v_t [m/s]
  double ln = 0, l1 = 0, l2 = 0;   // Λ [N s]
  double mu = 0.5;
  double r_n = 1, r_f = 1;           // [1/kg]
  std::array<double, 3> w{1, 1, 1};  // W_rr [1/kg]

  double speed() const { return std::hypot(v1, v2); }
  double friction() const { return std::hypot(l1, l2); }
  double radius() const { return mu * std::fmax(ln, 0.0); }
  /// This sample moved by e d, d in the order (ĉ, v1, v2, Λn, Λ1, Λ2).
  ContactSample moved(double e, const std::array<double, 6>& d) const {
    ContactSample s = *this;
    s.gap += e * d[0], s.v1 += e * d[1], s.v2 += e * d[2];
    s.ln += e * d[3], s.l1 += e * d[4], s.l2 += e * d[5];
    return s;
  }
};

/// What a law fills, A and B turned back to (n, t1, t2).
struct ContactResult {
  std::array<double, 3> f{};
  std::array<double, 9> A{}, B{};
  std::array<double, 3> a{}, b{};  // diagonal in the turned frame
  double cosine = 1, sine = 0;
  int safeguard = 0;

  /// A (dĉ, dv) + B dΛ of d as in ContactSample::moved.
  std::array<double, 3> product(const std::array<double, 6>& d) const {
    std::array<double, 3> y{};
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) y[i] += A[3 * i + k] * d[k] + B[3 * i + k] * d[3 + k];
    return y;
  }
};

/// Tᵀ M T with T = diag(1, rotation by (c, s)).
inline std::array<double, 9> turned_back(const std::array<double, 9>& m, double c, double s) {
  const double T[3][3] = {{1, 0, 0}, {0, c, s}, {0, -s, c}};
  std::array<double, 9> out{};
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      for (int p = 0; p < 3; ++p)
        for (int q = 0; q < 3; ++q) out[3 * i + k] += T[p][i] * m[3 * p + q] * T[q][k];
  return out;
}

class ContactBatch {
 public:
  ContactBatch(const std::vector<ContactSample>& samples, bool symmetric) {
    const int n = static_cast<int>(samples.size());
    PatternBuilder builder;
    // Each contact moves a block of its own, of unit mass, by rows √W_rr e_r: J M⁻¹ Jᵀ is diagonal and has the given
    // W_rr.
    for (int i = 0; i < n; ++i) builder.add_item(3, std::vector<int>{i});
    system_.resize(storage_.build(builder, n), n, {.symmetric = symmetric});
    fill(system_.mass_inverse.view(), Mat3::identity());
    for (auto* values : {&system_.residual, &system_.a, &system_.b, &system_.A, &system_.B, &system_.slip_frame})
      Kokkos::deep_copy(values->view(), kPoison);
    std::vector<double> velocity, impulse, mu, r_n, r_f, w;
    for (const ContactSample& s : samples) {
      velocity.insert(velocity.end(), {s.gap, s.v1, s.v2});
      impulse.insert(impulse.end(), {s.ln, s.l1, s.l2});
      mu.push_back(s.mu);
      r_n.push_back(s.r_n);
      r_f.push_back(s.r_f);
      w.insert(w.end(), s.w.begin(), s.w.end());
    }
    Kokkos::deep_copy(system_.delassus_diagonal.view(), to_device("w", w));
    std::vector<Vec3> J(3 * n);
    for (int k = 0; k < 3 * n; ++k) J[k][k % 3] = std::sqrt(w[k]);
    Kokkos::deep_copy(system_.jacobian.view(), to_device("J", J));
    rows.kind = SetKind::cone;
    rows.items = n;
    rows.rows = 3 * n;
    rows.velocity = to_device("velocity", velocity);
    rows.impulse = to_device("impulse", impulse);
    rows.compliance = to_device("compliance", std::vector<double>(3 * n, 0.0));
    rows.friction = to_device("mu", mu);
    rows.r_normal = to_device("r_n", r_n);
    rows.r_friction = to_device("r_f", r_f);
    rows.out = slice_of(system_, 0, n, 0, 3 * n);
  }

  std::vector<ContactResult> results() const {
    const bool symmetric = system_.traits.symmetric;
    std::vector<double> f, a, b, A, B, slip_frame;
    std::vector<int> bits;
    to_host(system_.residual.view(), f);
    to_host(system_.a.view(), a);
    to_host(system_.b.view(), b);
    to_host(system_.A.view(), A);
    to_host(system_.B.view(), B);
    to_host(system_.slip_frame.view(), slip_frame);
    to_host(system_.safeguard.view(), bits);
    std::vector<ContactResult> out(rows.items);
    for (int i = 0; i < rows.items; ++i) {
      ContactResult& r = out[i];
      r.cosine = slip_frame[2 * i];
      r.sine = slip_frame[2 * i + 1];
      r.safeguard = bits[i];
      for (int k = 0; k < 3; ++k) {
        r.f[k] = f[3 * i + k];
        r.a[k] = a[3 * i + k];
        r.b[k] = b[3 * i + k];
        if (symmetric) r.A[4 * k] = r.a[k], r.B[4 * k] = r.b[k];
      }
      if (!symmetric)
        for (int e = 0; e < 9; ++e) r.A[e] = A[9 * i + e], r.B[e] = B[9 * i + e];
      r.A = turned_back(r.A, r.cosine, r.sine);
      r.B = turned_back(r.B, r.cosine, r.sine);
    }
    return out;
  }

  RowSet rows;

 private:
  PatternStorage storage_;
  SaddlePointSystem system_;
};

/// Results of evaluate(const RowSet&) on the samples.
template <class Evaluate>
std::vector<ContactResult> evaluate_contacts(const std::vector<ContactSample>& samples, bool symmetric,
                                             const Evaluate& evaluate) {
  const ContactBatch batch(samples, symmetric);
  evaluate(batch.rows);
  fence();
  return batch.results();
}

inline double length(const std::array<double, 3>& v) { return std::hypot(v[0], v[1], v[2]); }

/// Taylor slope of the residual at x along d (order of ContactSample::moved) against the A and B found there.
template <class Evaluate>
double contact_taylor_slope(const ContactSample& x, const std::array<double, 6>& d, bool symmetric, double first,
                            const Evaluate& evaluate) {
  const ContactResult at = evaluate_contacts({x}, symmetric, evaluate).front();
  const std::array<double, 3> slope = at.product(d);
  double scale = std::fmax(length(at.f), first * length(slope));
  const double friction = std::fmax(x.r_n, x.r_f) * x.friction() * (x.mu > 0 ? std::fmax(1, 1 / x.mu) : 1);
  for (double value : {std::fabs(x.gap), x.speed(), x.r_n * std::fabs(x.ln), friction}) scale = std::fmax(scale, value);
  return taylor_slope(
      scale,
      [&](double e) {
        const ContactResult there = evaluate_contacts({x.moved(e, d)}, symmetric, evaluate).front();
        return length({there.f[0] - at.f[0] - e * slope[0], there.f[1] - at.f[1] - e * slope[1],
                       there.f[2] - at.f[2] - e * slope[2]});
      },
      first);
}

}  // namespace clarke::test
