// Friction beyond the disc against closed forms: direction and path of a sliding mass on an ellipse, the bias of
// polygons, a fast cube that must not lift, the period of stick and slip.

#include "tests/model_run.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(friction)

namespace {

constexpr double kGravity = 9.81, kAlong = 0.6, kAcross = 0.2, kSpeed = 2;
const Vec3 kGrain{std::cos(0.5), std::sin(0.5), 0}, kSide{-kGrain.y, kGrain.x, 0};
const std::string kConverged =
    "-preset accurate -friction_pairing minimum -newton_damping 1 -snes_atol 1e-12 -snes_max_it 100 "
    "-accept_budget false -ksp_type preonly -pc_type lu ";

/// A point mass on a plane; the plane's material is "m", the mass' has a friction that no pairing by the minimum sees.
World sled(const FrictionDescription& surface, double friction = 0.5) {
  World w = world_with_plane(friction);
  w.materials["m"].surface = surface;
  w.materials["plain"].friction = 10;
  ParticleDescription p;
  p.name = "sled";
  p.mass = 2;
  p.velocity = {kSpeed, 0, 0};
  p.material = "plain";
  w.particles.push_back(p);
  return w;
}

FrictionDescription ellipse() {
  FrictionDescription s;
  s.cone = "ellipse";
  s.numbers = {kAlong, kAcross};
  s.structure.direction = kGrain;
  return s;
}

/// Force over normal force that dissipates most at v, on the ellipse.
Vec3 ellipse_force(const Vec3& v) {
  const double t = kAlong * dot(v, kGrain), b = kAcross * dot(v, kSide), s = std::hypot(t, b);
  return -(kAlong * t / s) * kGrain - (kAcross * b / s) * kSide;
}

struct Motion2 {
  Vec3 x, v;
};

/// The reduced equations v' = g f(v) to time t, by the classical Runge-Kutta method: f is smooth while the mass slides.
Motion2 reference(double t) {
  constexpr int kSteps = 20000;  // error of h⁴: rounding
  const double h = t / kSteps;
  Motion2 m{{}, {kSpeed, 0, 0}};
  const auto a = [](const Vec3& v) { return kGravity * ellipse_force(v); };
  for (int i = 0; i < kSteps; ++i) {
    const Vec3 k1 = a(m.v), k2 = a(m.v + 0.5 * h * k1), k3 = a(m.v + 0.5 * h * k2), k4 = a(m.v + h * k3);
    m.x += h * m.v + (h * h / 6) * (k1 + k2 + k3);
    m.v += (h / 6) * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
  }
  return m;
}

double angle_between(const Vec3& a, const Vec3& b) { return std::atan2(norm(cross(a, b)), dot(a, b)); }

}  // namespace

BOOST_AUTO_TEST_CASE(force_on_an_ellipse_dissipates_most) {
  for (const char* law : {"-contact_law decoupled -friction_map disc_projection",
                          "-contact_law decoupled -friction_map disc_projection_coupled", "-contact_law alart_curnier",
                          "-contact_law natural_map", "-contact_law soc_fischer_burmeister", "-contact_law jean_moreau",
                          "-snes_type nsgs -snes_max_it 1000"}) {
    const ScopedOptions scoped(kConverged + law);
    Model model(sled(ellipse()), 1.0 / 120);
    double angle = 0, size = 0;
    const RunFigures f = run(model, 45, [&](const StepReport&) {
      const FrameContact c = model.frame().contacts.at(0);
      const Vec3 force = ellipse_force(c.slip_velocity);
      angle = std::fmax(angle, angle_between(c.friction_force, force));
      size = std::fmax(size, std::fabs(norm(c.friction_force) / norm(c.normal_force) - norm(force)));
    });
    BOOST_TEST_CONTEXT(law) {
      BOOST_TEST(f.failed == 0);
      BOOST_TEST(angle < 1e-6);  // rad; the bound. Solved to 1e-12 m/s at speeds above 0.1 m/s
      BOOST_TEST(size < 1e-8);
    }
  }
}

BOOST_AUTO_TEST_CASE(path_on_an_ellipse_is_of_first_order) {
  constexpr double kEnd = 0.3;
  const Motion2 exact = reference(kEnd);
  double last = 0;
  for (int k = 0; k < 4; ++k) {
    const ScopedOptions scoped(kConverged);
    const int steps = 20 << k;
    Model model(sled(ellipse()), kEnd / steps);
    run(model, steps);
    const double error = norm(model.frame().particles[0].position - exact.x);
    if (k > 0) BOOST_TEST(std::fabs(std::log2(last / error) - 1) < 0.1);  // the next order at 1/67 s
    last = error;
  }
  BOOST_TEST(last < 0.01);
}

BOOST_AUTO_TEST_CASE(equal_axes_slide_as_the_disc) {
  FrictionDescription round = ellipse();
  round.numbers = {0.5, 0.5};
  FrictionDescription quarters = ellipse();
  quarters.cone = "asymmetric";
  quarters.numbers = {0.5, 0.5, 0.5};
  std::vector<Vec3> end;
  for (const FrictionDescription& surface : {FrictionDescription{}, round, quarters}) {
    const ScopedOptions scoped(kConverged);
    Model model(sled(surface), 1.0 / 120);
    run(model, 60);
    end.push_back(model.frame().particles[0].position);
  }
  constexpr double kSolve = 1e-11;  // 60 steps to 1e-12 m/s
  BOOST_TEST(norm(end[1] - end[0]) < kSolve);
  BOOST_TEST(norm(end[2] - end[0]) < kSolve);
}

BOOST_AUTO_TEST_CASE(polygon_is_biased_towards_its_corners) {
  // A square, first corner along x, and a mass that slides at 30 degrees: the force sits at the corner against x and
  // turns the path.
  for (const auto& [facets, least, most] :
       {std::tuple{4, 0.5, 3.2}, std::tuple{16, 0.01, 0.4}, std::tuple{64, 0.0, 0.11}}) {
    FrictionDescription surface;
    surface.cone = "polygon";
    surface.numbers = {double(facets)};
    const ScopedOptions scoped(kConverged);
    World w = sled(surface);
    const Vec3 along{std::cos(0.5), std::sin(0.5), 0};
    w.particles[0].velocity = kSpeed * along;
    Model model(w, 1.0 / 120);
    double angle = 0;
    const RunFigures f = run(model, 30, [&](const StepReport&) {
      const FrameContact c = model.frame().contacts.at(0);
      angle = std::fmax(angle, angle_between(c.friction_force, -c.slip_velocity));
    });
    BOOST_TEST_CONTEXT(facets << " facets") {
      BOOST_TEST(f.failed == 0);
      BOOST_TEST(angle >= least);
      BOOST_TEST(angle <= most);
      // Up to half a wedge beside the velocity; in the interior of an edge it can be none.
      BOOST_TEST(angle <= 3.14159265358979 / facets + 1e-9);
    }
  }
}

BOOST_AUTO_TEST_CASE(asymmetric_resists_backward_more_than_forward) {
  FrictionDescription scales;
  scales.cone = "asymmetric";
  scales.numbers = {0.2, 0.8, 0.4};
  for (const char* law : {"-contact_law decoupled", "-contact_law alart_curnier", "-contact_law jean_moreau"})
    for (const auto& [direction, mu] :
         {std::pair{Vec3{1, 0, 0}, 0.2}, std::pair{Vec3{-1, 0, 0}, 0.8}, std::pair{Vec3{0, 1, 0}, 0.4}}) {
      const ScopedOptions scoped(kConverged + law);
      World w = sled(scales);
      w.particles[0].velocity = kSpeed * direction;
      constexpr double h = 0.01;
      Model model(w, h);
      run(model, 10);
      const Vec3 v = model.frame().particles[0].velocity;
      BOOST_TEST_CONTEXT(law << " mu " << mu)
      BOOST_TEST(norm(v - (kSpeed - 10 * mu * kGravity * h) * direction) < 1e-10);  // 10 solves
    }
}

BOOST_AUTO_TEST_CASE(cones_that_a_law_cannot_take_are_refused) {
  FrictionDescription scales;
  scales.cone = "asymmetric";
  scales.numbers = {0.2, 0.8, 0.4};
  for (const char* law :
       {"-friction_map fixed_point", "-contact_law soc_fischer_burmeister",
        "-contact_law soc_fischer_burmeister -snes_type nsgs", "-friction_map fixed_point -snes_type admm"}) {
    const ScopedOptions scoped(kConverged + law);
    BOOST_TEST_CONTEXT(law) BOOST_CHECK_THROW(Model(sled(scales), 0.01).prepare(), InputError);
  }
}

BOOST_AUTO_TEST_CASE(every_law_and_strategy_has_the_force_of_a_section) {
  FrictionDescription scales;
  scales.cone = "asymmetric";
  scales.numbers = {0.2, 0.8, 0.4};
  FrictionDescription square;
  square.cone = "polygon";
  square.numbers = {4};
  square.structure.direction = kGrain;
  for (const FrictionDescription& surface : {scales, square}) {
    std::vector<Vec3> end;
    for (const char* law :
         {"-friction_map disc_projection", "-friction_map disc_projection_coupled", "-contact_law alart_curnier",
          "-contact_law jean_moreau", "-contact_law natural_map", "-snes_type nsgs -snes_max_it 1000",
          "-snes_type admm -admm_iterations 2000", "-contact_law natural_map -snes_type desaxce -npc_snes_max_it 100",
          "-snes_type proximal_point -npc_snes_max_it 100", "-friction_map disc_projection -newton_start_sweeps 3",
          "-contact_law natural_map -newton_merit natural_map"}) {
      const ScopedOptions scoped(kConverged + "-snes_atol 1e-10 " + law);
      World w = sled(surface);
      w.particles[0].velocity = {0.6 * kSpeed, 0.8 * kSpeed, 0};
      Model model(w, 1.0 / 120);
      const RunFigures f = run(model, 40);
      BOOST_TEST_CONTEXT(surface.cone << " " << law) {
        BOOST_TEST(f.failed == 0);
        end.push_back(model.frame().particles[0].velocity);
        BOOST_TEST(norm(end.back() - end.front()) < 1e-8);  // 40 solves to 1e-10 m/s
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(two_cones_that_no_rule_pairs_are_refused) {
  FrictionDescription scales;
  scales.cone = "asymmetric";
  scales.numbers = {0.2, 0.8, 0.4};
  const ScopedOptions scoped(kConverged);
  World w = sled(scales);
  w.particles[0].material = "m";
  BOOST_CHECK_THROW(Model(w, 0.01), InputError);
  w.no_collision.emplace_back("sled", w.bodies[0].name);
  BOOST_CHECK_NO_THROW(Model(w, 0.01));
}

BOOST_AUTO_TEST_CASE(fast_cube_stays_on_its_plane) {
  for (const double h : {0.001, 0.01, 0.05, 0.1}) {
    const ScopedOptions scoped(kConverged + "-contact_margin 0.1");
    World w = world_with_plane(0.5);
    BodyDescription cube = box("cube", {0.1, 0.1, 0.1}, 1, {0, 0, 0.1});
    cube.velocity = {6, 0, 0};
    w.bodies.push_back(cube);
    Model model(w, h);
    double lift = 0;
    const RunFigures f = run(model, static_cast<int>(1.4 / h), [&](const StepReport&) {
      lift = std::fmax(lift, std::fabs(model.frame().bodies[1].position.z - 0.1));
    });
    BOOST_TEST_CONTEXT("h " << h) {
      BOOST_TEST(f.failed == 0);
      BOOST_TEST(lift < 1e-9);  // a convex relaxation: μ v h = 3e-3 to 0.3 m
    }
  }
}

BOOST_AUTO_TEST_CASE(stick_and_slip_have_the_analytic_period) {
  // Mass m on a belt of speed V, held by a spring k. It sticks until the spring reaches μ_s m g and slips as an
  // oscillator around
  // μ_k m g/k with the amplitude √(A² + (V/ω)²), A = (μ_s − μ_k) m g/k:   T = 2 A/V + (π + 2 atan(V/(ω A)))/ω
  constexpr double V = 0.05, k = 100, m = 1, mu_s = 0.5, mu_k = 0.3, h = 2e-4;
  const double omega = std::sqrt(k / m), A = (mu_s - mu_k) * m * kGravity / k;
  const double period = 2 * A / V + (3.14159265358979 + 2 * std::atan(V / (omega * A))) / omega;
  for (const char* state : {"lagged", "implicit"}) {
    const ScopedOptions scoped(kConverged + "-friction_state " + state);
    World w = world_with_plane(mu_s);
    w.materials["m"].surface.kinetic = mu_k / mu_s;
    w.materials["m"].surface.stribeck_speed = 1e-4;
    w.bodies[0].motion = Motion::prescribed;
    w.bodies[0].velocity = {V, 0, 0};
    ParticleDescription p;
    p.name = "mass";
    p.mass = m;
    p.material = "m";
    w.particles.push_back(p);
    JointDescription spring;
    spring.type = "distance";
    spring.name = "spring";
    spring.a = "mass";
    spring.b = "world";
    spring.anchor_b = {-1, 0, 0};
    spring.length = 1;
    spring.compliance = {1 / k};
    w.joints.push_back(spring);
    Model model(w, h);
    std::vector<double> starts;  // of slips
    double most = 0;
    bool stuck = true;
    const RunFigures f = run(model, static_cast<int>(3.6 * period / h), [&](const StepReport& r) {
      const FrameParticle now = model.frame().particles[0];
      const bool sticks = std::fabs(now.velocity.x - V) < 1e-3 * V;
      if (stuck && !sticks) starts.push_back(r.time);
      stuck = sticks;
      most = std::fmax(most, now.position.x);
    });
    BOOST_TEST_CONTEXT(state) {
      BOOST_TEST(f.failed == 0);
      BOOST_REQUIRE(starts.size() >= 3u);
      // Backward Euler damps half a swing by π ω h/2 = 0.3 %, the fall of μ takes (6 v_s/(k V/m))^½ ≈ 10 ms of a
      // second.
      BOOST_TEST(std::fabs((starts[2] - starts[1]) / period - 1) < 0.02);
      BOOST_TEST(std::fabs(most / (mu_k * m * kGravity / k + std::hypot(A, V / omega)) - 1) < 0.02);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
