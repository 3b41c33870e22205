// Impacts with restitution under moreau_jean: v_n⁺ = −e v_n⁻ at every contact that closes, first order in h for the
// rest.

#include "tests/jointed.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(restitution)

namespace {

const std::string kMoreau = kExactSteps + "-integrator moreau_jean ";
constexpr double kRadius = 0.1;

BodyDescription ball(const std::string& name, Vec3 position, Vec3 velocity = {}) {
  BodyDescription b;
  b.name = name;
  b.shape.kind = ShapeDescription::Kind::sphere;
  b.shape.radius = kRadius;
  b.mass = 2;
  b.position = position;
  b.velocity = velocity;
  b.material = "m";
  return b;
}

World ball_over_plane(double e, double mu, double height) {
  World w = world_with_plane(mu);
  w.materials["m"].restitution = e;
  w.bodies.push_back(ball("ball", {0, 0, kRadius + height}));
  return w;
}

struct Bounce {
  double time = 0, before = 0, after = 0,
         apex = 0;  // velocity of the steps before and of the impact, next highest point
};

/// Drops a ball from `height` [m] and looks at its first bounce.
Bounce first_bounce(double e, double height, double h) {
  const ScopedOptions scoped(kMoreau);
  Model model(ball_over_plane(e, 0, height), h);
  Bounce b;
  double last = 0;
  const double end = std::sqrt(2 * height / kGravity) * (1 + 2 * e) * 0.95;  // before the second impact
  run(model, static_cast<int>(std::max(end, 0.6) / h), [&](const StepReport& r) {
    BOOST_TEST(!r.failed);
    const FrameBody f = model.frame().bodies[1];
    if (b.time == 0 && r.contacts > 0) b = {r.time, last, f.velocity.z, 0};
    if (b.time > 0) b.apex = std::max(b.apex, f.position.z - kRadius);
    last = f.velocity.z;
  });
  return b;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_ball_bounces_by_e) {
  const double height = 1, fall = std::sqrt(2 * height / kGravity);
  for (const double e : {1.0, 0.5, 0.0})
    for (const double h : {0.01, 0.005, 0.0025, 0.00125}) {
      const Bounce b = first_bounce(e, height, h);
      BOOST_TEST_CONTEXT("e " << e << ", h " << h) {
        BOOST_TEST(std::fabs(b.after + e * b.before) <= kTenSolved);
        // The impact falls into the step in which the gap closes, or its neighbour; everything else follows at g, 2 g
        // and v h.
        BOOST_TEST(std::fabs(b.time - fall) <= 1.5 * h);
        BOOST_TEST(std::fabs(b.before + kGravity * fall) <= 1.5 * kGravity * h);
        BOOST_TEST(std::fabs(b.apex - e * e * height) <= 3 * kGravity * fall * h);
      }
    }
}

BOOST_AUTO_TEST_CASE(without_restitution_a_ball_stays) {
  const ScopedOptions scoped(kMoreau);
  Model model(ball_over_plane(0, 0.5, 0.2), 0.005);
  run(model, 200);
  const Frame f = model.frame();
  BOOST_TEST(norm(f.bodies[1].velocity) <= kTenSolved);
  BOOST_TEST(std::fabs(f.bodies[1].position.z - kRadius) <=
             0.005 * std::sqrt(2 * kGravity * 0.2));  // caught within a step
  BOOST_TEST_REQUIRE(f.contacts.size() == 1u);
  BOOST_TEST(std::fabs(norm(f.contacts[0].normal_force) - 2 * kGravity) <= 2 * kTenSolved / 0.005);
}

BOOST_AUTO_TEST_CASE(bounces_come_to_an_end) {
  // With e = 1/2 they end after 3 √(2 h₀/g) = 0.96 s; then the step's own m g h is all that the contact still has to
  // stop.
  const double h = 0.002;
  const ScopedOptions scoped(kMoreau);
  Model model(ball_over_plane(0.5, 0.3, 0.5), h);
  run(model, 1000);
  double impulse = 0;
  run(model, 100, [&](const StepReport& r) {
    const Frame f = model.frame();
    BOOST_TEST(!r.failed);
    BOOST_TEST(norm(f.bodies[1].velocity) <= kGravity * h);
    BOOST_TEST(std::fabs(f.bodies[1].position.z - kRadius) <= h * kGravity * 0.3);
    for (const FrameContact& c : f.contacts) impulse += h * norm(c.normal_force);
  });
  BOOST_TEST(std::fabs(impulse / (100 * h * 2 * kGravity) - 1) <=
             0.03);  // the weight, on average, within a step or two
}

BOOST_AUTO_TEST_CASE(energy_is_constant_in_flight_and_through_elastic_impacts) {
  const double h = 0.004;
  const ScopedOptions scoped(kMoreau);
  World w = ball_over_plane(1, 0, 0.5);
  w.bodies[1].velocity = {0.3, 0, 0};
  Model model(w, h);
  const double start = 2 * kGravity * (0.5 + kRadius) + 0.5 * 2 * 0.09;
  double flight = 0, energy = start;
  int impacts = 0;
  run(model, 1500, [&](const StepReport& r) {
    const double now = r.verdict.kinetic_energy + r.verdict.potential_energy;
    if (r.contacts == 0)
      flight = std::max(flight, std::fabs(now - energy));
    else
      ++impacts;
    energy = now;
  });
  BOOST_TEST(impacts >= 9);             // every 0.64 s
  BOOST_TEST(flight <= 1e-13 * start);  // rounding of one step: θ = 1/2 is exact for a constant force
  // An impact step goes down before and not up after with the right weight: it moves energy by m g v h at most, either
  // way.
  BOOST_TEST(std::fabs(energy - start) <= impacts * 2 * kGravity * std::sqrt(kGravity) * h);
}

BOOST_AUTO_TEST_CASE(three_balls_pass_on_the_speed) {
  for (const double e : {1.0, 0.6}) {
    const ScopedOptions scoped(kMoreau);
    World w;
    w.gravity = {};
    w.materials["m"] = {1000, 0};
    w.materials["m"].restitution = e;
    const double gap = 0.05;
    for (int i = 0; i < 3; ++i)
      w.bodies.push_back(ball(std::to_string(i), {i * (2 * kRadius + gap), 0, 0}, {i == 0 ? 2.0 : 0, 0, 0}));
    Model model(w, 0.005);
    run(model, 100, [&](const StepReport& r) {
      BOOST_TEST(!r.failed);
      BOOST_TEST(std::fabs(r.verdict.linear_momentum[0] - 4) <= 1e-12);         // rounding of two impulses of size four
      if (e == 1) BOOST_TEST(std::fabs(r.verdict.kinetic_energy - 4) <= 1e-9);  // 2 m v times the velocity error
    });
    const Frame f = model.frame();
    // Between equals a share (1 + e)/2 goes on; e = 1: all of it. The first is slower than the second, so nothing
    // happens twice.
    const double on = 0.5 * (1 + e), back = 0.5 * (1 - e);
    BOOST_TEST(std::fabs(f.bodies[2].velocity.x - 2 * on * on) <= 2 * kTenSolved);
    if (e == 1) {
      BOOST_TEST(std::fabs(f.bodies[1].velocity.x) <= 2 * kTenSolved);
      BOOST_TEST(std::fabs(f.bodies[0].velocity.x) <= 2 * kTenSolved);
    } else {
      // The first follows at 2 · back and meets the second, which has 2 · on · back: a third impact.
      const double first = 2 * back, second = 2 * on * back, mean = 0.5 * (first + second),
                   half = 0.5 * e * (first - second);
      const bool met = f.bodies[0].velocity.x < first - kTenSolved;
      BOOST_TEST(std::fabs(f.bodies[0].velocity.x - (met ? mean - half : first)) <= 3 * kTenSolved);
      BOOST_TEST(std::fabs(f.bodies[1].velocity.x - (met ? mean + half : second)) <= 3 * kTenSolved);
    }
  }
}

BOOST_AUTO_TEST_CASE(a_ball_with_spin) {
  // Without gravity: P_n = m (1 + e) v_n. The contact point slips at s = v_x − r ω_y against x; friction is m s/3.5
  // where that stops it (I = 2/5 m r²) and μ P_n where that is less.
  const double h = 0.01, normal = 3, mass = 2, inertia = 0.4 * mass * kRadius * kRadius;
  for (const double e : {1.0, 0.5})
    for (const double mu : {0.05, 0.8})
      for (const double spin : {-40.0, 25.0}) {
        World w = ball_over_plane(e, mu, 0.1);
        w.gravity = {};
        w.bodies[1].velocity = {0.4, 0, -normal};
        w.bodies[1].angular_velocity = {0, spin, 0.7};
        const ScopedOptions scoped(kMoreau);
        Model model(w, h);
        run(model, 20, [](const StepReport& r) { BOOST_TEST(!r.failed); });
        const FrameBody f = model.frame().bodies[1];
        const double slip = 0.4 - kRadius * spin, pn = mass * (1 + e) * normal;
        const double pt = -std::copysign(std::min(mu * pn, mass * std::fabs(slip) / 3.5), slip);
        BOOST_TEST(norm(f.velocity - Vec3{0.4 + pt / mass, 0, e * normal}) <= kTenSolved);
        // The impulse acts at −r z: its torque is −r z × pt x = −r pt y.
        BOOST_TEST(norm(f.angular_velocity - Vec3{0, spin - kRadius * pt / inertia, 0.7}) <= 10 * kTenSolved);
      }
}

BOOST_AUTO_TEST_CASE(needs_an_integrator_at_velocity_level) {
  const World w = ball_over_plane(0.5, 0.3, 0.1);
  const ScopedOptions scoped(kExactSteps + "-integrator implicit_euler");
  BOOST_CHECK_EXCEPTION(Model(w, 0.01), InputError, [](const InputError& e) {
    const std::string text = e.what();
    return text.find("'m'") != std::string::npos && text.find("-integrator moreau_jean") != std::string::npos;
  });
}

BOOST_AUTO_TEST_SUITE_END()
