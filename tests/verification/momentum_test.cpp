// Joints are internal forces: linear momentum of a free system is constant to rounding, or grows by M g h per step
// under gravity. Angular momentum is conserved to first order in h only: q⁺ moves along u⁺ alone, which misses x × p by
// O(h²) per step.

#include "tests/model_run.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(momentum)

namespace {

// A thousand steps, each with a few roundings of impulses and positions of size ten.
constexpr double kRounding = 1e-12;

JointDescription joint(const char* type, const char* name, const char* a, const char* b, Vec3 on_a, Vec3 on_b) {
  JointDescription j;
  j.type = type;
  j.name = name;
  j.a = a;
  j.b = b;
  j.anchor_a = on_a;
  j.anchor_b = on_b;
  return j;
}

/// A body without shape: it touches nothing.
BodyDescription rod(const char* name, double mass, Vec3 position, Vec3 velocity, Vec3 spin) {
  BodyDescription b;
  b.name = name;
  b.mass = mass;
  b.inertia = Vec3{0.02 * mass, 0.1 * mass, 0.11 * mass};
  b.position = position;
  b.velocity = velocity;
  b.angular_velocity = spin;
  return b;
}

/// Two bodies of 1 and 3 kg joined by a ball joint, whose ends start with the same velocity.
World pair() {
  World w;
  w.gravity = {};
  const Vec3 spin_a{0.3, 1, 2}, spin_b{-0.5, 2, 1}, v{0.1, 0.2, -0.3}, arm{0.5, 0, 0};
  w.bodies = {rod("a", 1, {0, 0, 0}, v, spin_a),
              rod("b", 3, {1, 0, 0}, v + cross(spin_a, arm) + cross(spin_b, arm), spin_b)};
  w.joints = {joint("ball", "ab", "a", "b", arm, arm)};
  return w;
}

/// The pair, a third body and a particle on a massless rod.
World chain() {
  World w = pair();
  const Vec3 spin_b = w.bodies[1].angular_velocity, spin_c{0, -3, 1}, arm{0.5, 0, 0};
  w.bodies.push_back(rod("c", 0.5, {2, 0, 0}, w.bodies[1].velocity + cross(spin_b, arm) + cross(spin_c, arm), spin_c));
  ParticleDescription p;
  p.name = "p";
  p.mass = 2;
  p.position = {2.5, 0.3, 0.4};
  p.velocity = w.bodies[2].velocity + cross(spin_c, arm);
  w.particles.push_back(p);
  w.joints.push_back(joint("ball", "bc", "c", "b", {1.5, 0, 0}, {1.5, 0, 0}));
  w.joints.push_back(joint("distance", "cp", "p", "c", p.position, {2.5, 0, 0}));
  return w;
}

struct Totals {
  double mass = 0;
  Vec3 linear{}, angular{}, centre{};
};
Totals totals_of(const World& w) {
  Totals t;
  const auto add = [&t](double m, const Vec3& x, const Vec3& v) {
    t.mass += m;
    t.linear += m * v;
    t.angular += cross(x, m * v);
    t.centre += m * x;
  };
  for (const BodyDescription& b : w.bodies) {
    add(*b.mass, b.position, b.velocity);
    const Vec3 s = b.angular_velocity;
    t.angular += Vec3{b.inertia->x * s.x, b.inertia->y * s.y, b.inertia->z * s.z};
  }
  for (const ParticleDescription& p : w.particles) add(p.mass, p.position, p.velocity);
  t.centre = t.centre / t.mass;
  return t;
}

struct Errors {
  double linear = 0, angular = 0, centre = 0;
};

/// One second of the motion in n steps: largest error of linear momentum and of the centre of mass, last one of angular
/// momentum.
Errors errors(World w, const Vec3& gravity, int n) {
  const ScopedOptions scoped(
      "-ksp_type preonly -pc_type cholesky -newton_damping 1 -newton_start zero -snes_max_it 60 -snes_atol 1e-11");
  w.gravity = gravity;
  const Totals start = totals_of(w);
  Model model(w, 1.0 / n);
  Errors e;
  Vec3 centre = start.centre;
  const RunFigures f = run(model, n, [&](const StepReport& r) {
    const Vec3 linear{r.verdict.linear_momentum[0], r.verdict.linear_momentum[1], r.verdict.linear_momentum[2]};
    const Vec3 angular{r.verdict.angular_momentum[0], r.verdict.angular_momentum[1], r.verdict.angular_momentum[2]};
    const Vec3 expected = start.linear + (start.mass * r.time) * gravity;
    centre += (1.0 / (n * start.mass)) * expected;
    Vec3 now{};
    for (const FrameBody& b : model.frame().bodies) now += b.mass * b.position;
    for (const FrameParticle& p : model.frame().particles) now += p.mass * p.position;
    e.linear = std::max(e.linear, norm(linear - expected));
    e.centre = std::max(e.centre, norm(now / start.mass - centre));
    e.angular = norm(angular - start.angular);
  });
  BOOST_TEST(f.steps == n);
  BOOST_TEST(f.bilateral < 1e-11);
  BOOST_TEST_MESSAGE(n << " steps, g " << gravity.z << ": linear " << e.linear << ", centre " << e.centre
                       << ", angular " << e.angular << " of " << norm(start.angular));
  return e;
}

void check_conservation(const World& w) {
  double last = 0;
  for (int n : {240, 480, 960}) {
    const Errors e = errors(w, {}, n);
    BOOST_TEST(e.linear < kRounding);
    BOOST_TEST(e.centre < kRounding);
    if (last > 0) BOOST_TEST(std::fabs(std::log2(last / e.angular) - 1) < 0.15);  // order 1; higher terms are 10 % here
    last = e.angular;
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(two_bodies_on_a_ball_joint) { check_conservation(pair()); }

BOOST_AUTO_TEST_CASE(bodies_and_a_particle) { check_conservation(chain()); }

BOOST_AUTO_TEST_CASE(gravity_is_the_only_external_force) {
  // M g t is 64 N s for the chain, ten times the momentum above.
  const Errors e = errors(chain(), {0, 0, -9.81}, 240);
  BOOST_TEST(e.linear < 10 * kRounding);
  BOOST_TEST(e.centre < 10 * kRounding);
}

BOOST_AUTO_TEST_SUITE_END()
