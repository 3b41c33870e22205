// The potential of the primal step along a line: friction radii that stay, slopes, and the merit |R| in M⁻¹.

#include "ncp/strategies/primal_step.hpp"
#include "ncp/strategies/step_energy.hpp"

namespace clarke {

double PrimalStep::energy(const StepProblem& problem, bool frozen) {
  const View<double> each = item_energy_, radius = radius_;
  const StepRows& rows = rows_.rows();
  const View<double> p = impulse_;
  const RelaxedContact law = rows.relaxed;
  double sum[1];
  deterministic_sum<1>(
      "primal_energy", rows.pattern.items,
      KOKKOS_LAMBDA(int i) {
        double e = each(i);
        if (frozen && rows.kind(i) == SetKind::cone) {
          const int row = rows.pattern.item_row(i);
          const AdmissibleSet set = admissible_set(rows, i);
          const double *v = rows.velocity.data() + row, *gamma = rows.compliance.data() + row;
          e += friction_energy(set, law, v, gamma, radius(i)) -
               friction_energy(set, law, v, gamma, set.friction * p(row));
        }
        return Kokkos::Array<double, 1>{e};
      },
      scratch_, sum);
  return sum[0] + StepEnergy().value(problem);
}

void PrimalStep::freeze() {
  const StepRows& rows = rows_.rows();
  const View<double> p = impulse_, radius = radius_.resize(rows.pattern.items);
  parallel_for(
      "primal_freeze", rows.pattern.items, KOKKOS_LAMBDA(int i) {
        radius(i) = rows.kind(i) == SetKind::cone && rows.pattern.item_row(i + 1) > rows.pattern.item_row(i)
                        ? rows.friction(i) * p(rows.pattern.item_row(i))
                        : 0;
      });
}

double PrimalStep::merit(const SaddlePointSystem& s) {
  const View<Vec3> R = s.momentum_residual;
  const View<Mat3> inverse = s.mass_inverse;
  double sum[1];
  deterministic_sum<1>(
      "primal_merit", s.blocks,
      KOKKOS_LAMBDA(int b) { return Kokkos::Array<double, 1>{0.5 * dot(R(b), inverse(b) * R(b))}; }, scratch_, sum);
  return sum[0];
}

double PrimalStep::slope(const SaddlePointSystem& s, const View<Vec3>& along) {
  const View<Vec3> R = s.momentum_residual, J = s.jacobian, d = along;
  const StepRows& rows = rows_.rows();
  const View<double> p = impulse_, radius = radius_;
  const RelaxedContact law = rows.relaxed;
  double ahead[1], friction[1];
  deterministic_sum<1>(
      "primal_slope", s.blocks, KOKKOS_LAMBDA(int b) { return Kokkos::Array<double, 1>{dot(R(b), d(b))}; }, scratch_,
      ahead);
  // R has the friction of the present radii.
  deterministic_sum<1>(
      "primal_slope_friction", rows.pattern.items,
      KOKKOS_LAMBDA(int i) {
        const int row = rows.pattern.item_row(i);
        if (rows.kind(i) != SetKind::cone || rows.pattern.item_row(i + 1) == row) return Kokkos::Array<double, 1>{0};
        const AdmissibleSet set = admissible_set(rows, i);
        const RelaxedFriction held = relaxed_friction(set.section, law.smoothing, rows.velocity(row + 1),
                                                      rows.velocity(row + 2), 1 / rows.compliance(row + 1), radius(i));
        return Kokkos::Array<double, 1>{(p(row + 1) - held.p1) * row_product(rows.pattern, J, d, i, 1) +
                                        (p(row + 2) - held.p2) * row_product(rows.pattern, J, d, i, 2)};
      },
      scratch_, friction);
  return ahead[0] + friction[0];
}

}  // namespace clarke
