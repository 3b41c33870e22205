// A body turning freely: Euler's equations. The implicit gyroscopic term never gains energy, the explicit one does;
// both are of first order. For a symmetric rotor, I = (I, I, I₃), the transverse angular velocity is multiplied in
// every step by 1 + ihΩ (explicit) or 1/(1 − ihΩ) (implicit), Ω = (I₃ − I) ω₃ / I.

#include "tests/model_run.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(gyroscopic)

namespace {

// Energies are sums of a few products; each step turns the inertia into the world frame and back.
constexpr double kRounding = 1e-13;

struct Spin {
  Quat q;
  Vec3 w;  // [rad/s] world frame
};

World free_body(Vec3 inertia, const Spin& start) {
  World w;
  w.gravity = {};
  BodyDescription b;
  b.name = "b";
  b.mass = 1;
  b.inertia = inertia;
  b.angular_velocity = start.w;
  b.orientation = start.q;
  w.bodies.push_back(b);
  return w;
}

Spin simulate(Vec3 inertia, const Spin& start, double h, int steps, const std::string& term) {
  std::string options = "-gyroscopic ";
  options += term;
  const ScopedOptions scoped(options);
  Model model(free_body(inertia, start), h);
  run(model, steps);
  const FrameBody b = model.frame().bodies[0];
  return {b.orientation, b.angular_velocity};
}

/// Euler's equations in the body frame by the classical Runge-Kutta method.
Spin reference(Vec3 I, const Spin& start, double t, int steps) {
  struct Rate {
    Quat q;
    Vec3 w;
  };
  const auto rate = [&I](const Quat& q, const Vec3& w) {
    const Quat r = q * Quat{0, w.x, w.y, w.z};
    return Rate{{r.w / 2, r.x / 2, r.y / 2, r.z / 2},
                {(I.y - I.z) * w.y * w.z / I.x, (I.z - I.x) * w.z * w.x / I.y, (I.x - I.y) * w.x * w.y / I.z}};
  };
  const auto add = [](const Quat& a, double s, const Quat& b) {
    return Quat{a.w + s * b.w, a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
  };
  Quat q = start.q;
  Vec3 w = rotate_inverse(q, start.w);
  const double h = t / steps;
  for (int i = 0; i < steps; ++i) {
    const Rate k1 = rate(q, w), k2 = rate(add(q, h / 2, k1.q), w + (h / 2) * k1.w),
               k3 = rate(add(q, h / 2, k2.q), w + (h / 2) * k2.w), k4 = rate(add(q, h, k3.q), w + h * k3.w);
    q = add(add(add(add(q, h / 6, k1.q), h / 3, k2.q), h / 3, k3.q), h / 6, k4.q);
    w = w + (h / 6) * (k1.w + 2.0 * k2.w + 2.0 * k3.w + k4.w);
  }
  q = normalized(q);
  return {q, rotate(q, w)};
}

/// The larger of the differences of angular velocities [rad/s] and of directions of the body axes.
double distance(const Spin& a, const Spin& b) {
  double d = norm(a.w - b.w);
  for (int k = 0; k < 3; ++k) {
    Vec3 e{};
    e[k] = 1;
    d = std::max(d, norm(rotate(a.q, e) - rotate(b.q, e)));
  }
  return d;
}

constexpr Vec3 kAsymmetric{1, 2, 2.7};  // [kg m²]

}  // namespace

BOOST_AUTO_TEST_CASE(first_order) {
  const Spin start{from_axis_angle(Vec3{0.6, 0, 0.8}, 1.1), {1, 2, 0.7}};
  const Spin exact = reference(kAsymmetric, start, 1, 4000);
  BOOST_TEST(distance(exact, reference(kAsymmetric, start, 1, 2000)) < 1e-10);
  for (const char* term : {"implicit", "explicit"}) {
    double last = 0;
    for (int n : {120, 240, 480}) {
      const double error = distance(simulate(kAsymmetric, start, 1.0 / n, n, term), exact);
      BOOST_TEST_MESSAGE(term << " " << n << " steps: " << error);
      if (last > 0) BOOST_TEST(std::fabs(std::log2(last / error) - 1) < 0.02);  // order 1 within 2 %
      last = error;
    }
    BOOST_TEST(last < 0.01);
  }
}

BOOST_AUTO_TEST_CASE(without_the_term_angular_velocity_is_constant) {
  const Spin start{from_axis_angle(Vec3{0.6, 0, 0.8}, 1.1), {1, 2, 0.7}};
  BOOST_TEST(norm(simulate(kAsymmetric, start, 0.01, 100, "none").w - start.w) == 0);
}

BOOST_AUTO_TEST_CASE(implicit_never_gains_energy) {
  const double h = 0.1;
  for (double turn : {0.05, 0.5, 5.0, 50.0}) {  // h |ω|
    for (const Vec3& axis : {Vec3{0.48, 0.6, 0.64}, Vec3{0.001, 0.999, -0.04}, Vec3{-0.8, 0.6, 0}}) {
      const ScopedOptions scoped("-gyroscopic implicit");
      const Vec3 w = (turn / (h * norm(axis))) * axis;
      Model model(free_body(kAsymmetric, {Quat{}, w}), h);
      const double first = 0.5 * (kAsymmetric.x * w.x * w.x + kAsymmetric.y * w.y * w.y + kAsymmetric.z * w.z * w.z);
      double last = first, gain = -1e300;
      const RunFigures f = run(model, 200, [&](const StepReport& r) {
        gain = std::max(gain, r.verdict.kinetic_energy - last);
        last = r.verdict.kinetic_energy;
      });
      BOOST_TEST_CONTEXT("h |w| " << turn << " about " << axis.x << " " << axis.y << " " << axis.z) {
        BOOST_TEST(f.steps == 200);
        BOOST_TEST(gain <= kRounding * first);
        BOOST_TEST(last > 0);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(fast_rotor) {
  const double h = 1.0 / 120, spin = 50;
  const Vec3 inertia{1, 1, 2};
  const double growth = 1 + std::pow(h * (inertia.z - inertia.x) / inertia.x * spin, 2);  // of transverse energy
  const double axial = 0.5 * inertia.z * spin * spin;
  for (const char* term : {"explicit", "implicit"}) {
    const bool explicit_term = std::string(term) == "explicit";
    std::string options = "-gyroscopic ";
    options += term;
    const ScopedOptions scoped(options);
    Model model(free_body(inertia, {Quat{}, {1, 0, spin}}), h);
    double worst = 0, energy = 0;
    run(model, 120, [&](const StepReport& r) {
      energy = r.verdict.kinetic_energy;
      const double expected = axial + 0.5 * std::pow(growth, explicit_term ? r.step : -r.step);
      worst = std::max(worst, std::fabs(energy / expected - 1));
    });
    BOOST_TEST_MESSAGE(term << ": " << energy << " J after 1 s, from " << axial + 0.5);
    BOOST_TEST(worst < 1e-10);  // rounding, multiplied by 1.08 in each of 120 steps
    if (explicit_term) {
      BOOST_TEST(energy > 10 * (axial + 0.5));
    } else {
      BOOST_TEST(energy < axial + 0.5);
    }
  }
}

BOOST_AUTO_TEST_SUITE_END()
