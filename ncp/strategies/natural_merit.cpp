#include "ncp/strategies/natural_merit.hpp"

#include "ncp/contact_laws/natural_map.hpp"

namespace clarke {

double NaturalMerit::value(StepProblem& problem, const View<double>& impulse) {
  const SaddlePointSystem& s = problem.system();
  const Pattern p = s.pattern;
  rows_.gather(problem);
  const View<Vec3> g = s.momentum_residual;
  const View<double> su = s.momentum_scale, sh = s.row_scale, W = s.delassus_diagonal, v = rows_.velocity,
                     gamma = rows_.compliance, lower = rows_.lower, upper = rows_.upper, mu = rows_.friction,
                     x = impulse;
  const View<int> kind = rows_.kind;
  const View<FrictionSection> section = rows_.section;
  double sums[2][1];
  deterministic_sum<1>(
      "merit_momentum", s.blocks,
      KOKKOS_LAMBDA(int b) { return Kokkos::Array<double, 1>{su(b) * su(b) * norm2(g(b))}; }, momentum_, sums[0]);
  deterministic_sum<1>(
      "merit_rows", p.items,
      KOKKOS_LAMBDA(int i) {
        const int row = p.item_row(i), end = p.item_row(i + 1);
        double sum = 0;
        if (kind(i) == kContact) {
          double mean = 0;
          for (int r = row; r < end; ++r) mean += (W(r) + gamma(r)) / 3;
          const ContactBlock f = NaturalMap{}({v(row), v(row + 1), v(row + 2), x(row), x(row + 1), x(row + 2), mu(i),
                                               mean, mean, section.extent(0) > 0 ? section.data() + i : nullptr});
          for (int r = 0; r < 3; ++r) sum += sh(row + r) * sh(row + r) * f.f[r] * f.f[r];
        } else {
          if (kind(i) == kDisc) {
            const double w = 0.5 * (W(row + 1) + W(row + 2)) + gamma(row + 1), p1 = x(row + 1) - v(row + 1) / w,
                         p2 = x(row + 2) - v(row + 2) / w, size = std::hypot(p1, p2);
            const double keep = size > upper(row + 1) ? upper(row + 1) / size : 1, f1 = w * (x(row + 1) - keep * p1),
                         f2 = w * (x(row + 2) - keep * p2);
            sum += sh(row + 1) * sh(row + 1) * f1 * f1 + sh(row + 2) * sh(row + 2) * f2 * f2;
          }
          for (int r = row; r < (kind(i) == kDisc ? row + 1 : end); ++r) {
            const double w = W(r) + gamma(r);
            double f = v(r);
            if (kind(i) != kBlock) {
              if (f > w * (x(r) - lower(r))) f = w * (x(r) - lower(r));
              if (f < w * (x(r) - upper(r))) f = w * (x(r) - upper(r));
            }
            sum += sh(r) * sh(r) * f * f;
          }
        }
        return Kokkos::Array<double, 1>{sum};
      },
      constraint_, sums[1]);
  return 0.5 * (sums[0][0] + sums[1][0]);
}

}  // namespace clarke
