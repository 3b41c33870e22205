#include "ncp/strategies/newton_matrix.hpp"

#include "framework/math/small_solve.hpp"
#include "framework/petsc_views.hpp"

namespace clarke {

void linear_momentum(const SaddlePointSystem& s, const View<Vec3>& start, const View<Vec3>& velocity,
                     const View<double>& impulse, const View<Vec3>& out) {
  const Pattern& p = s.pattern;
  const View<Vec3> g0 = start, du = velocity, R = s.right(), g = out;
  const View<double> change = impulse;
  const View<Mat3> H = s.hessian;
  const OffDiagonal& off = s.forces.off;
  parallel_for(
      "linear_momentum", s.blocks,
      KOKKOS_LAMBDA(int b) {
        Vec3 Hdu = H(b) * du(b);
        if (off.entries > 0) Hdu += off_diagonal_product(off, du, b);
        g(b) = g0(b) + Hdu - block_gather(p, R, change, b);
      },
      24);
}

void scaled_residual(const SaddlePointSystem& s, const View<double>& f) {
  const View<Vec3> fu = as_vec3(f, 0, s.blocks), g = s.momentum_residual;
  const View<double> fr = rows_of(f, s), residual = s.residual;
  const View<double> su = s.momentum_scale, sh = s.row_scale;
  parallel_for(
      "scale_momentum", s.blocks, KOKKOS_LAMBDA(int b) { fu(b) = su(b) * g(b); }, 3);
  parallel_for(
      "scale_rows", s.pattern.rows, KOKKOS_LAMBDA(int r) { fr(r) = -sh(r) * residual(r); });
}

View<Vec3> motion_of(SaddlePointSystem& s, const View<Vec3>& velocity) {
  const View<Mat3> T = s.turn;
  if (T.extent(0) == 0) return velocity;
  const View<Vec3> du = velocity, out = s.turned.resize(s.blocks);
  parallel_for(
      "motion_of", s.blocks, KOKKOS_LAMBDA(int b) { out(b) = T(b) * du(b); }, 10);
  return out;
}

/// The rows of y = (Newton's matrix) x.
void row_product_of(const SaddlePointSystem& s, const View<double>& x, const View<Vec3>& motion,
                    const View<double>& y) {
  const Pattern& p = s.pattern;
  const View<double> xl = rows_of(x, s), yl = rows_of(y, s);
  const View<Vec3> J = s.jacobian, xu = motion;
  const View<double> sh = s.row_scale, a = s.a, b = s.b, A = s.A, B = s.B, slip_frame = s.slip_frame;
  const bool symmetric = s.traits.symmetric, dense_compliance = s.traits.dense_compliance;
  parallel_for(
      "jacobian_rows", p.items,
      KOKKOS_LAMBDA(int i) {
        const int row = p.item_row(i), m = p.item_row(i + 1) - row, q = p.item_square(i);
        const double c = slip_frame(2 * i), n = slip_frame(2 * i + 1);
        const bool turned = n != 0 || c != 1;
        double Jx[kMaxItemRows], l[kMaxItemRows], f[kMaxItemRows];  // in the turned frame
        for (int r = 0; r < m; ++r) {
          Jx[r] = row_product(p, J, xu, i, r);
          l[r] = xl(row + r);
        }
        if (turned) {
          const double j1 = Jx[1], j2 = Jx[2], l1 = l[1], l2 = l[2];
          Jx[1] = c * j1 + n * j2, Jx[2] = c * j2 - n * j1;
          l[1] = c * l1 + n * l2, l[2] = c * l2 - n * l1;
        }
        for (int r = 0; r < m; ++r) {
          f[r] = symmetric ? a(row + r) * Jx[r] + b(row + r) * l[r] : 0;
          if (dense_compliance)
            for (int e = 0; e < m; ++e) f[r] += e == r ? 0 : B(q + r * m + e) * l[e];
          if (!symmetric)
            for (int e = 0; e < m; ++e) f[r] += A(q + r * m + e) * Jx[e] + B(q + r * m + e) * l[e];
        }
        if (turned) {
          const double d = f[1], t = f[2];
          f[1] = c * d - n * t, f[2] = n * d + c * t;
        }
        for (int r = 0; r < m; ++r) yl(row + r) = -sh(row + r) * f[r];
      },
      60);
}

void newton_matrix_product(SaddlePointSystem& s, const View<double>& x, const View<double>& y) {
  const Pattern& p = s.pattern;
  const View<Vec3> xu = motion_of(s, as_vec3(x, 0, s.blocks)), yu = as_vec3(y, 0, s.blocks), R = s.right();
  const View<double> xl = rows_of(x, s), su = s.momentum_scale;
  const View<Mat3> H = s.hessian;
  const OffDiagonal& off = s.forces.off;
  parallel_for(
      "jacobian_momentum", p.blocks,
      KOKKOS_LAMBDA(int k) {
        yu(k) = su(k) * (H(k) * xu(k) + off_diagonal_product(off, xu, k) - block_gather(p, R, xl, k));
      },
      24);
  row_product_of(s, x, xu, y);
}

void dual_number_product(StepProblem& problem, const View<double>& x, const View<double>& y) {
  SaddlePointSystem& s = problem.system();
  if (!s.sparse_hessian()) return newton_matrix_product(s, x, y);
  const Pattern& p = s.pattern;
  const View<Vec3> du = as_vec3(x, 0, s.blocks), xu = motion_of(s, du), yu = as_vec3(y, 0, s.blocks), R = s.right(),
                   along = problem.force_along(du, xu);
  const View<double> xl = rows_of(x, s), su = s.momentum_scale;
  const View<Mat3> H = s.hessian, with_tangents = s.forces.diagonal, M = s.mass;
  parallel_for(
      "dual_number_momentum", p.blocks,
      KOKKOS_LAMBDA(int k) {
        Vec3 sum = (H(k) - with_tangents(k) + M(k)) * xu(k);  // M and what has no T
        for (int e = p.gather(k); e < p.gather(k + 1); ++e)
          sum += along(p.item_slot(p.gather_item(e)) + p.gather_slot(e));
        yu(k) = su(k) * (sum - block_gather(p, R, xl, k));
      },
      40);
  row_product_of(s, x, xu, y);
}

}  // namespace clarke
