// Rows of joints under moreau_jean, θ = 1/2: the same laws at velocity level, each step against its recursion in the
// coordinate alone (on a slider, where the coordinate is linear):
//
//   m (v⁺ − v) = h (F + λ⁺),   q⁺ = q + h (v⁺ + v)/2

#include "tests/verification/one_coordinate.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;
using namespace clarke::test::one_coordinate;

BOOST_AUTO_TEST_SUITE(moreau_joints)

namespace {

/// f(kind, options) for both orders of the ends and both NCP functions.
void on_sliders(const std::function<void(Kind, const std::string&)>& f) {
  for (const char* function : {"fischer_burmeister", "minimum_map"})
    for (const bool world_is_a : {false, true})
      f({false, world_is_a}, kExactSteps + "-integrator moreau_jean -ncp_function " + function);
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_drive_is_a_spring_and_a_damper) {
  on_sliders([](Kind kind, const std::string& options) {
    const double k = 70, d = 5;
    const TimeFunction target = TimeFunction::expression("0.4 * sin(3 * t)"),
                       rate = TimeFunction::expression("1.2 * cos(3 * t)");
    double q = 0, v = 0.3;
    step_through({kind, 2, v, drive(k, d, target, rate)}, options, 100, [&](const Point& p) {
      const double fixed = 2 + k * (target(p.time) - q - 0.5 * kStep * v) + d * rate(p.time);
      const double next = (kInertia * v + kStep * fixed) / (kInertia + 0.5 * kStep * kStep * k + kStep * d);
      q += 0.5 * kStep * (v + next);
      v = next;
      BOOST_TEST(std::fabs(p.q - q) <= kTenSolved);
      BOOST_TEST(std::fabs(p.v - v) <= 10 * kTenSolved);
    });
  });
}

BOOST_AUTO_TEST_CASE(friction) {
  on_sliders([](Kind kind, const std::string& options) {
    Mechanism m{kind, 0, 0.9, {}};
    m.coordinate.friction_viscous = 6;
    double v = 0.9;
    step_through(m, options, 60, [&](const Point& p) {
      v /= 1 + kStep * 6 / kInertia;
      BOOST_TEST(std::fabs(p.v - v) <= kTenSolved);
    });
    m = {kind, -0.5, 0.4, {}};
    m.coordinate.friction_dry = 2;
    v = 0.4;
    step_through(m, options, 60, [&](const Point& p) {
      v = std::max(0.0, v - kStep * 2.5 / kInertia);
      BOOST_TEST(std::fabs(p.v - v) <= kTenSolved);
    });
  });
}

BOOST_AUTO_TEST_CASE(a_limit_stops_once_it_is_reached) {
  on_sliders([](Kind kind, const std::string& options) {
    for (const double side : {-1.0, 1.0}) {
      Mechanism m{kind, side * 3, 0, {}};
      m.coordinate.lower = -0.1;
      m.coordinate.upper = 0.1;
      double fast = 0, last = 0;
      Point end{};
      step_through(m, options, 150, [&](const Point& p) {
        BOOST_TEST(side * p.effort <= kForce);
        fast = std::max(fast, side * p.v);
        // Half a step beyond it in the last free step, and another half while it stops.
        BOOST_TEST(side * p.q <= 0.1 + kStep * fast + kTenSolved);
        last = p.v;
        end = p;
      });
      BOOST_TEST(std::fabs(last) <= kStep * 0.2);  // at rest, or pulled back by a share of what is left of the error
      BOOST_TEST(std::fabs(side * end.q - 0.1) <= kStep * fast);
    }
  });
}

BOOST_AUTO_TEST_CASE(prescribed_motion_is_followed) {
  // From a start on the motion with its rate, a motion of constant rate is followed exactly, and a smooth one to first
  // order.
  on_sliders([](Kind kind, const std::string& options) {
    for (const bool servo : {false, true}) {
      const TimeFunction steady = TimeFunction::expression("0.5 * t"),
                         wave = TimeFunction::expression("0.4 * sin(3 * t)");
      const auto moved_by = [&](const TimeFunction& motion, double speed) {
        Mechanism m{kind, 2, speed, {}};
        if (servo)
          m.coordinate = drive(kInf, 0, motion, 0.0);
        else
          m.coordinate.motion = motion;
        return m;
      };
      step_through(moved_by(steady, 0.5), options, 50, [&](const Point& p) {
        BOOST_TEST(std::fabs(p.v - 0.5) <= kTenSolved);
        BOOST_TEST(std::fabs(p.q - steady(p.time)) <= kTenSolved);
      });
      step_through(moved_by(wave, 1.2), options, 200, [&](const Point& p) {
        BOOST_TEST(std::fabs(p.q - wave(p.time)) <=
                   3.6 * kStep * kStep / 0.2);  // ½ h² of 3.6 m/s² per step, forgotten by β = 0.2
        BOOST_TEST(std::fabs(p.v - 1.2 * std::cos(3 * p.time)) <= 2 * 3.6 * kStep);
      });
    }
  });
}

BOOST_AUTO_TEST_CASE(a_pin_that_moves) {
  World w;
  w.gravity = {};
  const Vec3 speed{0.5, -0.3, 0.2};
  w.particles = {free_particle("p", kInertia, {1, 2, 3}, speed)};
  w.joints = {joint_at("pin", "pin", "p", "world", {1, 2, 3})};
  w.joints[0].motion = {TimeFunction::expression("0.5 * t"), TimeFunction::expression("-0.3 * t"),
                        TimeFunction::expression("0.2 * t")};
  const ScopedOptions scoped(kExactSteps + "-integrator moreau_jean");
  Model model(w, kStep);
  run(model, 50, [&](const StepReport& r) {
    const FrameParticle p = model.frame().particles[0];
    BOOST_TEST(!r.failed);
    BOOST_TEST(norm(p.velocity - speed) <= kTenSolved);
    BOOST_TEST(norm(p.position - Vec3{1, 2, 3} - r.time * speed) <= kTenSolved);
    BOOST_TEST(norm(model.frame().joints[0].force) <= kForce);
  });
}

BOOST_AUTO_TEST_SUITE_END()
