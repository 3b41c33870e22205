#include "ncp/strategies/step_rounding.hpp"

#include <cmath>

namespace clarke {

/// Largest sum of a row.
KOKKOS_INLINE_FUNCTION static double row_norm(const Mat3& a) {
  double largest = 0;
  for (int r = 0; r < 3; ++r)
    largest = std::fmax(largest, std::fabs(a(r, 0)) + std::fabs(a(r, 1)) + std::fabs(a(r, 2)));
  return largest;
}

double largest_speed(const SaddlePointSystem& system, const View<double>& x) {
  const View<double> u = x;
  return largest_of(
      "largest_speed", system.velocity_size(), KOKKOS_LAMBDA(int i) { return std::fabs(u(i)); });
}

double gap_rounding(const StepProblem& problem, double speed) {
  const View<Vec3> position = problem.point().x;
  const double farthest = largest_of(
      "largest_position", static_cast<int>(position.extent(0)), KOKKOS_LAMBDA(int i) { return norm(position(i)); });
  return kUnitRounding * (speed + farthest / problem.context().h);
}

double stiffest(const SaddlePointSystem& s) {
  const View<Mat3> inverse = s.mass_inverse, H = s.hessian;
  const OffDiagonal& off = s.forces.off;
  return largest_of(
      "stiffest", s.blocks, KOKKOS_LAMBDA(int b) {
        double sum = row_norm(H(b));
        for (int e = off.entries > 0 ? off.first(b) : 0, end = off.entries > 0 ? off.first(b + 1) : 0; e < end; ++e)
          sum += row_norm(off.value(e));
        return row_norm(inverse(b)) * sum;
      });
}

}  // namespace clarke
