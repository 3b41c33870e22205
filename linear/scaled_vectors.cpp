#include "linear/scaled_vectors.hpp"

#include "framework/math/small_solve.hpp"
#include "framework/petsc_views.hpp"

namespace clarke {

void unscale_momentum(const SaddlePointSystem& system, const View<double>& x, const View<Vec3>& r_u) {
  const View<double> su = system.momentum_scale;
  const View<Vec3> xu = as_vec3(x, 0, system.blocks);
  parallel_for(
      "unscale_momentum", system.blocks, KOKKOS_LAMBDA(int b) { r_u(b) = xu(b) / su(b); }, 3);
  if (!system.islands.separate) return;
  const View<int> of_block = system.islands.of_block, ended = system.islands.ended;
  parallel_for(
      "rest_ended_momentum", system.blocks, KOKKOS_LAMBDA(int b) {
        if (of_block(b) >= 0 && ended(of_block(b))) r_u(b) = Vec3{};
      });
}

void unscale_rows(const SaddlePointSystem& system, const View<double>& x, const View<double>& s) {
  const int nu = system.velocity_size();
  const View<double> sh = system.row_scale;
  parallel_for(
      "unscale_rows", system.pattern.rows, KOKKOS_LAMBDA(int r) { s(r) = -x(nu + r) / sh(r); }, 2);
  if (!system.islands.separate) return;
  const View<int> of_item = system.islands.of_item, ended = system.islands.ended, row_item = system.pattern.row_item;
  parallel_for(
      "rest_ended_rows", system.pattern.rows,
      KOKKOS_LAMBDA(int r) {
        const int island = of_item(row_item(r));
        if (island >= 0 && ended(island)) s(r) = 0;
      },
      2);
}

void motion_to_velocity(const SaddlePointSystem& system, const View<Vec3>& motion, const View<Vec3>& velocity) {
  const View<Vec3> y = motion, du = velocity;
  const View<Mat3> T = system.turn;
  if (T.extent(0) == 0) {
    Kokkos::deep_copy(du, y);
    return;
  }
  parallel_for(
      "motion_to_velocity", system.blocks, KOKKOS_LAMBDA(int b) { du(b) = inverse(T(b)) * y(b); }, 40);
}

}  // namespace clarke
