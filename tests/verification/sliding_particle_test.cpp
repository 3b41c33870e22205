// A particle slides on the ground until isotropic friction stops it. Implicit Euler: v_{n+1} = max(0, v_n − μ g h) with
// the direction kept, x_{n+1} = x_n + h v_{n+1}; exact stopping distance v₀²/(2 μ g).

#include "tests/model_run.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(sliding_particle)

namespace {

constexpr double kGravity = 9.81, kFriction = 0.5, kSpeed = 3;
const std::string kConverged = "-ksp_type preonly -pc_type lu -newton_damping 1 -snes_atol 1e-12 -snes_max_it 60 ";

World particle_on_plane(double heading, double radius) {
  static const World plane = world_with_plane(kFriction);
  World w = plane;
  ParticleDescription p;
  p.mass = 2;
  p.radius = radius;
  p.position = {0, 0, radius};
  p.velocity = kSpeed * Vec3{std::cos(heading), std::sin(heading), 0};
  p.name = plane.bodies[0].material;
  p.material = plane.bodies[0].material;
  w.particles.push_back(p);
  return w;
}

}  // namespace

BOOST_AUTO_TEST_CASE(implicit_euler_at_any_heading) {
  constexpr double kSolve = 1e-10;  // 73 steps solved to 1e-12 m/s each
  const double h = 1.0 / 120;
  for (const char* map : {"disc_projection", "fixed_point", "disc_projection_coupled"}) {
    for (double heading : {0.0, 0.4, 0.7853981633974483, 1.5707963267948966, 2.2, 3.14159, 4.1, 5.5}) {
      const ScopedOptions scoped(kConverged + "-newton_start zero -friction_map " + map);
      const Vec3 along{std::cos(heading), std::sin(heading), 0}, across{-along.y, along.x, 0};
      Model model(particle_on_plane(heading, 0), h);
      double v = kSpeed, x = 0, speed_error = 0, path_error = 0, aside = 0, height = 0;
      const RunFigures f = run(model, 100, [&](const StepReport&) {
        v = std::max(0.0, v - kFriction * kGravity * h);
        x += h * v;
        const FrameParticle p = model.frame().particles[0];
        speed_error = std::max(speed_error, norm(p.velocity - v * along));
        path_error = std::max(path_error, std::fabs(dot(p.position, along) - x));
        aside = std::max(aside, std::fabs(dot(p.position, across)));
        height = std::max(height, std::fabs(p.position.z));
      });
      BOOST_TEST_CONTEXT(map << " heading " << heading) {
        BOOST_TEST(v == 0);
        BOOST_TEST(f.steps == 100);
        BOOST_TEST(speed_error < kSolve);
        BOOST_TEST(path_error < kSolve);
        BOOST_TEST(aside < kSolve);
        BOOST_TEST(height < kSolve);
        BOOST_TEST(f.newton_max <= 8);  // the reference: 3.3 on average (tangent), 6.9 (fixed point)
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(stopping_distance_is_of_first_order) {
  const double exact = kSpeed * kSpeed / (2 * kFriction * kGravity);
  double last = 0;
  for (int k = 0; k < 4; ++k) {
    const ScopedOptions scoped(kConverged + "-newton_start zero");
    const double h = 0.01 / (1 << k);
    Model model(particle_on_plane(0.4, 0.1), h);
    run(model, static_cast<int>(0.7 / h));
    const Vec3 p = model.frame().particles[0].position;
    const double error = std::fabs(std::hypot(p.x, p.y) - exact);
    BOOST_TEST(std::fabs(error / (0.5 * kSpeed * h) - 1) < 0.05);  // v₀ h/2 to leading order
    if (k > 0) BOOST_TEST(std::fabs(std::log2(last / error) - 1) < 0.05);
    last = error;
  }
}

BOOST_AUTO_TEST_CASE(rests_where_it_stopped) {
  for (const char* start : {"zero", "warm"}) {
    const ScopedOptions scoped(kConverged + "-newton_start " + start);
    Model model(particle_on_plane(0.4, 0.1), 1.0 / 120);
    run(model, 75);
    const Vec3 stopped = model.frame().particles[0].position;
    double speed = 0;
    const RunFigures f =
        run(model, 120, [&](const StepReport&) { speed = std::max(speed, norm(model.frame().particles[0].velocity)); });
    const Vec3 moved = model.frame().particles[0].position - stopped;
    BOOST_TEST(f.steps == 120);
    if (std::string(start) == "zero") {
      BOOST_TEST(norm(moved) == 0);
      BOOST_TEST(speed < 1e-14);  // rounding of g h
    } else {  // the last impulses already satisfy -snes_atol, so no iteration makes the speed exactly zero
      BOOST_TEST(norm(moved) < 1e-12);
      BOOST_TEST(speed < 1e-12);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
