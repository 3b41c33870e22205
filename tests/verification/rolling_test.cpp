// Resistance to rolling and spinning: the moments are those of the cone of rolling friction, antiparallel to the
// motion, and the same in all directions; every strategy finds them.

#include "tests/model_run.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(rolling)

namespace {

constexpr double kRadius = 0.1, kGravity = 9.81, kFriction = 0.5, kRolling = 0.005, kTorsional = 0.002, kStep = 0.01;
const std::string kConverged =
    "-preset accurate -newton_damping 1 -snes_atol 1e-12 -snes_max_it 100 -accept_budget false "
    "-ksp_type preonly -pc_type lu ";

World ball(const Vec3& gravity) {
  World w = world_with_plane(kFriction);
  w.gravity = gravity;
  w.materials["m"].surface.rolling = kRolling;
  w.materials["m"].surface.torsional = kTorsional;
  BodyDescription b;
  b.name = "ball";
  b.shape.kind = ShapeDescription::Kind::sphere;
  b.shape.radius = kRadius;
  b.mass = 2;
  b.position = {0, 0, kRadius};
  b.material = "m";
  w.bodies.push_back(b);
  return w;
}

/// (Λ_n, Λ_f, Λ_r, Λ_τ) of the only contact and what is conjugate to them, (ĉ, v_t, ω_r, ω_n).
struct ContactState {
  std::array<double, 6> impulse{}, velocity{};
};
ContactState state_of(Model& model) {
  ContactState out;
  for (int i = 0; i < model.problem().contributors(); ++i) {
    const Contributor& c = model.problem().contributor(i);
    const RowSet* rows = c.rows();
    if (rows && rows->kind == SetKind::cone) {
      const auto l = host_copy(rows->impulse), v = host_copy(rows->velocity);
      BOOST_REQUIRE(rows->items == 1);
      for (int k = 0; k < 3; ++k) out.impulse[k] = l(k);
      for (int k = 0; k < 3; ++k) out.velocity[k] = v(k);
    } else if (c.kind() == "rolling_resistance") {
      const auto l = host_copy(rows->impulse), w = host_copy(rows->velocity);
      for (int k = 0; k < 3; ++k) out.impulse[3 + (k + 2) % 3] = l(k), out.velocity[3 + (k + 2) % 3] = w(k);
    }
  }
  return out;
}

/// Nearest point of K = {|x_f| ≤ μ x_n, |x_r| ≤ x_n, |x_τ| ≤ x_n}: for a given x_n = t the parts are projections, and
/// the derivative of the squared distance rises with t. By bisection: knows nothing of the program.
std::array<double, 6> project(const std::array<double, 6>& p) {
  const double f = std::hypot(p[1], p[2]), r = std::hypot(p[3], p[4]), s = std::fabs(p[5]);
  const auto over = [](double x) { return std::max(0.0, x); };
  const auto slope = [&](double t) {
    return t - p[0] - kFriction * over(f - kFriction * t) - over(r - t) - over(s - t);
  };
  double low = 0, high = std::fabs(p[0]) + f + r + s;
  if (slope(0) >= 0) return {};
  for (int k = 0; k < 200; ++k) (slope(0.5 * (low + high)) > 0 ? high : low) = 0.5 * (low + high);
  const auto keep = [](double size, double bound) { return size > bound ? bound / size : 1; };
  const double kf = keep(f, kFriction * low), kr = keep(r, low), ks = keep(s, low);
  return {low, kf * p[1], kf * p[2], kr * p[3], kr * p[4], ks * p[5]};
}

/// |x − Π_K(x − y)| [N s] with lengths taken out of the moments, and De Saxcé's shift in y_n.
double natural_map(const ContactState& c) {
  std::array<double, 6> x = c.impulse, y = c.velocity, p{};
  const double length[6] = {1, 1, 1, kRolling, kRolling, kTorsional};
  for (int k = 0; k < 6; ++k) x[k] /= length[k], y[k] *= length[k];
  y[0] += kFriction * std::hypot(y[1], y[2]) + std::hypot(y[3], y[4]) + std::fabs(y[5]);
  for (int k = 0; k < 6; ++k) p[k] = x[k] - y[k];  // metric of 1 kg
  p = project(p);
  double sum = 0;
  for (int k = 0; k < 6; ++k) sum += (x[k] - p[k]) * (x[k] - p[k]);
  return std::sqrt(sum);
}

}  // namespace

BOOST_AUTO_TEST_CASE(impulse_solves_the_cone_of_rolling_friction) {
  const ScopedOptions scoped(kConverged);
  World w = ball({0.2, -0.3, -kGravity});
  w.bodies[1].velocity = {0.7, 0.2, 0};
  w.bodies[1].angular_velocity = {3, 9,
                                  5};  // slides, rolls another way and spins: every direction changes in every step
  Model model(w, kStep);
  double map = 0, angle = 0, size = 0;
  const RunFigures f = run(model, 80, [&](const StepReport&) {
    const ContactState c = state_of(model);
    map = std::max(map, natural_map(c));
    const double w1 = c.velocity[3], w2 = c.velocity[4], m1 = c.impulse[3], m2 = c.impulse[4],
                 speed = std::hypot(w1, w2);
    if (!(speed > 0.01)) return;
    angle = std::max(angle, std::fabs(std::atan2(m1 * w2 - m2 * w1, -(m1 * w1 + m2 * w2))));
    size = std::max(size, std::fabs(std::hypot(m1, m2) / (kRolling * c.impulse[0]) - 1));
  });
  BOOST_TEST(f.failed == 0);
  BOOST_TEST(map < 1e-10);   // N s: solved to 1e-12 m/s with 2 kg
  BOOST_TEST(angle < 1e-9);  // rad: 1e-12 over 0.01 rad/s
  BOOST_TEST(size < 1e-9);
}

BOOST_AUTO_TEST_CASE(the_slope_that_holds_is_the_same_in_all_directions) {
  // A ball rolls down a slope steeper than ℓ/r, with (5/7) g (tan − ℓ/r) cos; bounds of two rows one by one would hold
  // it up to √2 ℓ/r on a diagonal. Backward Euler has the velocity exactly.
  constexpr int kSteps = 20;
  for (int k = 0; k < 6; ++k) {
    const double heading = 0.3 * k;
    for (const double steepness : {0.98, 1.02}) {
      const double tangent = steepness * kRolling / kRadius;
      const Vec3 down{std::cos(heading), std::sin(heading), 0};
      const ScopedOptions scoped(kConverged);
      Model model(ball(kGravity * (tangent * down - Vec3{0, 0, 1})), kStep);
      const RunFigures f = run(model, kSteps);
      const Vec3 v = model.frame().bodies[1].velocity;
      const double expected = steepness < 1 ? 0 : 5.0 / 7 * kGravity * (tangent - kRolling / kRadius) * kSteps * kStep;
      BOOST_TEST_CONTEXT("heading " << heading << " steepness " << steepness) {
        BOOST_TEST(f.failed == 0);
        BOOST_TEST(norm(v - expected * down) < 1e-10);  // m/s: 20 solves to 1e-12
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(every_strategy_finds_the_same_motion) {
  const std::string direct = "-preset accurate -newton_damping 1 -snes_atol 1e-9 -accept_budget false ";
  const std::string lu = "-ksp_type preonly -pc_type lu ";
  std::vector<Vec3> end;
  for (const std::string& strategy : std::vector<std::string>{
           lu + "-snes_max_it 60", "-snes_type nsgs -snes_max_it 200 -nsgs_sweeps 200 -snes_atol 1e-9",
           lu + "-snes_type admm -snes_max_it 60 -admm_iterations 500 -snes_atol 1e-9",
           lu + "-snes_type proximal_point -snes_max_it 60", lu + "-snes_max_it 60 -newton_start_sweeps 5",
           "-ksp_type pcr -ksp_max_it 60 -ksp_rtol 1e-12 -snes_max_it 100"}) {
    const ScopedOptions scoped(direct + strategy);
    World w = ball({0, 0, -kGravity});
    w.bodies[1].velocity = {0.7, 0.2, 0};
    w.bodies[1].angular_velocity = {3, 9, 5};
    Model model(w, kStep);
    const RunFigures f = run(model, 10);
    BOOST_TEST_CONTEXT(strategy) {
      BOOST_TEST(f.failed == 0);
      end.push_back(model.frame().bodies[1].angular_velocity);
      BOOST_TEST(norm(end.back() - end.front()) < 1e-6);  // rad/s: 10 steps to 1e-9 m/s at 0.1 m
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
