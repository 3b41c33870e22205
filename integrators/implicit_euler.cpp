#include "integrators/implicit_euler.hpp"

namespace clarke {

StepContext ImplicitEuler::begin_step(const State& state, double h, int step) const {
  return {state.t, h, h, step, {}};
}

void ImplicitEuler::configuration(const StepContext& context, const Entities& entities, const State& state,
                                  const View<Vec3>& u, const View<Vec3>& x, const View<Quat>& orientation) const {
  const View<Vec3> x0 = state.x;
  const View<Quat> q0 = state.orientation;
  const View<EntityBlocks> block_of = entities.block_of;
  const View<Twist> prescribed = entities.prescribed;
  const double b = context.b;
  const int bodies = entities.bodies;
  parallel_for(
      "implicit_euler_configuration", entities.count,
      KOKKOS_LAMBDA(int e) {
        const Twist t = twist_of(e, block_of, prescribed, u);
        x(e) = x0(e) + b * t.v;
        if (e < bodies) orientation(e) = advance(q0(e), t.w, b);
      },
      8);
}

}  // namespace clarke
