#include "ncp/strategies/gauss_seidel_sweeps.hpp"

#include "framework/math/small_solve.hpp"
#include "ncp/strategies/local_contact.hpp"

namespace clarke {

namespace {

/// What one sweep works on.
struct SweepData {
  Pattern p;
  View<Vec3> J, R, du;
  View<Mat3> inverse;
  View<double> velocity, compliance, lower, upper, friction, block, start, impulse;
  View<int> kind;
  View<FrictionSection> section;  // empty: all discs
};

/// v of row r of an item at the present (u, Λ).
KOKKOS_INLINE_FUNCTION double present_velocity(const SweepData& d, int item, int r) {
  const int row = d.p.item_row(item) + r;
  return d.velocity(row) + row_product(d.p, d.J, d.du, item, r) + d.compliance(row) * (d.impulse(row) - d.start(row));
}

/// Λ_row += change, and u with it.
KOKKOS_INLINE_FUNCTION void add_impulse(const SweepData& d, int item, int r, double change) {
  const int s0 = d.p.item_slot(item), k = d.p.item_slot(item + 1) - s0;
  const int v0 = d.p.item_value(item) + r * k;
  d.impulse(d.p.item_row(item) + r) += change;
  for (int j = 0; j < k; ++j) {
    const int b = d.p.slot_block(s0 + j);
    d.du(b) += change * (d.inverse(b) * d.R(v0 + j));
  }
}

/// Solves one item; returns the largest W_rr |ΔΛ_r|.
KOKKOS_INLINE_FUNCTION double sweep_item(const SweepData& d, int item, double relaxation) {
  const int row = d.p.item_row(item), m = d.p.item_row(item + 1) - row, q0 = d.p.item_square(item);
  double largest = 0;
  if (d.kind(item) == kContact) {
    const Mat3 W{{d.block(q0), d.block(q0 + 1), d.block(q0 + 2)},
                 {d.block(q0 + 3), d.block(q0 + 4), d.block(q0 + 5)},
                 {d.block(q0 + 6), d.block(q0 + 7), d.block(q0 + 8)}};
    const Vec3 old{d.impulse(row), d.impulse(row + 1), d.impulse(row + 2)};
    const Vec3 v{present_velocity(d, item, 0), present_velocity(d, item, 1), present_velocity(d, item, 2)};
    const double mu = d.friction(item);
    const FrictionSection* section = d.section.extent(0) > 0 ? d.section.data() + item : nullptr;
    Vec3 now = section ? solve_local_section(W, v - W * old, mu, *section, old).impulse
                       : solve_local_contact(W, v - W * old, mu).impulse;
    if (relaxation != 1) {
      now = old + relaxation * (now - old);
      if (now.x < 0) now = Vec3{};  // over-relaxation may leave the cone
      const double t = std::hypot(now.y, now.z), radius = mu * now.x;
      if (section) {
        const SectionPoint at = project_on_section(*section, now.y, now.z, radius);
        now.y = at.x, now.z = at.y;
      } else if (t > radius) {
        now.y *= radius / t, now.z *= radius / t;
      }
    }
    for (int r = 0; r < 3; ++r) {
      add_impulse(d, item, r, now[r] - old[r]);
      largest = std::fmax(largest, std::fabs(W(r, r) * (now[r] - old[r])));
    }
    return largest;
  }
  if (d.kind(item) == kBlock) {
    double v[kMaxItemRows];
    for (int r = 0; r < m; ++r) v[r] = present_velocity(d, item, r);
    for (int r = 0; r < m; ++r) {
      double change = 0;
      for (int e = 0; e < m; ++e) change -= d.block(q0 + r * m + e) * v[e];
      add_impulse(d, item, r, relaxation * change);
      largest = std::fmax(largest, std::fabs(v[r]));
    }
    return largest;
  }
  const bool disc = d.kind(item) == kDisc;
  for (int r = 0; r < (disc ? 1 : m); ++r) {
    const double w = d.block(q0 + r * m + r), old = d.impulse(row + r);
    if (!(w > 0)) continue;
    double now = old - relaxation * present_velocity(d, item, r) / w;
    if (now < d.lower(row + r)) now = d.lower(row + r);
    if (now > d.upper(row + r)) now = d.upper(row + r);
    add_impulse(d, item, r, now - old);
    largest = std::fmax(largest, std::fabs(w * (now - old)));
  }
  if (!disc) return largest;
  // One projection of rows 1 and 2 together: with tr W_tt it never overshoots.
  const double w = d.block(q0 + 4) + d.block(q0 + 8), radius = d.upper(row + 1);
  if (!(w > 0)) return largest;
  const double old[2] = {d.impulse(row + 1), d.impulse(row + 2)};
  const double p1 = old[0] - relaxation * present_velocity(d, item, 1) / w,
               p2 = old[1] - relaxation * present_velocity(d, item, 2) / w;
  const double size = std::hypot(p1, p2), keep = size > radius ? radius / size : 1;
  for (int k = 0; k < 2; ++k) {
    const double change = keep * (k == 0 ? p1 : p2) - old[k];
    add_impulse(d, item, 1 + k, change);
    largest = std::fmax(largest, std::fabs(w * change));
  }
  return largest;
}

}  // namespace

/// H⁻¹, W_ii + γ_i of every item, inverted where an item is solved as a block.
void GaussSeidelSweeps::prepare_blocks(const SaddlePointSystem& s) {
  const Pattern p = s.pattern;
  const View<Vec3> J = s.jacobian, R = s.right();
  const bool given = s.separate_transpose;
  const View<Mat3> H = s.hessian, inverse = inverse_.resize(s.blocks);
  const View<double> block = block_.resize(p.squares), compliance = rows_.compliance;
  const View<int> kind = rows_.kind;
  parallel_for(
      "sweep_hessian_inverse", s.blocks, KOKKOS_LAMBDA(int b) { inverse(b) = clarke::inverse(H(b)); }, 30);
  parallel_for(
      "sweep_blocks", p.items,
      KOKKOS_LAMBDA(int i) {
        const int row = p.item_row(i), m = p.item_row(i + 1) - row, q = p.item_square(i);
        const int s0 = p.item_slot(i), k = p.item_slot(i + 1) - s0, v0 = p.item_value(i);
        double w[kMaxItemRows * kMaxItemRows];
        for (int r = 0; r < m; ++r)
          for (int e = 0; e < m; ++e) {
            double sum = r == e ? compliance(row + r) : 0.0;
            for (int j = 0; j < k; ++j)
              sum += dot(J(v0 + r * k + j), inverse(p.slot_block(s0 + j)) * R(v0 + e * k + j));
            block(q + r * m + e) = w[r * m + e] = sum;
          }
        // The local solver wants a symmetric block; that of a given W may be slightly unsymmetric. Where the sweeps
        // stand still the block takes no part (q = v − W_ii Λ), so this changes the way there, not the end.
        if (given && kind(i) == kContact)
          for (int r = 1; r < m; ++r)
            for (int e = 0; e < r; ++e)
              block(q + r * m + e) = block(q + e * m + r) = 0.5 * (w[r * m + e] + w[e * m + r]);
        if (kind(i) != kBlock) return;
        // Dependent rows of one joint: one after another instead.
        if (!invert_small(w, m)) {
          kind(i) = kRowByRow;
          return;
        }
        for (int e = 0; e < m * m; ++e) block(q + e) = w[e];
      },
      300);
}

void GaussSeidelSweeps::sweep(const SaddlePointSystem& s, const View<double>& impulse, double relaxation,
                              bool backwards) {
  const SweepData d{s.pattern,      s.jacobian,       s.right(),   du_,         inverse_,
                    rows_.velocity, rows_.compliance, rows_.lower, rows_.upper, rows_.friction,
                    block_,         start_,           impulse,     rows_.kind,  rows_.section};
  const View<double> largest = largest_.resize(1);
  const int items = s.pattern.items;
  parallel_for(
      "nsgs_sweep", 1, KOKKOS_LAMBDA(int) {
        double change = 0;
        for (int i = 0; i < items; ++i) {
          const double c = sweep_item(d, backwards ? items - 1 - i : i, relaxation);
          if (!(c <= change)) change = c;
        }
        largest(0) = change;
      });
}

int GaussSeidelSweeps::run(StepProblem& problem, const View<Vec3>& u, const View<double>& impulse, int sweeps,
                           const NsgsOptions& options) {
  SaddlePointSystem& s = problem.system();
  change_ = 0;
  rows_.gather(problem);
  prepare_blocks(s);
  const View<Vec3> du = du_.resize(s.blocks), g = s.momentum_residual, velocity = u;
  const View<Mat3> inverse = inverse_;
  const View<double> x = impulse, start = start_.resize(s.pattern.rows);
  parallel_for(
      "sweep_momentum", s.blocks, KOKKOS_LAMBDA(int b) { du(b) = -(inverse(b) * g(b)); }, 16);
  parallel_for(
      "sweep_start", s.pattern.rows, KOKKOS_LAMBDA(int r) { start(r) = x(r); });
  int made = 0;
  while (made < sweeps && s.pattern.items > 0) {
    sweep(s, impulse, options.relaxation, options.symmetric && made % 2 == 1);
    ++made;
    double change;
    if constexpr (kDeviceIsHost) {
      change = largest_.view()(0);
    } else {
      change = host_copy(largest_.view())(0);
    }
    change_ = change;
    if (!(change > options.tolerance)) break;
  }
  parallel_for(
      "sweep_velocity", s.blocks, KOKKOS_LAMBDA(int b) { velocity(b) += du(b); }, 3);
  return made;
}

}  // namespace clarke
