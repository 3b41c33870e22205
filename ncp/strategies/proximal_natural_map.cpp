// How far a point of the proximal iteration is from a solution, by the verdict's measures.

#include "framework/math/small_solve.hpp"
#include "framework/petsc_views.hpp"
#include "framework/sets/coulomb_cone.hpp"
#include "framework/sets/friction_section.hpp"
#include "ncp/strategies/newton_matrix.hpp"
#include "ncp/strategies/proximal_rows.hpp"
#include "ncp/strategies/step_vectors.hpp"

#include <cmath>

namespace clarke {

namespace {

/// What the verdict measures of a cone beside its natural map, of which sliding hides up to √(1 + μ²): min(v_n, W_n
/// Λ_n) and r_f |Λ_t − Π(Λ_t − v_t/r_f)| with the disc, or the section, of radius μ Λ_n [m/s]; of scaled rows in their
/// own metric.
KOKKOS_INLINE_FUNCTION double cone_error(const AdmissibleSet& set, const double* v, const double* impulse,
                                         const double* W) {
  const double normal = std::fabs(std::fmin(v[0], W[0] * impulse[0]));
  const double weight = 0.5 * (W[1] + W[2]), radius = set.friction * std::fmax(impulse[0], 0.0);
  if (!(weight > 0)) return normal;
  double p1 = impulse[1] - v[1] / weight, p2 = impulse[2] - v[2] / weight;
  if (set.section) {
    const SectionPoint at = project_on_section(*set.section, p1, p2, radius);
    p1 = at.x;
    p2 = at.y;
  } else {
    project_on_disc(p1, p2, radius);
  }
  return std::fmax(normal, weight * hypotenuse(impulse[1] - p1, impulse[2] - p2));
}

/// Natural map of an item at (u⁰ + du, Λ) [m/s].
KOKKOS_INLINE_FUNCTION double item_natural_map(const StepRows& rows, const View<double>& W, const View<Vec3>& du,
                                               const View<double>& x, const View<double>& x0, int item) {
  const AdmissibleSet set = admissible_set(rows, item);
  const int row = rows.pattern.item_row(item);
  double w[kMaxItemRows] = {}, v[kMaxItemRows] = {}, f[kMaxItemRows] = {}, largest = 0;
  metric_of(rows, W, set, item, w);
  velocities_at(rows, du, x, x0, item, v);
  if (set.kind == SetKind::cone && set.friction > 0) largest = cone_error(set, v, x.data() + row, W.data() + row);
  natural_map(set, v, x.data() + row, w, f);
  for (int r = 0; r < set.rows; ++r) largest = std::fmax(largest, std::fabs(f[r]));
  return largest;
}

/// The largest of them.
double largest_natural_map(const SaddlePointSystem& s, const StepRows& all, const View<Vec3>& change,
                           const View<double>& impulse, const View<double>& start) {
  const StepRows& rows = all;
  const View<Vec3> du = change;
  const View<double> W = s.delassus_diagonal, x = impulse, x0 = start;
  return largest_of(
      "proximal_natural_map", s.pattern.items, KOKKOS_LAMBDA(int i) { return item_natural_map(rows, W, du, x, x0, i); },
      100);
}

}  // namespace

ProximalRows::NaturalMap ProximalRows::natural_map(StepProblem& problem, const View<double>& impulse) {
  const SaddlePointSystem& s = problem.system();
  const View<Vec3> still = du_.resize(s.blocks);
  fill(still, Vec3{});
  return {largest_velocity(s, s.momentum_residual),
          largest_natural_map(s, present_.gather(problem), still, impulse, impulse)};
}

int ProximalRows::keep_solved(StepProblem& problem, const View<double>& impulse, double tolerance, double most) {
  const SaddlePointSystem& s = problem.system();
  const Pattern& pattern = s.pattern;
  const View<Vec3> still = du_.resize(s.blocks);
  fill(still, Vec3{});
  const StepRows& rows = present_.gather(problem);
  const View<double> centre = centre_, cap = most_epsilon_, W = s.delassus_diagonal, x = impulse;
  parallel_for(
      "pieces_keep_solved", pattern.items,
      KOKKOS_LAMBDA(int i) {
        if (!(item_natural_map(rows, W, still, x, x, i) <= tolerance)) return;
        cap(i) = most;
        for (int r = pattern.item_row(i); r < pattern.item_row(i + 1); ++r) centre(r) = x(r);
      },
      100);
  double others[1];
  deterministic_sum<1>(
      "pieces_others", pattern.items,
      KOKKOS_LAMBDA(int i) {
        const bool other = pattern.item_row(i) < pattern.item_row(i + 1) && !(cap(i) <= most);
        return Kokkos::Array<double, 1>{other ? 1.0 : 0.0};
      },
      sum_, others);
  return static_cast<int>(others[0]);
}

void ProximalRows::correct(const SaddlePointSystem& s, const View<double>& x) {
  const View<Vec3> g = s.momentum_residual, u = as_vec3(x, 0, s.blocks);
  const View<Mat3> inverse = s.mass_inverse;
  parallel_for(
      "proximal_correct", s.blocks, KOKKOS_LAMBDA(int b) { u(b) = u(b) - inverse(b) * g(b); }, 10);
}

double ProximalRows::linear_natural_map(const SaddlePointSystem& s, const View<double>& x) {
  const View<Vec3> du = du_.resize(s.blocks), u = as_vec3(x, 0, s.blocks), u0 = u0_;
  parallel_for(
      "proximal_du", s.blocks, KOKKOS_LAMBDA(int b) { du(b) = u(b) - u0(b); }, 3);
  along_motion(du, turn_, du);
  return largest_natural_map(s, rows_along_motion(), du, rows_of(x, s), r0_);
}

}  // namespace clarke
