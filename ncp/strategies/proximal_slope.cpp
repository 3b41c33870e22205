// The slope of the potential of a proximal step, of which envelope() is the rows' part [docs/theory.md, eq. D5b], and
// of that of a linearisation [eq. D5].

#include "ncp/strategies/newton_matrix.hpp"
#include "ncp/strategies/proximal_rows.hpp"
#include "ncp/strategies/step_vectors.hpp"

namespace clarke {

double ProximalRows::slope(const StepProblem& problem, const View<double>& y) {
  const SaddlePointSystem& s = problem.system();
  const View<Vec3> g = momentum_, step = as_vec3(y, 0, s.blocks), u = problem.point().u, u_tilde = s.u_tilde,
                   motion = du_.resize(s.blocks);
  const View<Mat3> M = s.mass;
  along_motion(step, turn_, motion);
  double inertia[1], turning[1] = {0};
  deterministic_sum<1>(
      "proximal_slope", s.blocks,
      KOKKOS_LAMBDA(int b) {
        const Vec3 m = M(b) * (u(b) - u_tilde(b));
        return Kokkos::Array<double, 1>{dot(m, step(b)) + dot(g(b) - m, motion(b))};
      },
      sum_, inertia);
  if (s.motion_jacobian.view().extent(0) == 0) return inertia[0];
  // Rows that are velocities change otherwise along the motion than impulses act.
  const Pattern& pattern = s.pattern;
  const View<Vec3> acts = jacobian_, changes = along_motion_;
  const View<double> p = impulse_;
  deterministic_sum<1>(
      "proximal_turning_slope", pattern.items,
      KOKKOS_LAMBDA(int i) {
        double sum = 0;
        for (int row = pattern.item_row(i), k = 0; row + k < pattern.item_row(i + 1); ++k)
          sum += p(row + k) * (row_product(pattern, acts, motion, i, k) - row_product(pattern, changes, motion, i, k));
        return Kokkos::Array<double, 1>{sum};
      },
      sum_, turning);
  return inertia[0] + turning[0];
}

double ProximalRows::linear_slope(const SaddlePointSystem& s, const View<double>& y) {
  const View<Vec3> g = momentum_, motion = du_.resize(s.blocks);
  along_motion(as_vec3(y, 0, s.blocks), turn_, motion);
  double sum[1];
  deterministic_sum<1>(
      "proximal_linear_slope", s.blocks,
      KOKKOS_LAMBDA(int b) { return Kokkos::Array<double, 1>{dot(g(b), motion(b))}; }, sum_, sum);
  return sum[0];
}

}  // namespace clarke
