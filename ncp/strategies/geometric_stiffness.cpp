#include "ncp/strategies/geometric_stiffness.hpp"

#include <cmath>

namespace clarke {

void GeometricStiffness::update(SaddlePointSystem& system, const View<Vec3>& u, const View<double>& impulse) {
  const Pattern& p = system.pattern;
  const View<Vec3> J = system.jacobian, u_now = u;
  const View<Vec3> Jp = previous_jacobian_.resize(p.values), up = previous_u_.resize(p.blocks);
  const View<Mat3> M = system.plain_hessian(), H = system.hessian;
  const View<double> x = impulse;
  if (has_previous_) {
    const double largest = largest_of(
        "geometric_stiffness_scale", p.blocks, KOKKOS_LAMBDA(int b) {
          const Vec3 d = u_now(b) - up(b);
          return std::fmax(std::fabs(d.x), std::fmax(std::fabs(d.y), std::fabs(d.z)));
        });
    const double small = kSmallChange * largest;
    parallel_for(
        "geometric_stiffness", p.blocks,
        KOKKOS_LAMBDA(int b) {
          const Vec3 force = block_gather(p, J, x, b) - block_gather(p, Jp, x, b);
          Mat3 h = M(b);
          for (int e = 0; e < 3; ++e) {
            const double du = u_now(b)[e] - up(b)[e];
            if (!(std::fabs(du) > small)) continue;
            const double c = force[e] / du;
            if (c < 0) h(e, e) -= c;
          }
          H(b) = h;
        },
        64);
  } else {
    Kokkos::deep_copy(H, M);
  }
  Kokkos::deep_copy(Jp, J);
  Kokkos::deep_copy(up, u);
  has_previous_ = true;
}

}  // namespace clarke
