// The impulses of a Newton step that are free of the rounding which p(u) magnifies [docs/theory.md, eq. D5].

#include "framework/sets/friction_section.hpp"
#include "framework/sets/resolvent.hpp"
#include "ncp/strategies/newton_matrix.hpp"
#include "ncp/strategies/proximal_items.hpp"
#include "ncp/strategies/step_vectors.hpp"

#include <cmath>

namespace clarke {

ProximalRows::Momentum ProximalRows::refine(const SaddlePointSystem& s, const Momentum& m, double rounding) {
  const StepRows rows = rows_along_motion();
  const Pattern& pattern = s.pattern;
  const View<double> refined = refined_.resize(pattern.rows), p = impulse_, to = friction_.predicted(), c = scale_,
                     change = change_, r0 = r0_;
  parallel_for(
      "proximal_refine", pattern.items,
      KOKKOS_LAMBDA(int i) {
        const AdmissibleSet set = admissible_set(rows, i);
        const int row = pattern.item_row(i);
        double x[kMaxItemRows] = {};
        for (int k = 0; k < set.rows; ++k) x[k] = to(row + k);
        if (rows.dense(i)) {
          for (int k = 0; k < set.rows; ++k) refined(row + k) = p(row + k);
          return;
        }
        if (has_resolvent(set)) {  // with the radius of its own normal impulse, as p(u) is
          x[0] = x[0] > 0 ? x[0] : 0;
          const double radius = set.friction * x[0];
          if (set.section) {
            const SectionPoint at = project_on_section(*set.section, x[1], x[2], radius);
            x[1] = at.x, x[2] = at.y;
          } else {
            project_on_disc(x[1], x[2], radius);
          }
        } else {
          project_item(set, x);
        }
        for (int k = 0; k < set.rows; ++k) refined(row + k) = x[k];
      },
      30);
  const double off = largest_of(
      "proximal_refined_off", pattern.rows, KOKKOS_LAMBDA(int r) { return std::fabs(c(r) * (refined(r) - p(r))); });
  if (!(off <= rounding)) return m;
  parallel_for(
      "proximal_refined_change", pattern.rows, KOKKOS_LAMBDA(int r) { change(r) = refined(r) - r0(r); });
  const View<Vec3> g = refined_momentum_.resize(s.blocks);
  linear_momentum(s, g0_, du_, change, g);
  const double velocity = largest_velocity(s, g);
  if (!(velocity < m.velocity)) return m;
  const View<Mat3> inverse = s.mass_inverse;
  double energy[1];
  deterministic_sum<1>(
      "proximal_refined_energy", s.blocks,
      KOKKOS_LAMBDA(int b) { return Kokkos::Array<double, 1>{0.5 * dot(g(b), inverse(b) * g(b))}; }, sum_, energy);
  Kokkos::deep_copy(momentum_.view(), g);
  Kokkos::deep_copy(p, refined);
  return {energy[0], velocity};
}

}  // namespace clarke
