#pragma once
// Test support: rows along a coordinate on a slider and on a wheel, to be compared step by step with implicit Euler in
// the coordinate alone:
//
//   m (v⁺ − v) = h (F + λ⁺),   q⁺ = q + h v⁺ (slider),   q⁺ = q + 2 atan(h v⁺/2) (wheel; quat.hpp)

#include "tests/jointed.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>

namespace clarke::test::one_coordinate {

inline constexpr double kStep = 0.01;  // [s]
inline constexpr double kInertia = 2;  // [kg | kg m²]
inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kForce = kTenSolved * kInertia / kStep;  // [N | N m] a velocity error as a force
inline const Vec3 kAxis{1.0 / 3, 2.0 / 3, 2.0 / 3};

struct Kind {
  bool wheel = false;
  bool world_is_a = false;  // then the axis points the other way: the coordinate stays the same
};

/// One body with one coordinate, pushed along it by a constant load F.
struct Mechanism {
  Kind kind;
  double load = 0, speed = 0;  // F [N | N m], v of the start
  CoordinateDescription coordinate;
};

inline World world_of(const Mechanism& m) {
  World w;
  w.gravity = {};
  BodyDescription body = free_body("b", kInertia, {kInertia, kInertia, kInertia}, {1, 2, 3});
  (m.kind.wheel ? body.angular_velocity : body.velocity) = m.speed * kAxis;
  w.bodies = {body};
  LoadDescription load;
  load.name = "push";
  load.body = "b";
  (m.kind.wheel ? load.torque : load.force) = VectorFunction(m.load * kAxis);
  w.loads = {load};
  w.joints = {joint_at(m.kind.wheel ? "hinge" : "slider", "j", "b", "world", {1, 2, 3}, kAxis)};
  if (m.kind.world_is_a) {
    std::swap(w.joints[0].a, w.joints[0].b);
    w.joints[0].axis = -kAxis;
  }
  w.joints[0].coordinates = {m.coordinate};
  return w;
}

/// What a coordinate is after a step.
struct Point {
  double time, q, v, effort, violation;
};

inline void step_through(const Mechanism& m, const std::string& options, int steps,
                         const std::function<void(const Point&)>& look) {
  const ScopedOptions scoped(options);
  Model model(world_of(m), kStep);
  const RunFigures f = run(model, steps, [&](const StepReport& r) {
    BOOST_TEST(!r.failed, r.reason << " in step " << r.step);
    const FrameJoint j = model.frame().joints[0];
    look({r.time, j.coordinate[0], j.rate[0], j.effort[0], j.violation});
  });
  BOOST_TEST(f.steps == steps);
}

/// The exact step of a coordinate under F + λ(q⁺, v⁺), λ and its slopes given: Newton on the one equation.
inline void exact_step(const Kind& kind, double& q, double& v, const std::function<double(double q, double v)>& force,
                       double slope_q, double slope_v) {
  const auto advanced = [&](double w) { return q + (kind.wheel ? 2 * std::atan(0.5 * kStep * w) : kStep * w); };
  double w = v;
  for (int i = 0; i < 30; ++i) {
    const double dq = kind.wheel ? kStep / (1 + 0.25 * kStep * kStep * w * w) : kStep;
    const double residual = kInertia * (w - v) - kStep * force(advanced(w), w);
    w -= residual / (kInertia - kStep * (slope_q * dq + slope_v));
  }
  q = advanced(w);
  v = w;
}

/// Every law of bounded rows, and once the contact law with dense A and B.
inline const std::vector<std::string>& laws() {
  static const std::vector<std::string> all = {kExactSteps + "-ncp_function fischer_burmeister",
                                               kExactSteps + "-ncp_function minimum_map",
                                               kExactSteps + "-pc_type lu -contact_law soc_fischer_burmeister"};
  return all;
}

/// f(kind, options) for every mechanism and every law, and once with the ends in the other order.
inline void everywhere(const std::function<void(Kind, const std::string&)>& f) {
  for (const std::string& options : laws())
    for (const bool wheel : {false, true})
      for (const bool world_is_a : {false, true}) {
        if (world_is_a && options != laws()[0]) continue;
        BOOST_TEST_CONTEXT((wheel ? "wheel" : "slider") << (world_is_a ? ", world is a, " : ", ") << options)
        f({wheel, world_is_a}, options);
      }
}

inline CoordinateDescription drive(double k, double d, TimeFunction target, TimeFunction rate, double effort = kInf) {
  CoordinateDescription c;
  c.driven = true;
  c.drive_stiffness = k;
  c.drive_damping = d;
  c.target = std::move(target);
  c.rate = std::move(rate);
  c.effort = effort;
  return c;
}

/// An arm on a horizontal hinge; a positive angle lifts it.
inline World arm(const CoordinateDescription& c, double angle, double distance) {
  World w;
  w.bodies = {free_body("arm", kInertia, {0.1, 0.2, 0.2}, {distance * std::cos(angle), 0, distance * std::sin(angle)})};
  w.joints = {joint_at("hinge", "j", "arm", "world", {}, {0, -1, 0})};
  w.joints[0].coordinates = {c};
  w.joints[0].coordinates[0].start = angle;
  return w;
}

}  // namespace clarke::test::one_coordinate
