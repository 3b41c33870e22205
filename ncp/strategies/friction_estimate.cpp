#include "ncp/strategies/friction_estimate.hpp"

#include "framework/math/small_solve.hpp"
#include "framework/sets/resolvent.hpp"

namespace clarke {

void FrictionEstimate::begin(const View<double>& centre) {
  const int rows = static_cast<int>(centre.extent(0));
  Kokkos::deep_copy(now_.resize(rows), centre);
  Kokkos::deep_copy(predicted_.resize(rows), centre);
}

void FrictionEstimate::predict(const StepRows& all, const View<Vec3>& y, const View<double>& c, const View<double>& p,
                               const View<double>& D) {
  const StepRows& rows = all;
  const Pattern& pattern = rows.pattern;
  const View<Vec3> dy = y;
  const View<double> scale = c, impulse = p, derivative = D, to = predicted_;
  parallel_for(
      "friction_predict", pattern.items,
      KOKKOS_LAMBDA(int i) {
        const int row = pattern.item_row(i), m = pattern.item_row(i + 1) - row, q = pattern.item_square(i);
        const bool contact = has_resolvent(admissible_set(rows, i));
        for (int k = 0; k < m; ++k) to(row + k) = impulse(row + k);
        if (rows.dense(i) || (contact && derivative(q) == 0)) return;  // open: nothing of it changes
        double dz[kMaxItemRows] = {};
        for (int k = 0; k < m; ++k)
          if (scale(row + k) > 0) dz[k] = row_product(pattern, rows.jacobian, dy, i, k) / scale(row + k);
        for (int k = 0; k < m; ++k)
          for (int e = 0; e < m; ++e) to(row + k) += derivative(q + m * k + e) * dz[e];
      },
      40);
}

void FrictionEstimate::take(double length) {
  const View<double> now = now_, to = predicted_;
  parallel_for(
      "friction_take", static_cast<int>(now.extent(0)),
      KOKKOS_LAMBDA(int r) { now(r) += length * (to(r) - now(r)); }, 3);
}

}  // namespace clarke
