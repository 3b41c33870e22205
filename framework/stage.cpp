#include "framework/stage.hpp"

#include "framework/error.hpp"
#include "framework/step_problem.hpp"

#include <cmath>

namespace clarke {

namespace {

/// The share `s` of the turn from one orientation to another, after `q`.
KOKKOS_INLINE_FUNCTION Quat turned_along(const Quat& q, const Quat& from, const Quat& to, double s) {
  Quat d = to * conjugate(from);
  if (d.w < 0) d = {-d.w, -d.x, -d.y, -d.z};
  const Vec3 axis{d.x, d.y, d.z};
  const double sine = norm(axis);
  if (sine == 0) return q;
  return normalized(from_axis_angle((1 / sine) * axis, 2 * s * std::atan2(sine, d.w)) * q);
}

}  // namespace

void start_of_stage(const Stage& stage, const Entities& entities, const State& start, const StepHistory& last,
                    const State& first, const State& out) {
  const Stage s = stage;
  const State from = start, one = first, to = out;
  const StepHistory before = last;
  parallel_for(
      "stage_velocity", entities.blocks,
      KOKKOS_LAMBDA(int b) {
        Vec3 u = from.u(b);
        if (s.velocity_last != 0) u += s.velocity_last * (from.u(b) - before.u(b));
        if (s.velocity_first != 0) u += s.velocity_first * (one.u(b) - from.u(b));
        if (s.acceleration != 0) u += s.acceleration * before.acceleration(b);
        to.u(b) = u;
      },
      16);
  const View<EntityBlocks> block_of = entities.block_of;
  const View<Twist> prescribed = entities.prescribed;
  const int bodies = entities.bodies;
  parallel_for(
      "stage_position", entities.count,
      KOKKOS_LAMBDA(int e) {
        const Twist now = twist_of(e, block_of, prescribed, from.u), then = twist_of(e, block_of, prescribed, one.u);
        Vec3 x = from.x(e) + s.drift * now.v + s.drift_first * then.v;
        if (s.position_last != 0) x += s.position_last * (from.x(e) - before.x(e));
        if (s.position_first != 0) x += s.position_first * (one.x(e) - from.x(e));
        to.x(e) = x;
        if (e >= bodies) return;
        Quat q = from.orientation(e);
        if (s.drift != 0) q = advance(q, now.w, s.drift);
        if (s.drift_first != 0) q = advance(q, then.w, s.drift_first);
        if (s.position_last != 0) q = turned_along(q, before.orientation(e), from.orientation(e), s.position_last);
        if (s.position_first != 0) q = turned_along(q, from.orientation(e), one.orientation(e), s.position_first);
        to.orientation(e) = q;
      },
      60);
}

void acceleration_of_stage(const Stage& stage, const View<Vec3>& velocity, const View<Vec3>& u_hat,
                           const View<Vec3>& out) {
  const View<Vec3> u = velocity, start = u_hat, a = out;
  const double rate = 1 / stage.length;
  parallel_for(
      "stage_acceleration", static_cast<int>(a.extent(0)), KOKKOS_LAMBDA(int b) { a(b) = rate * (u(b) - start(b)); },
      6);
}

void turning_of_stage(const Entities& entities, const View<Mat3>& mass, const View<Vec3>& velocity,
                      const View<Vec3>& acceleration, const View<Vec3>& out) {
  const View<EntityBlocks> block_of = entities.block_of;
  const View<Mat3> M = mass;
  const View<Vec3> u = velocity, a = acceleration, turning = out;
  parallel_for(
      "stage_turning", entities.bodies,
      KOKKOS_LAMBDA(int e) {
        const int b = block_of(e).w;
        if (b >= 0) turning(b) = a(b) + inverse(M(b)) * cross(u(b), M(b) * u(b));
      },
      60);
}

void check_rows_of_stages(const StepProblem& problem) {
  const std::string name = problem.integrator().name();
  if (name.empty()) return;
  for (int i = 0; i < problem.contributors(); ++i) {
    const RowSet* rows = problem.contributor(i).rows();
    if (!rows || rows->items == 0 || rows->dense()) continue;
    const std::vector<double> compliance = softness(*rows);
    const auto lower = host_copy(rows->lower), upper = host_copy(rows->upper);
    const bool cone = rows->kind == SetKind::cone, bounds = lower.extent(0) > 0;
    for (int r = 0; r < rows->rows; r += cone ? 3 : 1) {
      if (compliance[r] > 0) continue;
      const bool low = bounds && std::isfinite(lower(r)), high = bounds && std::isfinite(upper(r));
      if (low && high) continue;  // a force that is bounded: dry friction, a drive
      const std::string row = problem.row_name(problem.slice(i).first_row + r);
      if (cone || low || high)
        throw InputError(
            "-integrator " + name + ": '" + row +
            "' is hard on one side, and its stages would throw back what strikes there: expected a contact "
            "stiffness or a compliance, or -integrator implicit_euler or moreau_jean");
      if (!problem.integrator().rigid_rows())
        throw InputError("-integrator " + name + ": '" + row +
                         "' is rigid, and its velocity would change sign from step to step: expected a compliance, or "
                         "-integrator bdf2, tr_bdf2 or sdirk2");
    }
  }
}

}  // namespace clarke
