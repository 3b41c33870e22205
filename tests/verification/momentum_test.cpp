// momentum
#include "tests/model_run.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(momentum)

namespace {
BodyDescription rod(const std::string& name, double mass, Vec3 position) {
  BodyDescription b;
  b.name = name;
  b.mass = mass;
  b.inertia = Vec3{0.02 * mass, 0.1 * mass, 0.11 * mass};
  b.position = position;
  return b;
}
World pair() {
  World w;
  w.gravity = {};
  w.bodies.push_back(rod("a", 1, {0, 0, 0}));
  w.bodies.push_back(rod("b", 3, {1, 0, 0}));
  w.bodies[0].angular_velocity = {0.3, 1, 2};
  w.bodies[0].velocity = {0.1, 0.2, -0.3};
  w.bodies[1].angular_velocity = {-0.5, 2, 1};
  // velocities agree at the joint at (.5, 0, 0)
  w.bodies[1].velocity = w.bodies[0].velocity + cross(w.bodies[0].angular_velocity, Vec3{0.5, 0, 0}) - cross(w.bodies[1].angular_velocity, Vec3{-0.5, 0, 0});
  w.joints.push_back({.type = "ball", .name = "j", .a = "a", .b = "b", .anchor_a = {0.5, 0, 0}, .anchor_b = {0.5, 0, 0}});
  return w;
}
World chain() {
  World w = pair();
  w.bodies.push_back(rod("c", 0.5, {2, 0, 0}));
  w.bodies[2].angular_velocity = {0, -3, 1};
  w.joints.push_back({.type = "ball", .name = "k", .a = "c", .b = "b", .anchor_a = {1.5, 0, 0}, .anchor_b = {1.5, 0, 0}});
  w.particles.push_back({.name = "p", .mass = 2, .position = {2.5, 0.3, 0.4}, .velocity = {0, 0, 1}});
  w.joints.push_back({.type = "distance", .name = "l", .a = "p", .b = "c", .anchor_a = {2.5, 0.3, 0.4}, .anchor_b = {2.5, 0, 0}});
  return w;
}
}  // namespace

BOOST_AUTO_TEST_CASE(all) {
  for (int which : {0, 1})
  for (double g : {0., -9.81}) {
    double last = 0;
    for (int n : {120, 240, 480}) {
      const ScopedOptions scoped("-ksp_type preonly -pc_type cholesky -newton_start zero -snes_max_it 60 -snes_atol 1e-11");
      World w = which ? chain() : pair();
      w.gravity = {0, 0, g};
      double mass = 0;
      Vec3 P{}, L{};
      for (const auto& b : w.bodies) {
        mass += *b.mass;
        P += *b.mass * b.velocity;
        L += cross(b.position, *b.mass * b.velocity) + Vec3{b.inertia->x * b.angular_velocity.x, b.inertia->y * b.angular_velocity.y, b.inertia->z * b.angular_velocity.z};
      }
      for (const auto& p : w.particles) {
        mass += p.mass;
        P += p.mass * p.velocity;
        L += cross(p.position, p.mass * p.velocity);
      }
      Model model(w, 1. / n);
      double worst = 0, dl = 0;
      const RunFigures f = run(model, n, [&](const StepReport& r) {
        const auto& p = r.verdict.linear_momentum;
        worst = std::max(worst, norm(Vec3{p[0], p[1], p[2]} - P - (mass * r.time) * w.gravity));
        const auto& l = r.verdict.angular_momentum;
        dl = norm(Vec3{l[0], l[1], l[2]} - L);
      });
      BOOST_TEST_MESSAGE(which << " g " << g << " n " << n << " linear " << worst << " angular " << dl << " of " << norm(L) << " order " << std::log2(last / dl) << " newton " << f.newton_mean << " err " << f.velocity_error << " bil " << f.bilateral);
      last = dl;
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
