#include "ncp/strategies/natural_merit.hpp"

#include "framework/math/small_solve.hpp"

namespace clarke {

double NaturalMerit::value(StepProblem& problem, const View<double>& impulse) {
  const SaddlePointSystem& s = problem.system();
  const StepRows rows = rows_.gather(problem);
  const View<Vec3> g = s.momentum_residual;
  const View<double> su = s.momentum_scale, sh = s.row_scale, W = s.delassus_diagonal, x = impulse;
  double sums[2][1];
  deterministic_sum<1>(
      "merit_momentum", s.blocks,
      KOKKOS_LAMBDA(int b) { return Kokkos::Array<double, 1>{su(b) * su(b) * norm2(g(b))}; }, momentum_, sums[0]);
  deterministic_sum<1>(
      "merit_rows", s.pattern.items,
      KOKKOS_LAMBDA(int i) {
        const AdmissibleSet set = admissible_set(rows, i);
        const int row = rows.pattern.item_row(i);
        double w[kMaxItemRows] = {}, f[kMaxItemRows] = {}, sum = 0;
        metric_of(rows, W, set, i, w);
        natural_map(set, rows.velocity.data() + row, x.data() + row, w, f);
        for (int r = 0; r < set.rows; ++r) sum += sh(row + r) * sh(row + r) * f[r] * f[r];
        return Kokkos::Array<double, 1>{sum};
      },
      constraint_, sums[1]);
  return 0.5 * (sums[0][0] + sums[1][0]);
}

}  // namespace clarke
