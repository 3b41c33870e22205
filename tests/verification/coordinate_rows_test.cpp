// Limits, friction and prescribed motion along a coordinate: every step is the exact step of implicit Euler
// (one_coordinate.hpp).

#include "tests/verification/one_coordinate.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;
using namespace clarke::test::one_coordinate;

BOOST_AUTO_TEST_SUITE(coordinate_rows)

BOOST_AUTO_TEST_CASE(limits_stop_on_both_sides) {
  everywhere([](Kind kind, const std::string& options) {
    for (const double side : {-1.0, 1.0}) {
      Mechanism m{kind, side * 3, 0, {}};
      m.coordinate.lower = -0.1;
      m.coordinate.upper = 0.1;
      double q = 0, v = 0;
      int held = 0;
      step_through(m, options, 60, [&](const Point& p) {
        BOOST_TEST(side * p.q <= 0.1 + kStep * kTenSolved);
        BOOST_TEST(side * p.effort <= kForce);  // a limit pushes back, never on
        if (std::fabs(p.effort) <= kForce && held == 0) {
          exact_step(
              kind, q, v, [&](double, double) { return m.load; }, 0, 0);
          BOOST_TEST(std::fabs(p.q - q) <= kTenSolved);
          return;
        }
        ++held;
        BOOST_TEST(std::fabs(side * p.q - 0.1) <= kStep * kTenSolved);
        // One step to the limit, one to stop there, and then the load alone.
        if (held > 2) BOOST_TEST(std::fabs(p.effort + m.load) <= kForce);
      });
      BOOST_TEST(held > 20);  // ½ a t² = 0.1 m takes 0.37 s
      // The limit acts when it must and no sooner: one more free step would have been one too many.
      BOOST_TEST(std::fabs(q) > 0.1 - kStep * (std::fabs(v) + kStep * 3 / kInertia));
    }
  });
}

BOOST_AUTO_TEST_CASE(a_pendulum_falls_on_its_limit_and_stays) {
  for (const std::string& options : laws()) {
    const ScopedOptions scoped(options + " -geometric_stiffness exact");
    CoordinateDescription c;
    c.lower = -0.5;
    c.upper = 0.4;
    Model model(arm(c, 0.3, 0.8), kStep);
    int held = 0;
    run(model, 150, [&](const StepReport& r) {
      BOOST_TEST(!r.failed);
      const FrameJoint j = model.frame().joints[0];
      BOOST_TEST(j.coordinate[0] >= -0.5 - kStep * kTenSolved);
      BOOST_TEST(j.effort[0] >= -kForce);
      held = j.effort[0] > kForce ? held + 1 : 0;
    });
    const FrameJoint j = model.frame().joints[0];
    BOOST_TEST(held > 50);  // and never leaves it: implicit Euler's impact is inelastic
    BOOST_TEST(std::fabs(j.coordinate[0] + 0.5) <= kStep * kTenSolved);
    BOOST_TEST(std::fabs(j.effort[0] - kInertia * kGravity * 0.8 * std::cos(0.5)) <= kForce);
  }
}

BOOST_AUTO_TEST_CASE(compliant_limits_give_way_by_force_times_compliance) {
  everywhere([](Kind kind, const std::string& options) {
    for (const double side : {-1.0, 1.0})
      for (const double damping : {0.0, 40.0}) {
        Mechanism m{kind, side * 3, 0, {}};
        m.coordinate.lower = -0.1;
        m.coordinate.upper = 0.1;
        m.coordinate.limit_compliance = 1e-4;
        m.coordinate.limit_damping = damping;
        Point last{};
        // k h²/m = 0.5: implicit Euler damps what is left after the impact by 18 % per step.
        step_through(m, options, 250, [&](const Point& p) {
          BOOST_TEST(side * p.effort <= kForce);
          last = p;
        });
        BOOST_TEST(std::fabs(last.q - side * (0.1 + 3e-4)) <= kTenSolved);
        BOOST_TEST(std::fabs(last.effort + m.load) <= kForce);
      }
  });
}

BOOST_AUTO_TEST_CASE(dry_friction_holds_and_does_not_creep) {
  everywhere([](Kind kind, const std::string& options) {
    Mechanism m{kind, 1.9, 0, {}};
    m.coordinate.friction_dry = 2;
    double q = 0;
    step_through(m, options, 500, [&](const Point& p) {
      BOOST_TEST(std::fabs(p.effort + 1.9) <= kForce);
      q = p.q;
    });
    // Five hundred steps of what a step is solved to; steady creep would add up to a thousand times more.
    BOOST_TEST(std::fabs(q) <= 500 * kStep * kSolved);
  });
}

BOOST_AUTO_TEST_CASE(dry_friction_slows_down_and_stops) {
  everywhere([](Kind kind, const std::string& options) {
    for (const double side : {-1.0, 1.0}) {
      Mechanism m{kind, side * -0.5, side * 0.4, {}};  // the load helps to stop, and is not enough to turn back
      m.coordinate.friction_dry = 2;
      double speed = 0.4;
      step_through(m, options, 60, [&](const Point& p) {
        const double before = speed;
        speed = std::max(0.0, speed - kStep * 2.5 / kInertia);
        BOOST_TEST(std::fabs(side * p.v - speed) <= kTenSolved);
        BOOST_TEST(std::fabs(side * p.effort - (kInertia * (speed - before) / kStep + 0.5)) <= kForce);
      });
      BOOST_TEST(speed == 0);
      // A load above the limit drags the body along.
      Mechanism dragged{kind, side * 3, 0, {}};
      dragged.coordinate.friction_dry = 2;
      step_through(dragged, options, 20, [&](const Point& p) {
        BOOST_TEST(std::fabs(side * p.v - p.time / kInertia) <= kTenSolved);
        BOOST_TEST(std::fabs(side * p.effort + 2) <= kForce);
      });
    }
  });
}

BOOST_AUTO_TEST_CASE(viscous_friction) {
  everywhere([](Kind kind, const std::string& options) {
    const double b = 6;
    Mechanism m{kind, 0, 0.9, {}};
    m.coordinate.friction_viscous = b;
    double v = 0.9;
    step_through(m, options, 60, [&](const Point& p) {
      v /= 1 + kStep * b / kInertia;
      BOOST_TEST(std::fabs(p.v - v) <= kTenSolved);
      BOOST_TEST(std::fabs(p.effort + b * v) <= kForce);
    });
  });
}

BOOST_AUTO_TEST_CASE(prescribed_motion_of_a_coordinate) {
  everywhere([](Kind kind, const std::string& options) {
    const TimeFunction motion = TimeFunction::expression("0.4 * sin(3 * t)");
    Mechanism m{kind, 2, 0, {}};
    m.coordinate.motion = motion;
    double last = 0, rate = 0;
    step_through(m, options, 60, [&](const Point& p) {
      const double now = motion(p.time), difference = now - last;
      const double expected = kind.wheel ? 2 / kStep * std::tan(0.5 * difference) : difference / kStep;
      BOOST_TEST(std::fabs(p.q - now) <= kStep * kTenSolved);
      BOOST_TEST(std::fabs(p.v - expected) <= 2 * kTenSolved);
      // The derivative at the end of the step, which half a step of acceleration (3.6 rad/s²) is away from.
      BOOST_TEST(std::fabs(p.v - 1.2 * std::cos(3 * p.time)) <= 0.6 * kStep * 3.6);
      BOOST_TEST(std::fabs(p.effort - (kInertia * (expected - rate) / kStep - 2)) <= 3 * kForce);
      last = now;
      rate = expected;
    });
  });
}

BOOST_AUTO_TEST_CASE(prescribed_motion_of_a_pin) {
  // A body hung eccentrically on a point that moves.
  World w;
  w.bodies = {free_body("b", kInertia, {0.1, 0.2, 0.3}, {0, 0, 0})};
  const Vec3 anchor{0.2, 0.1, 0.5};
  w.joints = {joint_at("pin", "p", "b", "world", anchor)};
  const VectorFunction path{TimeFunction::expression("0.3 * sin(3 * t)"),
                            TimeFunction::expression("0.2 * (cos(2 * t) - 1)"), TimeFunction::expression("0.1 * t^2")};
  w.joints[0].motion = {path.x, path.y, path.z};
  const ScopedOptions scoped(kExactSteps + "-geometric_stiffness exact");
  Model model(w, kStep);
  run(model, 100, [&](const StepReport& r) {
    BOOST_TEST(!r.failed);
    const Frame f = model.frame();
    const Vec3 held = f.bodies[0].position + rotate(f.bodies[0].orientation, anchor);
    BOOST_TEST(norm(held - anchor - path(r.time)) <= 2 * kStep * kTenSolved);
    BOOST_TEST(norm(f.joints[0].point - held) <= 1e-15);
  });
}

BOOST_AUTO_TEST_CASE(a_base_with_prescribed_motion) {
  // The body is dragged by viscous friction behind a base that moves along the axis, or turns about it: u⁺ = u/(1 + h
  // b/m) of the relative speed u.
  for (const bool wheel : {false, true}) {
    World w = world_of({{wheel, false}, 0, 0, {}});
    BodyDescription base = free_body("base", 1, {1, 1, 1}, {1, 2, 3});
    base.motion = Motion::prescribed;
    (wheel ? base.angular_velocity : base.velocity) = 0.7 * kAxis;
    w.bodies.push_back(base);
    w.joints[0].b = "base";
    w.joints[0].coordinates[0].friction_viscous = 6;
    const ScopedOptions scoped(kExactSteps);
    Model model(w, kStep);
    double relative = -0.7;
    run(model, 80, [&](const StepReport& r) {
      BOOST_TEST(!r.failed);
      relative /= 1 + kStep * 6 / kInertia;
      const Frame f = model.frame();
      BOOST_TEST(std::fabs(f.joints[0].rate[0] - relative) <= kTenSolved);
      const Vec3 speed = wheel ? f.bodies[0].angular_velocity : f.bodies[0].velocity;
      BOOST_TEST(norm(speed - (0.7 + relative) * kAxis) <= kTenSolved);
    });
  }
}

BOOST_AUTO_TEST_SUITE_END()
