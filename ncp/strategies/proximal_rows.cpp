#include "ncp/strategies/proximal_rows.hpp"

#include "framework/math/small_solve.hpp"
#include "framework/petsc_views.hpp"
#include "framework/sets/coulomb_cone.hpp"
#include "framework/sets/friction_section.hpp"
#include "framework/sets/resolvent.hpp"
#include "ncp/strategies/newton_matrix.hpp"
#include "ncp/strategies/proximal_items.hpp"
#include "ncp/strategies/step_vectors.hpp"

#include <cmath>

namespace clarke {

namespace {

/// D = ∂Π_K(p), of a frictionless contact that of a half-line.
KOKKOS_INLINE_FUNCTION void derivative_item(const AdmissibleSet& set, const double* p, double* D) {
  if (set.kind == SetKind::cone && !(set.friction > 0)) {
    for (int e = 0; e < 9; ++e) D[e] = 0;
    D[0] = p[0] > 0 ? 1 : 0;
    return;
  }
  projection_derivative(set, p, D);
}

/// E⁻¹ x of an item with a dense E; x where E is singular.
KOKKOS_INLINE_FUNCTION void divide_by_compliance(const StepRows& rows, int item, int m, const double* x, double* out) {
  double inverse[kMaxItemRows * kMaxItemRows];
  for (int r = 0; r < m; ++r)
    for (int e = 0; e < m; ++e) inverse[r * m + e] = compliance_entry(rows, item, r, e);
  const bool regular = invert_small(inverse, m);
  for (int r = 0; r < m; ++r) {
    out[r] = regular ? 0 : x[r];
    for (int e = 0; regular && e < m; ++e) out[r] += inverse[r * m + e] * x[e];
  }
}

void copy(Buffer<Mat3>& to, const View<Mat3>& from) {
  Kokkos::deep_copy(to.resize(static_cast<int>(from.extent(0))), from);
}

}  // namespace

void ProximalRows::move(StepProblem& problem, const View<Vec3>& u, const View<double>& r) {
  const SaddlePointSystem& s = problem.system();
  (void)rows_.gather(problem);
  Kokkos::deep_copy(u0_.resize(s.blocks), u);
  Kokkos::deep_copy(r0_.resize(s.pattern.rows), r);
  Kokkos::deep_copy(g0_.resize(s.blocks), s.momentum_residual.view());
  know_give();
}

/// For every projection would take its logarithm again.
void ProximalRows::know_give() {
  const StepRows rows = rows_.rows();
  if (rows.near_rigid.extent(0) == 0) return;
  const View<double> give = give_.resize(rows.pattern.items), r0 = r0_;
  parallel_for(
      "proximal_give", rows.pattern.items,
      KOKKOS_LAMBDA(int i) {
        const double a = near_rigid_compliance(rows, i);
        give(i) = a > 0 ? near_rigid_give(a, rows.near_rigid_fold, r0(rows.pattern.item_row(i))).velocity : 0;
      },
      10);
}

void ProximalRows::linearise(StepProblem& problem, const View<Vec3>& u, const View<double>& r) {
  move(problem, u, r);
  const SaddlePointSystem& s = problem.system();
  copy(hessian_, s.hessian);
  copy(off_, s.forces.off.value);
  copy(turn_, s.turn);
  Kokkos::deep_copy(jacobian_.resize(static_cast<int>(s.jacobian.view().extent(0))), s.jacobian.view());
  Kokkos::deep_copy(along_motion_.resize(static_cast<int>(s.left().extent(0))), s.left());
  if (s.traits.separate_transpose)
    Kokkos::deep_copy(transpose_.resize(static_cast<int>(s.transpose.view().extent(0))), s.transpose.view());
}

void ProximalRows::weigh(const SaddlePointSystem& s) {
  const View<double> w = weight_.resize(s.pattern.rows);
  if (!s.has_forces()) {
    Kokkos::deep_copy(w, s.delassus_diagonal.view());
    return;
  }
  const View<Mat3> held = held_.resize(s.blocks), M = s.mass, H = s.plain_hessian(), inverse = s.mass_inverse;
  parallel_for(
      "proximal_held", s.blocks,
      KOKKOS_LAMBDA(int b) {
        const double mass = trace(M(b)), stiff = trace(H(b));
        held(b) = (stiff > mass ? mass / stiff : 1.0) * inverse(b);
      },
      10);
  compute_delassus_diagonal(s, held, w);
  const StepRows rows = rows_along_motion();
  const View<double> W = s.delassus_diagonal;
  parallel_for(
      "proximal_weight", s.pattern.items,
      KOKKOS_LAMBDA(int i) {
        const AdmissibleSet set = admissible_set(rows, i);
        if (set.kind != SetKind::cone || !(set.friction > 0)) return;
        const int row = rows.pattern.item_row(i);
        for (int r = row; r < row + set.rows; ++r) w(r) = W(r);
      },
      10);
}

StepRows ProximalRows::rows_along_motion() const {
  StepRows rows = rows_.rows();
  rows.jacobian = along_motion_;
  return rows;
}

void ProximalRows::restore(SaddlePointSystem& s) const {
  Kokkos::deep_copy(s.hessian.view(), hessian_.view());
  Kokkos::deep_copy(s.forces.off.value, off_.view());
  Kokkos::deep_copy(s.turn.view(), turn_.view());
  Kokkos::deep_copy(s.jacobian.view(), jacobian_.view());
  if (s.motion_jacobian.view().extent(0) > 0) Kokkos::deep_copy(s.motion_jacobian.view(), along_motion_.view());
  if (s.traits.separate_transpose) Kokkos::deep_copy(s.transpose.view(), transpose_.view());
}

void ProximalRows::shift(const SaddlePointSystem& s, const View<Vec3>& change, const View<double>& r) {
  const StepRows rows = rows_along_motion();
  const Pattern& pattern = s.pattern;
  const View<Vec3> du = du_.resize(s.blocks), u0 = u0_, g0 = g0_, by = change;
  const View<double> more = change_.resize(pattern.rows), r0 = r0_, now = r;
  along_motion(change, turn_, du);
  parallel_for(
      "proximal_shift_rows", pattern.items,
      KOKKOS_LAMBDA(int i) {
        const int row = pattern.item_row(i), m = pattern.item_row(i + 1) - row;
        double v[kMaxItemRows];
        velocities_at(rows, du, now, r0, i, v);
        for (int k = 0; k < m; ++k) {
          rows.velocity(row + k) = v[k];
          more(row + k) = now(row + k) - r0(row + k);
        }
      },
      40);
  linear_momentum(s, g0_, du, more, momentum_.resize(s.blocks));
  Kokkos::deep_copy(g0, momentum_.view());
  Kokkos::deep_copy(r0, now);
  parallel_for(
      "proximal_shift", s.blocks, KOKKOS_LAMBDA(int b) { u0(b) += by(b); }, 3);
  know_give();
}

ProximalRows::Momentum ProximalRows::project(const SaddlePointSystem& s, const View<Vec3>& change_of_u,
                                             const View<double>& r, const Weight& weight, bool envelope,
                                             double length) {
  const StepRows rows = rows_along_motion();
  const Weight by = weight;
  const Pattern& pattern = s.pattern;
  const View<Vec3> du = du_.resize(s.blocks);
  along_motion(change_of_u, turn_, du);
  const View<double> c = scale_.resize(pattern.rows), p = impulse_.resize(pattern.rows),
                     change = change_.resize(pattern.rows), D = derivative_.resize(pattern.squares),
                     velocity = velocity_.resize(pattern.rows), w = weight_, W = s.delassus_diagonal, centre = r,
                     r0 = r0_, give = give_;
  const FrictionEstimate::At friction = friction_.at(length);
  parallel_for(
      "proximal_project", pattern.items,
      KOKKOS_LAMBDA(int i) {
        const AdmissibleSet set = admissible_set(rows, i);
        const int row = pattern.item_row(i), m = set.rows, q = pattern.item_square(i);
        if (m == 0) return;  // a force
        double e[kMaxItemRows] = {};
        item_weights(rows, w, W, by, set, i, e);
        item_scale(rows, set, i, e, c.data() + row);
        double z[kMaxItemRows] = {};
        const bool gives = near_rigid_compliance(rows, i) > 0 && c(row) > 0;
        if (rows.dense(i)) {
          velocities_at(rows, du, centre, r0, i, z);
          for (int k = 0; k < m; ++k) velocity(row + k) = z[k];
          divide_by_compliance(rows, i, m, z, change.data() + row);
          for (int k = 0; k < m; ++k) {
            p(row + k) = centre(row + k) - change(row + k);
            change(row + k) = p(row + k) - r0(row + k);
          }
          return;
        }
        z[0] = gives ? soften(rows, i, centre(row), carried_velocity_at(rows, du, i, 0), give(i), c(row))
                     : velocity_at(rows, du, centre, r0, i, 0);
        velocity(row) = z[0];
        const bool resolved = has_resolvent(set) && c(row) > 0;
        if (resolved && !envelope && centre(row) - z[0] / c(row) <= 0) {  // open, and most are: slip does not matter
          for (int k = 0; k < 9; ++k) D(q + k) = 0;
          for (int k = 0; k < 3; ++k) {
            p(row + k) = 0;
            change(row + k) = -r0(row + k);
          }
          return;
        }
        for (int k = 1; k < m; ++k) velocity(row + k) = z[k] = velocity_at(rows, du, centre, r0, i, k);
        if (resolved) {
          const double estimate[2] = {friction(row + 1), friction(row + 2)};
          resolvent(set, centre.data() + row, velocity.data() + row, c.data() + row, estimate, z, D.data() + q);
        } else {
          for (int k = 0; k < m; ++k) z[k] = c(row + k) > 0 ? centre(row + k) - z[k] / c(row + k) : centre(row + k);
          derivative_item(set, z, D.data() + q);
          project_item(set, z);
        }
        for (int k = 0; k < m; ++k) {
          p(row + k) = z[k];
          change(row + k) = z[k] - r0(row + k);
        }
      },
      100);
  const View<Vec3> g = momentum_.resize(s.blocks);
  linear_momentum(s, g0_, du, change, g);
  const View<Mat3> inverse = s.mass_inverse;
  double energy[1];
  deterministic_sum<1>(
      "proximal_energy", s.blocks,
      KOKKOS_LAMBDA(int b) { return Kokkos::Array<double, 1>{0.5 * dot(g(b), inverse(b) * g(b))}; }, sum_, energy);
  return {energy[0], largest_velocity(s, g)};
}

void ProximalRows::set_matrix(SaddlePointSystem& s) const {
  const Pattern& pattern = s.pattern;
  const StepRows rows = rows_along_motion();
  const View<double> c = scale_, D = derivative_, A = s.A, B = s.B, slip_frame = s.slip_frame;
  parallel_for(
      "proximal_matrix", pattern.items,
      KOKKOS_LAMBDA(int i) {
        const AdmissibleSet set = admissible_set(rows, i);
        const int row = pattern.item_row(i), m = set.rows, q = pattern.item_square(i);
        slip_frame(2 * i) = 1;
        slip_frame(2 * i + 1) = 0;
        if (rows.dense(i)) {
          for (int r = 0; r < m; ++r)
            for (int e = 0; e < m; ++e) A(q + r * m + e) = r == e ? 1 : 0;
          return;  // B is E
        }
        for (int r = 0; r < m; ++r)
          for (int e = 0; e < m; ++e) {
            const bool fixed = !(c(row + e) > 0);
            A(q + r * m + e) = fixed ? 0 : c(row + r) * D(q + r * m + e) / c(row + e);
            B(q + r * m + e) = r != e ? 0 : fixed ? 1 : c(row + r);
          }
      },
      60);
  ++s.linearisation_stamp;
}

void ProximalRows::right_hand_side(const SaddlePointSystem& s, const View<double>& f) const {
  const View<Vec3> g = momentum_, fu = as_vec3(f, 0, s.blocks);
  const View<double> su = s.momentum_scale, fr = rows_of(f, s);
  parallel_for(
      "proximal_right_hand_side", s.blocks, KOKKOS_LAMBDA(int b) { fu(b) = su(b) * g(b); }, 3);
  fill(fr, 0.0);
}

void ProximalRows::candidate(const SaddlePointSystem& s, const View<Vec3>& du, bool completed,
                             const View<double>& x) const {
  const View<Vec3> g = momentum_, at = du, u0 = u0_, xu = as_vec3(x, 0, s.blocks);
  const View<Mat3> inverse = s.mass_inverse;
  const View<double> p = impulse_, xr = rows_of(x, s);
  parallel_for(
      "proximal_candidate_u", s.blocks,
      KOKKOS_LAMBDA(int b) { xu(b) = u0(b) + (completed ? at(b) - inverse(b) * g(b) : at(b)); }, 10);
  parallel_for(
      "proximal_candidate_p", s.pattern.rows, KOKKOS_LAMBDA(int r) { xr(r) = p(r); });
}

void ProximalRows::predict(const SaddlePointSystem& s, const View<Vec3>& y) {
  along_motion(y, turn_, du_.resize(s.blocks));
  friction_.predict(rows_along_motion(), du_, scale_, impulse_, derivative_);
}

void ProximalRows::freeze_radii(const SaddlePointSystem& s) {
  const Pattern& pattern = s.pattern;
  const StepRows rows = rows_along_motion();
  const View<double> radius = radius_.resize(pattern.items), p = impulse_;
  parallel_for(
      "proximal_radius", pattern.items,
      KOKKOS_LAMBDA(int i) {
        const AdmissibleSet set = admissible_set(rows, i);
        radius(i) = has_resolvent(set) ? set.friction * p(pattern.item_row(i)) : 0;
      },
      10);
}

double ProximalRows::envelope(const SaddlePointSystem& s, const View<double>& r) {
  const Pattern& pattern = s.pattern;
  const StepRows rows = rows_along_motion();
  const View<double> c = scale_, p = impulse_, velocity = velocity_, radius = radius_, centre = r;
  double sum[1];
  deterministic_sum<1>(
      "proximal_envelope", pattern.items,
      KOKKOS_LAMBDA(int i) {
        const AdmissibleSet set = admissible_set(rows, i);
        const int row = pattern.item_row(i), m = set.rows;
        double twice = 0;
        if (const double a = near_rigid_compliance(rows, i); a > 0 && p(row) > 0) {  // instead of D' p²
          const NearRigidGive give = near_rigid_give(a, rows.near_rigid_fold, p(row));
          twice = (2 * give.velocity - give.slope * p(row)) * p(row) -
                  2 * near_rigid_integral(a, rows.near_rigid_fold, p(row));
        }
        if (has_resolvent(set) && c(row) > 0)
          return Kokkos::Array<double, 1>{0.5 *
                                          (twice + resolvent_envelope(set, centre.data() + row, velocity.data() + row,
                                                                      c.data() + row, radius(i), p(row)))};
        double z[kMaxItemRows] = {};
        for (int k = 0; k < m; ++k)
          z[k] = c(row + k) > 0 ? centre(row + k) - velocity(row + k) / c(row + k) : centre(row + k);
        project_item(set, z);
        for (int k = 0; k < m; ++k) twice += c(row + k) * z[k] * z[k];
        return Kokkos::Array<double, 1>{0.5 * twice};
      },
      sum_, sum);
  return sum[0];
}

}  // namespace clarke
