#include "ncp/strategies/step_vectors.hpp"

#include <limits>

namespace clarke {

void place(const SaddlePointSystem& system, Vec base, Vec at, Vec out) {
  const VecRead start(base), change(at);
  VecWrite point(out);
  const View<double> u0 = start.view(), x = change.view(), to = point.view();
  const int velocities = system.velocity_size();
  parallel_for(
      "step_place", static_cast<int>(to.extent(0)),
      KOKKOS_LAMBDA(int i) { to(i) = i < velocities ? u0(i) + x(i) : x(i); }, 2);
}

void set_velocity(const SaddlePointSystem& system, Vec x, const View<Vec3>& u) {
  VecUpdate out(x);
  Kokkos::deep_copy(as_vec3(out.view(), 0, system.blocks), u);
}

void take(const SaddlePointSystem& system, Vec from, Vec y, double a, Vec to) {
  const VecRead x(from), step(y);
  VecWrite out(to);
  const View<double> at = x.view(), d = step.view(), t = out.view();
  const int velocities = system.velocity_size();
  parallel_for(
      "ssnal_step", static_cast<int>(t.extent(0)),
      KOKKOS_LAMBDA(int i) { t(i) = i < velocities ? at(i) - a * d(i) : at(i); });
}

void along_motion(const View<Vec3>& du, const View<Mat3>& turn, const View<Vec3>& motion) {
  const View<Vec3> x = du, d = motion;
  const View<Mat3> T = turn;
  const bool turns = T.extent(0) > 0;
  parallel_for(
      "proximal_motion", static_cast<int>(d.extent(0)), KOKKOS_LAMBDA(int b) { d(b) = turns ? T(b) * x(b) : x(b); }, 3);
}

void clear_velocity(const SaddlePointSystem& system, Vec x) {
  VecUpdate out(x);
  fill(as_vec3(out.view(), 0, system.blocks), Vec3{});
}

double largest_velocity(const SaddlePointSystem& s, const View<Vec3>& momentum) {
  const View<Vec3> g = momentum;
  const View<Mat3> inverse = s.mass_inverse;
  return largest_of(
      "proximal_velocity", s.blocks, KOKKOS_LAMBDA(int b) {
        const Vec3 v = inverse(b) * g(b);
        const double sum = v.x + v.y + v.z;
        if (sum != sum) return std::numeric_limits<double>::infinity();  // largest_of drops NaN
        return std::fmax(std::fabs(v.x), std::fmax(std::fabs(v.y), std::fabs(v.z)));
      });
}

}  // namespace clarke
