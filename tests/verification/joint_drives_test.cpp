// Drives: spring and damper, limited effort, motors and servos without compliance, and angles that wind; every step is
// the exact step of implicit Euler (one_coordinate.hpp).

#include "tests/verification/one_coordinate.hpp"

#include <boost/test/unit_test.hpp>

#include <numbers>

using namespace clarke;
using namespace clarke::test;
using namespace clarke::test::one_coordinate;

BOOST_AUTO_TEST_SUITE(joint_drives)

BOOST_AUTO_TEST_CASE(a_drive_is_a_spring_and_a_damper) {
  everywhere([](Kind kind, const std::string& options) {
    const double k = 70, d = 5;
    const TimeFunction target = TimeFunction::expression("0.4 * sin(3 * t)"),
                       rate = TimeFunction::expression("1.2 * cos(3 * t)");
    const Mechanism m{kind, 2, 0.3, drive(k, d, target, rate)};
    double q = 0, v = 0.3;
    step_through(m, options, 100, [&](const Point& p) {
      const double goal = target(p.time), speed = rate(p.time);
      exact_step(
          kind, q, v, [&](double x, double w) { return 2 + k * (goal - x) + d * (speed - w); }, -k, -d);
      // The errors of a hundred steps, each forgotten with the damping d/m.
      BOOST_TEST(std::fabs(p.q - q) <= kTenSolved);
      BOOST_TEST(std::fabs(p.v - v) <= 10 * kTenSolved);
      BOOST_TEST(std::fabs(p.effort - k * (goal - q) - d * (speed - v)) <= 10 * kForce);
    });
  });
}

BOOST_AUTO_TEST_CASE(a_drive_gives_way_to_a_weight) {
  // At rest k (target − θ) = m g d cos θ.
  for (const std::string& options : laws()) {
    const ScopedOptions scoped(options + " -geometric_stiffness exact");
    const double k = 60, distance = 0.8;
    Model model(arm(drive(k, 30, 0.2, 0.0), 0.0, distance), kStep);
    run(model, 1500);
    const FrameJoint j = model.frame().joints[0];
    const double moment = kInertia * kGravity * distance * std::cos(j.coordinate[0]);
    BOOST_TEST(std::fabs(j.rate[0]) <= kTenSolved);
    BOOST_TEST(std::fabs(k * (0.2 - j.coordinate[0]) - moment) <= kForce);
    BOOST_TEST(std::fabs(j.effort[0] - moment) <= kForce);
  }
}

BOOST_AUTO_TEST_CASE(effort_saturates_exactly) {
  everywhere([](Kind kind, const std::string& options) {
    // The holding effort is 3: below it the drive gives all it has and the body leaves with (F − effort)/m.
    for (const double k : {500.0, kInf})
      for (const double side : {-1.0, 1.0}) {
        const Mechanism m{kind, side * 3, 0, drive(k, 0, 0.0, 0.0, 2)};
        double q = 0, v = 0;
        bool pushed = false;
        step_through(m, options, 60, [&](const Point& p) {
          BOOST_TEST(std::fabs(p.effort) <= 2 + kForce);
          pushed = pushed || std::fabs(side * p.effort + 2) <= kForce;
          if (!pushed) {  // the spring comes to its limit first
            BOOST_TEST(k == 500);
            q = p.q, v = p.v;
            return;
          }
          BOOST_TEST(std::fabs(side * p.effort + 2) <= kForce);
          exact_step(
              kind, q, v, [&](double, double) { return side; }, 0, 0);
          BOOST_TEST(std::fabs(p.v - v) <= 10 * kTenSolved);
          BOOST_TEST(std::fabs(p.q - q) <= kTenSolved);
        });
        BOOST_TEST(pushed);
      }
    // Above it the drive without compliance holds as if it had no limit.
    const Mechanism m{kind, 3, 0, drive(kInf, 0, 0.0, 0.0, 3.5)};
    step_through(m, options, 20, [&](const Point& p) {
      BOOST_TEST(std::fabs(p.q) <= kStep * kTenSolved);
      BOOST_TEST(std::fabs(p.effort + 3) <= kForce);
    });
  });
}

BOOST_AUTO_TEST_CASE(a_weak_drive_lets_the_arm_fall) {
  // The first step from rest: I θ̈ = effort − m g d with I about the hinge; cos θ⁺ differs from one by O(h⁴).
  for (const std::string& options : laws()) {
    const ScopedOptions scoped(options + " -geometric_stiffness exact");
    const double distance = 0.8, effort = 10, inertia = 0.2 + kInertia * distance * distance;
    Model model(arm(drive(kInf, 0, 0.0, 0.0, effort), 0, distance), kStep);
    run(model, 1);
    const FrameJoint j = model.frame().joints[0];
    const double exact = (effort - kInertia * kGravity * distance) / inertia;
    BOOST_TEST(std::fabs(j.effort[0] - effort) <= kForce);
    BOOST_TEST(std::fabs(j.rate[0] / kStep - exact) <= kStep * kStep * std::fabs(exact));
  }
}

BOOST_AUTO_TEST_CASE(motors_and_servos_without_compliance) {
  everywhere([](Kind kind, const std::string& options) {
    // A velocity motor is at its rate after one step.
    const Mechanism motor{kind, 2, -0.5, drive(0, kInf, 0.0, 1.5)};
    double v = -0.5;
    step_through(motor, options, 10, [&](const Point& p) {
      BOOST_TEST(std::fabs(p.v - 1.5) <= kTenSolved);
      BOOST_TEST(std::fabs(p.effort - (kInertia * (1.5 - v) / kStep - 2)) <= kForce);
      v = 1.5;
    });
    // One with little effort gets there at the rate that effort allows.
    const Mechanism weak{kind, 0, 0, drive(0, kInf, 0.0, 1.5, 20)};
    int n = 0;
    step_through(weak, options, 30, [&](const Point& p) {
      ++n;
      BOOST_TEST(std::fabs(p.v - std::min(1.5, n * kStep * 20 / kInertia)) <= kTenSolved);
    });
    // A servo is at its target after every step.
    const TimeFunction target = TimeFunction::expression("0.4 * sin(3 * t)");
    const Mechanism servo{kind, 2, 0, drive(kInf, 0, target, 0.0)};
    step_through(servo, options, 50,
                 [&](const Point& p) { BOOST_TEST(std::fabs(p.q - target(p.time)) <= kStep * kTenSolved); });
  });
}

BOOST_AUTO_TEST_CASE(ten_turns_are_twenty_pi) {
  // A turn of 15° per step, and 240 of them; a step at ω turns by 2 atan(h ω/2).
  constexpr double kTurn = 2 * std::numbers::pi;
  for (const std::string& options : laws())
    for (const double side : {-1.0, 1.0}) {
      Mechanism m{{true, false}, 0, 0, drive(0, kInf, 0.0, side * 2 / kStep * std::tan(kTurn / 48))};
      m.coordinate.start = 0.25;
      int n = 0;
      step_through(m, options, 240, [&](const Point& p) {
        ++n;
        BOOST_TEST(std::fabs(p.q - 0.25 - side * n * kTurn / 24) <= n * kStep * kTenSolved);
      });
    }
}

BOOST_AUTO_TEST_CASE(a_gear_keeps_count_of_the_turns) {
  // Ten turns of the second wheel are twenty-five backwards of the first; each step turns by 15° and 37.5°.
  constexpr double kTurn = 2 * std::numbers::pi;
  World w = world_of({{true, false}, 0, 0, drive(0, kInf, 0.0, 2 / kStep * std::tan(kTurn / 48))});
  w.bodies.push_back(free_body("c", 1, {0.3, 0.3, 0.3}, {4, 0, 0}));
  w.joints.push_back(joint_at("hinge", "k", "c", "world", {4, 0, 0}));
  w.joints.push_back(joint_at("gear", "gear", "", "", {}));
  w.joints[2].joint_1 = "k";
  w.joints[2].joint_2 = "j";
  w.joints[2].ratio = -2.5;
  const ScopedOptions scoped(kExactSteps);
  Model model(w, kStep);
  int n = 0;
  run(model, 240, [&](const StepReport& r) {
    BOOST_TEST(!r.failed);
    ++n;
    const Frame f = model.frame();
    BOOST_TEST(std::fabs(f.joints[0].coordinate[0] - n * kTurn / 24) <= n * kStep * kTenSolved);
    BOOST_TEST(std::fabs(f.joints[1].coordinate[0] + 2.5 * n * kTurn / 24) <= 3 * n * kStep * kTenSolved);
  });
}

BOOST_AUTO_TEST_SUITE_END()
