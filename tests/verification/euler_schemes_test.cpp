// Symplectic and semi-implicit Euler: their recurrences, orders and limits of stability.

#include "tests/soft_worlds.hpp"
#include "tests/verification/relaxed_worlds.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(euler_schemes)

namespace {

/// A particle of 2 kg on a spring of 1 m along x, stretched by 0.1 m: linear as long as it stays on the axis.
World on_a_spring(double k) {
  World w;
  w.gravity = Vec3{};
  ParticleDescription p;
  p.name = "p", p.mass = 2, p.position = {1.1, 0, 0};
  w.particles = {p};
  JointDescription spring;
  spring.type = "distance", spring.name = "spring", spring.a = "p", spring.b = "world";
  spring.anchor_a = {1.1, 0, 0}, spring.anchor_b = {0, 0, 0}, spring.length = 1, spring.compliance = {1 / k};
  w.joints = {spring};
  return w;
}

struct Motion1 {
  double x, v;
};

/// Elongation and speed after `steps`, and the largest elongation on the way.
Motion1 swing_on(const World& w, double h, int steps, const std::string& options, double* largest = nullptr) {
  const ScopedOptions scoped("-detect_again 0 " + options);
  Model model(w, h);
  run(model, steps, [&](const StepReport& r) {
    BOOST_TEST_REQUIRE(!r.failed, r.reason);
    if (largest) *largest = std::max(*largest, std::fabs(model.frame().particles[0].position.x - 1));
  });
  const FrameParticle p = model.frame().particles[0];
  return {p.position.x - 1, p.velocity.x};
}

}  // namespace

BOOST_AUTO_TEST_CASE(symplectic_euler_by_its_recurrence) {
  constexpr double k = 200, m = 2, h = 0.03;
  double x = 0.1, v = 0, largest = 0;
  for (int i = 0; i < 1000; ++i) {
    v -= h * k * x / m;
    x += h * v;
  }
  const Motion1 found = swing_on(on_a_spring(k), h, 1000, "-integrator symplectic_euler", &largest);
  constexpr double kRounding = 1e-11;  // a thousand steps of rounding on 0.1 m and 1 m/s
  BOOST_TEST(std::fabs(found.x - x) <= kRounding);
  BOOST_TEST(std::fabs(found.v - v) <= 10 * kRounding);
  BOOST_TEST(largest < 0.11);  // no energy is gained over fifty periods
}

// h ω < 2: just below it an oscillation stays what it is, just above it grows without bound.
BOOST_AUTO_TEST_CASE(symplectic_euler_is_stable_below_two) {
  const auto largest_at = [](double h_omega) {
    double largest = 0;
    // ω = √(k/m) = 10; rounding of what has grown is no failure here
    swing_on(on_a_spring(200), h_omega / 10, 200, "-integrator symplectic_euler -accept_velocity_error 1e300",
             &largest);
    return largest;
  };
  BOOST_TEST(largest_at(1.98) < 2);  // bounded by 0.1/√(1 − (h ω/2)²)
  BOOST_TEST(largest_at(2.02) > 1e6);
}

BOOST_AUTO_TEST_CASE(semi_implicit_is_implicit_where_forces_are_linear) {
  for (const double h_omega : {0.3, 30.0, 3000.0}) {  // stable for every step
    const double h = h_omega / 10;
    double largest = 0;
    const Motion1 one = swing_on(on_a_spring(200), h, 20, "-integrator semi_implicit", &largest);
    const Motion1 all = swing_on(on_a_spring(200), h, 20, "-snes_type primal -snes_atol 1e-13 -snes_max_it 50");
    constexpr double kRounding = 1e-12;
    BOOST_TEST(std::fabs(one.x - all.x) <= kRounding);
    BOOST_TEST(std::fabs(one.v - all.v) <= 10 * kRounding / h);
    BOOST_TEST(largest <= 0.1);
  }
}

// A double pendulum on springs against implicit Euler's limit: halving the step halves the error.
BOOST_AUTO_TEST_CASE(both_are_of_first_order) {
  const auto tip = [](double h, const std::string& options) {
    const ScopedOptions scoped("-detect_again 0 " + options);
    Model model(pendulum(1e3, 1e3, 1), h);
    const RunFigures f = run(model, static_cast<int>(std::lround(0.25 / h)));
    BOOST_TEST_REQUIRE(f.failed == 0);
    return model.frame().particles[1].position;
  };
  const Vec3 limit = tip(1.0 / 6400, "-integrator tr_bdf2 -snes_type primal -snes_atol 1e-12 -snes_max_it 50");
  for (const std::string scheme : {"symplectic_euler", "semi_implicit"}) {
    const double coarse = norm(tip(1.0 / 400, "-integrator " + scheme) - limit),
                 fine = norm(tip(1.0 / 800, "-integrator " + scheme) - limit);
    BOOST_TEST_MESSAGE(scheme << ": " << coarse << ", " << fine);
    BOOST_TEST(coarse / fine > 1.8);
    BOOST_TEST(coarse / fine < 2.2);
  }
}

// Elements as forces, contacts and friction: explicit at a step that resolves them, semi-implicit at 20 times of it.
BOOST_AUTO_TEST_CASE(contacts_and_elements_take_part) {
  World w = world_with_plane(0.5);
  SoftDescription cube = soft_box("cube", {0.2, 0.2, 0.2}, {1, 1, 1}, 1e5);
  cube.position = {0, 0, 1e-3};
  cube.material = "m";
  add_soft_body(w, cube);
  w.bodies.push_back(box("box", {0.1, 0.1, 0.1}, 5, {1, 0, 0.1}));
  const std::string soft = "-soft_form stiffness -detect_again 0 -contact_stiffness 2e4 -friction_stiffness 2e3 ";
  const auto depth = [&](double h, const std::string& options) {
    const ScopedOptions scoped(soft + options);
    Model model(w, h);
    double deepest = 0;
    const RunFigures f = run(model, static_cast<int>(std::lround(0.5 / h)),
                             [&](const StepReport& r) { deepest = std::max(deepest, r.verdict.penetration.value); });
    BOOST_TEST(f.failed == 0);
    return deepest;
  };
  const double implicit = depth(2e-3, "-snes_type primal -snes_atol 1e-10 -snes_max_it 100");
  BOOST_TEST(std::fabs(depth(2e-3, "-integrator semi_implicit") / implicit - 1) < 0.2);
  BOOST_TEST(depth(1e-4, "-integrator symplectic_euler") < 4 * implicit);  // it bounces, and implicit Euler hardly does
}

BOOST_AUTO_TEST_CASE(what_does_not_fit_is_refused) {
  const auto refusal = [](const World& w, const std::string& options) -> std::string {
    const ScopedOptions scoped(options);
    try {
      Model(w, 0.01).prepare();
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  World rigid = on_a_spring(200);
  rigid.joints[0].compliance.clear();
  rigid.joints[0].length.reset();
  for (const std::string scheme : {"symplectic_euler", "semi_implicit"}) {
    BOOST_TEST(refusal(rigid, "-integrator " + scheme).find("'distance spring'") != std::string::npos);
    const std::string type = refusal(on_a_spring(200), "-snes_type nsgs -integrator " + scheme);
    BOOST_TEST(type.find("-snes_type nsgs") != std::string::npos);
    BOOST_TEST(type.find("-integrator " + scheme) != std::string::npos);
  }
  BOOST_TEST(refusal(on_a_spring(200), "-snes_type explicit").find("symplectic_euler") != std::string::npos);
}

BOOST_AUTO_TEST_SUITE_END()
