#include "ncp/joint_laws/mixed_complementarity.hpp"

#include <limits>

namespace clarke {

MixedComplementarity::MixedComplementarity() {
  read_options(options_);
  ncp_ = ncp_function_registry().create(options_.ncp_function);
}

void MixedComplementarity::evaluate(const RowSet& rows, bool linearise) {
  const RowSet& c = rows;
  const int n = c.rows;
  const View<double> a = a_.resize(n), b = b_.resize(n), value = value_.resize(n), da = da_.resize(n),
                     db = db_.resize(n), inner_da = inner_da_.resize(n), inner_db = inner_db_.resize(n);
  const NcpCorner corner = corner_of(options_);
  const double slope_min = options_.slope_min;
  constexpr double kInf = std::numeric_limits<double>::infinity();
  // Rows without the bound in question pass harmless arguments; what comes of them is not used.
  parallel_for(
      "joint_law_upper", n,
      KOKKOS_LAMBDA(int i) {
        const double r = c.out.delassus_diagonal(i) + c.compliance(i);
        a(i) = -c.velocity(i);
        b(i) = c.upper(i) < kInf ? r * (c.upper(i) - c.impulse(i)) : 1;
      },
      4);
  ncp_->evaluate(n, corner, a, b, value, inner_da, inner_db);
  parallel_for(
      "joint_law_lower", n,
      KOKKOS_LAMBDA(int i) {
        const double r = c.out.delassus_diagonal(i) + c.compliance(i);
        const bool upper = c.upper(i) < kInf;
        a(i) = upper ? -value(i) : c.velocity(i);
        if (!upper) inner_da(i) = 1, inner_db(i) = 0;
        b(i) = c.lower(i) > -kInf ? r * (c.impulse(i) - c.lower(i)) : 1;
      },
      4);
  ncp_->evaluate(n, corner, a, b, value, da, db);
  parallel_for(
      "joint_law_rows", n,
      KOKKOS_LAMBDA(int i) {
        const bool lower = c.lower(i) > -kInf;
        if (!lower && !(c.upper(i) < kInf)) return;
        const double r = c.out.delassus_diagonal(i) + c.compliance(i);
        const double outer_a = lower ? da(i) : 1, outer_b = lower ? db(i) : 0;
        c.out.residual(i) = lower ? value(i) : a(i);
        if (!linearise) return;
        const double slope = outer_a * inner_da(i);
        c.out.a(i) = slope < slope_min ? 0 : slope;
        c.out.b(i) = r * (outer_b + outer_a * inner_db(i)) + slope * c.compliance(i);
      },
      8);
  if (rows.kind == SetKind::disc) disc_rows(rows, linearise);
}

/// Rows 1 and 2 of every item together, instead of what the NCP function made of them one by one.
void MixedComplementarity::disc_rows(const RowSet& rows, bool linearise) {
  const RowSet& c = rows;
  parallel_for(
      "joint_law_discs", c.items,
      KOKKOS_LAMBDA(int k) {
        const int i = 3 * k + 1, j = i + 1;
        const double r = 0.5 * (c.out.delassus_diagonal(i) + c.out.delassus_diagonal(j)) + c.compliance(i);
        const double radius = c.upper(i), p1 = c.impulse(i) - c.velocity(i) / r, p2 = c.impulse(j) - c.velocity(j) / r;
        const double p = std::hypot(p1, p2);
        constexpr double kPointDisc = 1e-14;  // below this ratio the disc is a point to rounding
        double cosine = 1, sine = 0, a_d = 1, b_d = 0, a_t = 1, b_t = 0;
        if (radius <= kPointDisc * p || radius <= 0) {
          c.out.residual(i) = r * c.impulse(i);
          c.out.residual(j) = r * c.impulse(j);
          a_d = a_t = 0;
          b_d = b_t = r;
        } else if (p <= radius) {
          c.out.residual(i) = c.velocity(i);
          c.out.residual(j) = c.velocity(j);
        } else {
          cosine = p1 / p;
          sine = p2 / p;
          c.out.residual(i) = r * (c.impulse(i) - radius * cosine);
          c.out.residual(j) = r * (c.impulse(j) - radius * sine);
          a_t = radius / p;
          a_d = 0;
          b_d = r;
          b_t = r * (1 - a_t);
        }
        if (!linearise) return;
        c.out.slip_frame(2 * k) = cosine;
        c.out.slip_frame(2 * k + 1) = sine;
        c.out.a(i) = a_d;
        c.out.b(i) = b_d + a_d * c.compliance(i);
        c.out.a(j) = a_t;
        c.out.b(j) = b_t + a_t * c.compliance(i);
      },
      20);
}

}  // namespace clarke
