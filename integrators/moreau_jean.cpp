#include "integrators/moreau_jean.hpp"

namespace clarke {

MoreauJean::MoreauJean() { read_options(options_); }

StepContext MoreauJean::begin_step(const State& state, double h, int step) const {
  return {state.t, h, options_.theta * h, step, {.velocity = true, .stabilisation = options_.joint_correction}};
}

void MoreauJean::configuration(const StepContext& context, const Entities& entities, const State& state,
                               const View<Vec3>& u, const View<Vec3>& x, const View<Quat>& orientation) const {
  const View<Vec3> x0 = state.x, u0 = state.u;
  const View<Quat> q0 = state.orientation;
  const View<EntityBlocks> block_of = entities.block_of;
  const View<Twist> prescribed = entities.prescribed;
  const double h = context.h, theta = options_.theta;
  const int bodies = entities.bodies;
  parallel_for(
      "moreau_jean_configuration", entities.count,
      KOKKOS_LAMBDA(int e) {
        const Twist now = twist_of(e, block_of, prescribed, u), before = twist_of(e, block_of, prescribed, u0);
        x(e) = x0(e) + h * (theta * now.v + (1 - theta) * before.v);
        if (e < bodies) orientation(e) = advance(q0(e), theta * now.w + (1 - theta) * before.w, h);
      },
      16);
}

}  // namespace clarke
