// Proximal steps around impulses that are nearly 0, with the pieces of rows held (framework/sets/piece.hpp): what the
// path of solutions as compliance falls is made of (compliance_path.hpp).

#include "framework/petsc_views.hpp"
#include "ncp/strategies/newton_matrix.hpp"
#include "ncp/strategies/proximal_items.hpp"
#include "ncp/strategies/step_vectors.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

namespace clarke {

namespace {

/// z = r − v/c at u⁰ of an item; of a near-rigid normal row its impulse. c and e = ε w, a number per row.
KOKKOS_INLINE_FUNCTION void item_argument(const StepRows& rows, const AdmissibleSet& set, int item,
                                          const View<double>& r0, const View<double>& centre, double give,
                                          const double* e, double* c, double* z) {
  const int row = rows.pattern.item_row(item);
  item_scale(rows, set, item, e, c);
  for (int k = 0; k < set.rows; ++k) {
    const double r = centre(row + k);
    double v = rows.velocity(row + k);
    if (k == 0 && near_rigid_compliance(rows, item) > 0)
      v = soften(rows, item, r, v, give, c[0]);
    else
      v += rows.compliance(row + k) * (r - r0(row + k));
    z[k] = c[k] > 0 ? r - v / c[k] : r;
  }
}

/// A number in [−1, 1] that looks random [Vigna 2015, splitmix64].
KOKKOS_INLINE_FUNCTION double scattered(std::uint64_t i) {
  std::uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return 2 * (static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53) - 1;
}

/// The value of one element for the host.
double value_of(const View<double>& view, int i) {
  double value = 0;
  Kokkos::deep_copy(value, Kokkos::subview(view, i));
  return value;
}

/// The row with the least f ≥ 0, and that; −1 where all are infinite.
template <class F>
ProximalRows::Change least_of(const char* name, int n, const F& f) {
  const double inverse = largest_of(
      name, n, KOKKOS_LAMBDA(int i) { return 1 / (f(i) + std::numeric_limits<double>::min()); });
  if (!(inverse > 0)) return {};
  const double place = largest_of(
      name, n, KOKKOS_LAMBDA(int i) {
        return 1 / (f(i) + std::numeric_limits<double>::min()) == inverse ? static_cast<double>(n - i) : 0;
      });
  return {n - static_cast<int>(place), 1 / inverse};
}

}  // namespace

bool ProximalRows::has_pieces() const {
  const StepRows& rows = rows_.rows();
  return largest_of(
             "pieces_sets", rows.pattern.items, KOKKOS_LAMBDA(int i) {
               const AdmissibleSet set = admissible_set(rows, i);
               return set.rows > 0 && (rows.dense(i) || !clarke::has_pieces(set)) ? 1.0 : 0.0;
             }) == 0;
}

void ProximalRows::scatter(const SaddlePointSystem& s, double velocity) {
  const View<double> centre = centre_.resize(s.pattern.rows), w = path_weight_.resize(s.pattern.rows);
  Kokkos::deep_copy(w, s.delassus_diagonal.view());
  fill(most_epsilon_.resize(s.pattern.items), std::numeric_limits<double>::infinity());
  fill(balance_.resize(s.blocks), Vec3{});
  parallel_for(
      "pieces_scatter", s.pattern.rows,
      KOKKOS_LAMBDA(int r) { centre(r) = w(r) > 0 ? velocity * scattered(r) / w(r) : 0; }, 10);
}

void ProximalRows::balance(const SaddlePointSystem& s) {
  Kokkos::deep_copy(balance_.resize(s.blocks), momentum_.view());
}

ProximalRows::NaturalMap ProximalRows::project_in_pieces(const SaddlePointSystem& s, double epsilon, bool held) {
  const StepRows rows = rows_along_motion();
  const Pattern& pattern = s.pattern;
  const View<double> c = scale_.resize(pattern.rows), p = impulse_.resize(pattern.rows),
                     change = change_.resize(pattern.rows), D = derivative_.resize(pattern.squares),
                     z = argument_.resize(pattern.rows), rate = rate_.resize(pattern.rows),
                     margin = margin_.resize(pattern.rows), w = path_weight_, W = s.delassus_diagonal, r0 = r0_,
                     give = give_, centre = centre_, most_epsilon = most_epsilon_;
  const View<Piece> piece = piece_.resize(pattern.rows);
  const bool near_rigid = rows.near_rigid.extent(0) > 0;
  parallel_for(
      "pieces_project", pattern.items,
      KOKKOS_LAMBDA(int i) {
        const AdmissibleSet set = admissible_set(rows, i);
        const int row = pattern.item_row(i), m = set.rows, q = pattern.item_square(i);
        if (m == 0) return;  // a force
        double e[kMaxItemRows] = {};
        const double share = 1 / (1 + epsilon / most_epsilon(i));  // of a change of ln ε, too
        item_weights(rows, w, W, {share * epsilon, 0}, set, i, e);
        item_argument(rows, set, i, r0, centre, near_rigid ? give(i) : 0, e, c.data() + row, z.data() + row);
        if (!held) pieces_at(set, z.data() + row, piece.data() + row);
        project_in_piece(set, piece.data() + row, z.data() + row, p.data() + row, D.data() + q);
        piece_margins(set, piece.data() + row, z.data() + row, margin.data() + row);
        for (int k = 0; k < m; ++k) {
          change(row + k) = p(row + k) - r0(row + k);
          rate(row + k) = c(row + k) > 0 ? share * (centre(row + k) - z(row + k)) * e[k] / c(row + k) : 0;  // ∂z/∂ln ε
        }
      },
      100);
  const View<Vec3> g = momentum_.resize(s.blocks), still = du_.resize(s.blocks);
  fill(still, Vec3{});
  const View<Vec3> g0 = g0_, balance = balance_;
  const double balanced = epsilon / (1 + epsilon);
  balance_rate_ = balanced / (1 + epsilon);
  parallel_for(
      "pieces_balance", s.blocks, KOKKOS_LAMBDA(int b) { g(b) = g0(b) - balanced * balance(b); }, 3);
  const double momentum = largest_velocity(s, g);
  linear_momentum(s, g, still, change, g);
  const double off = largest_of(
      "pieces_off", pattern.rows, KOKKOS_LAMBDA(int r) { return std::fabs(c(r) * change(r)); });
  return {momentum, off};
}

void ProximalRows::right_hand_side_of_rate(const SaddlePointSystem& s, const View<double>& f) {
  const View<double> change = change_, su = s.momentum_scale, fr = rows_of(f, s);
  const View<Vec3> out = rate_momentum_.resize(s.blocks), fu = as_vec3(f, 0, s.blocks);
  fill(out, Vec3{});
  change_of_impulses(s, out, 1, change);  // du_ is that of a step that does not move
  const View<Vec3> balance = balance_;
  const double rate = balance_rate_;
  parallel_for(
      "pieces_balance_rate", s.blocks, KOKKOS_LAMBDA(int b) { out(b) = -rate * balance(b); }, 3);
  linear_momentum(s, out, du_, change, out);
  parallel_for(
      "pieces_rate_right_hand_side", s.blocks, KOKKOS_LAMBDA(int b) { fu(b) = su(b) * out(b); }, 3);
  fill(fr, 0.0);
}

double ProximalRows::momentum_size(const SaddlePointSystem& s) const {
  const Pattern& p = s.pattern;
  const View<Vec3> R = s.right();
  const View<Mat3> inverse = s.mass_inverse;
  const View<double> impulse = r0_;
  return largest_of(
      "pieces_momentum_size", s.blocks, KOKKOS_LAMBDA(int b) {
        double sum = 0;
        for (int e = p.gather(b); e < p.gather(b + 1); ++e) {
          const int item = p.gather_item(e), row = p.item_row(item), m = p.item_row(item + 1) - row,
                    slots = p.item_slot(item + 1) - p.item_slot(item), v0 = p.item_value(item) + p.gather_slot(e);
          for (int r = 0; r < m; ++r)
            if (impulse(row + r) != 0) sum += norm(inverse(b) * R(v0 + r * slots)) * std::fabs(impulse(row + r));
        }
        return sum;
      });
}

void ProximalRows::change_of_impulses(const SaddlePointSystem& s, const View<Vec3>& step, double growth,
                                      const View<double>& change) {
  const StepRows rows = rows_along_motion();
  const Pattern& pattern = s.pattern;
  const View<Vec3> du = du_.resize(s.blocks);
  along_motion(step, turn_, du);
  const View<double> out = change, D = derivative_, c = scale_, rate = rate_;
  parallel_for(
      "pieces_change", pattern.items,
      KOKKOS_LAMBDA(int i) {
        const int row = pattern.item_row(i), m = pattern.item_row(i + 1) - row, q = pattern.item_square(i);
        double dz[kMaxItemRows] = {};
        for (int k = 0; k < m; ++k)
          if (c(row + k) > 0)
            dz[k] = growth * rate(row + k) - row_product(pattern, rows.jacobian, du, i, k) / c(row + k);
        for (int k = 0; k < m; ++k) {
          double sum = 0;
          for (int e = 0; e < m; ++e) sum += D(q + k * m + e) * dz[e];
          out(row + k) = sum;
        }
      },
      60);
}

void ProximalRows::subtract_off(const View<double>& impulse, const View<double>& change) const {
  const View<double> out = change, at = impulse, p = impulse_;
  parallel_for(
      "pieces_off_impulses", static_cast<int>(out.extent(0)), KOKKOS_LAMBDA(int r) { out(r) -= p(r) - at(r); });
}

void ProximalRows::know_margin_slopes(const SaddlePointSystem& s, const View<Vec3>& y, double growth) {
  const StepRows rows = rows_along_motion();
  const Pattern& pattern = s.pattern;
  const View<Vec3> du = du_.resize(s.blocks);
  along_motion(y, turn_, du);
  const View<double> slope = margin_slope_.resize(pattern.rows), z = argument_, c = scale_, rate = rate_;
  const View<Piece> piece = piece_;
  parallel_for(
      "pieces_slopes", pattern.items,
      KOKKOS_LAMBDA(int i) {
        const AdmissibleSet set = admissible_set(rows, i);
        const int row = pattern.item_row(i);
        double dz[kMaxItemRows] = {};
        for (int k = 0; k < set.rows; ++k)
          if (c(row + k) > 0)
            dz[k] = growth * rate(row + k) - row_product(pattern, rows.jacobian, du, i, k) / c(row + k);
        piece_margin_slopes(set, piece.data() + row, z.data() + row, dz, slope.data() + row);
      },
      60);
}

void ProximalRows::keep_margins() {
  Kokkos::deep_copy(kept_margin_.resize(static_cast<int>(margin_.view().extent(0))), margin_.view());
}

double ProximalRows::margin(int row) const { return value_of(margin_, row); }
double ProximalRows::margin_slope(int row) const { return value_of(margin_slope_, row); }

double ProximalRows::margin_tolerance(int at, double velocity, double share) const {
  const Pattern& pattern = rows_.rows().pattern;
  const View<double> z = argument_, c = scale_;
  return largest_of(
      "pieces_tolerance", pattern.items, KOKKOS_LAMBDA(int i) {
        const int row = pattern.item_row(i), end = pattern.item_row(i + 1);
        if (at < row || at >= end) return 0.0;
        double size = 0;
        for (int r = row; r < end; ++r) size = larger(size, std::fabs(z(r)));
        return larger(velocity / c(at), share * size);
      });
}

ProximalRows::Change ProximalRows::nearest_margin(int except) const {
  const View<double> margin = margin_, slope = margin_slope_;
  return least_of(
      "pieces_nearest", static_cast<int>(margin.extent(0)), KOKKOS_LAMBDA(int r) {
        if (r == except || !(slope(r) < 0) || !(margin(r) < kNoMargin)) return std::numeric_limits<double>::infinity();
        return larger(margin(r), 0) / -slope(r);
      });
}

ProximalRows::Change ProximalRows::first_crossed(double velocity, int except) const {
  const View<double> now = margin_, before = kept_margin_, c = scale_;
  return least_of(
      "pieces_crossed", static_cast<int>(now.extent(0)), KOKKOS_LAMBDA(int r) {
        if (r == except || !(now(r) * c(r) < -velocity)) return std::numeric_limits<double>::infinity();
        const double from = larger(before(r), 0);
        return from / (from - now(r));
      });
}

void ProximalRows::cross(const SaddlePointSystem& s, int at) {
  const StepRows& rows = rows_.rows();
  const Pattern& pattern = s.pattern;
  const View<double> z = argument_;
  const View<Piece> piece = piece_;
  parallel_for(
      "pieces_cross", pattern.items, KOKKOS_LAMBDA(int i) {
        const int row = pattern.item_row(i);
        if (at < row || at >= pattern.item_row(i + 1)) return;
        cross_margin(admissible_set(rows, i), z.data() + row, at - row, piece.data() + row);
      });
}

}  // namespace clarke
