// A particle slides on the ground until isotropic friction stops it. Implicit Euler: v_{n+1} = max(0, v_n − μ g h) with the
// direction kept, x_{n+1} = x_n + h v_{n+1}; exact stopping distance v₀²/(2 μ g).

#include "tests/model_run.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(sliding_particle)

namespace {

constexpr double kGravity = 9.81, kFriction = 0.5, kSpeed = 3;
const std::string kAccurate =
    "-ksp_type preonly -pc_type cholesky -snes_atol 1e-12 -snes_max_it 60 -newton_start zero ";

World particle_on_plane(double heading, double radius) {
  World w = world_with_plane(kFriction);
  ParticleDescription p;
  p.name = "p";
  p.mass = 2;
  p.radius = radius;
  p.position = {0, 0, radius};
  p.velocity = kSpeed * Vec3{std::cos(heading), std::sin(heading), 0};
  p.material = "m";
  w.particles.push_back(p);
  return w;
}

}  // namespace

BOOST_AUTO_TEST_CASE(implicit_euler_at_any_heading) {
  constexpr double kSolve = 1e-11;  // 73 steps solved to 1e-12 m/s each
  const double h = 1.0 / 120;
  for (const char* map : {"tangent", "fixed_point", "tangent_coupled"}) {
    for (double heading : {0.0, 0.4, 0.7853981633974483, 1.5707963267948966, 2.2, 3.14159, 4.1, 5.5}) {
      const bool general = std::string(map) == "tangent_coupled";
      const ScopedOptions scoped(kAccurate + (general ? "-pc_type lu " : "") + "-friction_map " + map);
      const Vec3 d{std::cos(heading), std::sin(heading), 0}, across{-d.y, d.x, 0};
      Model model(particle_on_plane(heading, 0), h);
      double v = kSpeed, x = 0, worst_v = 0, worst_x = 0, worst_across = 0, worst_newton = 0;
      run(model, 100, [&](const StepReport& r) {
        v = std::max(0.0, v - kFriction * kGravity * h);
        x += h * v;
        const FrameParticle p = model.frame().particles[0];
        worst_v = std::max(worst_v, norm(p.velocity - v * d));
        worst_x = std::max(worst_x, std::fabs(dot(p.position, d) - x));
        worst_across = std::max(worst_across, std::fabs(dot(p.position, across)));
        worst_newton = std::max<double>(worst_newton, r.newton_iterations);
      });
      BOOST_TEST_MESSAGE(map << " " << heading << " v " << worst_v << " x " << worst_x << " across " << worst_across << " newton " << worst_newton);
      BOOST_TEST(worst_v < kSolve);
      BOOST_TEST(worst_x < kSolve);
      BOOST_TEST(worst_across < kSolve);
    }
  }
}

BOOST_AUTO_TEST_CASE(stopping_distance_is_first_order) {
  const double exact = kSpeed * kSpeed / (2 * kFriction * kGravity);
  double last = 0;
  for (int k = 0; k < 4; ++k) {
    const ScopedOptions scoped(kAccurate);
    const double h = 0.01 / (1 << k);
    Model model(particle_on_plane(0.4, 0.1), h);
    run(model, static_cast<int>(0.7 / h));
    const Vec3 p = model.frame().particles[0].position;
    const double error = std::fabs(std::hypot(p.x, p.y) - exact);
    BOOST_TEST_MESSAGE(h << " " << error << " " << std::log2(last / error) << " vh/2 " << kSpeed * h / 2);
    last = error;
  }
}

BOOST_AUTO_TEST_CASE(stays_exactly) {
  for (const char* start : {"zero", "warm"}) {
    const ScopedOptions scoped(kAccurate + "-newton_start " + start);
    Model model(particle_on_plane(0.4, 0.1), 1.0 / 120);
    run(model, 75);
    const Vec3 rest = model.frame().particles[0].position;
    double speed = 0;
    run(model, 120, [&](const StepReport&) { speed = std::max(speed, norm(model.frame().particles[0].velocity)); });
    const Vec3 moved = model.frame().particles[0].position - rest;
    BOOST_TEST_MESSAGE(start << " moved " << norm(moved) << " speed " << speed);
  }
}

BOOST_AUTO_TEST_SUITE_END()
