// gyro
#include "tests/model_run.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(gyroscopic)

namespace {

World free_body(Vec3 inertia, Vec3 spin, Quat orientation = {}) {
  World w;
  w.gravity = {};
  BodyDescription b;
  b.name = "b";
  b.mass = 1;
  b.inertia = inertia;
  b.angular_velocity = spin;
  b.orientation = orientation;
  w.bodies.push_back(b);
  return w;
}

struct Motion6 { Quat q; Vec3 w; };  // orientation and world angular velocity

Motion6 simulate(const World& w, double h, int n, const std::string& options) {
  const ScopedOptions scoped(options);
  Model model(w, h);
  run(model, n);
  const FrameBody b = model.frame().bodies[0];
  return {b.orientation, b.angular_velocity};
}

/// Euler's equations in the body frame by the classical Runge-Kutta method.
Motion6 reference(Vec3 I, Vec3 spin, Quat q, double t, int n) {
  struct Rate { Quat q; Vec3 w; };
  const auto rate = [&](const Quat& a, const Vec3& w) {
    const Quat r = a * Quat{0, w.x, w.y, w.z};
    return Rate{{r.w / 2, r.x / 2, r.y / 2, r.z / 2},
                {(I.y - I.z) * w.y * w.z / I.x, (I.z - I.x) * w.z * w.x / I.y, (I.x - I.y) * w.x * w.y / I.z}};
  };
  const auto add = [](const Quat& a, double s, const Quat& b) { return Quat{a.w + s * b.w, a.x + s * b.x, a.y + s * b.y, a.z + s * b.z}; };
  Vec3 w = rotate_inverse(q, spin);
  const double h = t / n;
  for (int i = 0; i < n; ++i) {
    const Rate k1 = rate(q, w), k2 = rate(add(q, h / 2, k1.q), w + (h / 2) * k1.w),
               k3 = rate(add(q, h / 2, k2.q), w + (h / 2) * k2.w), k4 = rate(add(q, h, k3.q), w + h * k3.w);
    q = add(add(add(add(q, h / 6, k1.q), h / 3, k2.q), h / 3, k3.q), h / 6, k4.q);
    w = w + (h / 6) * (k1.w + 2.0 * k2.w + 2.0 * k3.w + k4.w);
  }
  q = normalized(q);
  return {q, rotate(q, w)};
}

double distance(const Motion6& a, const Motion6& b) {
  double d = norm(a.w - b.w);
  for (int k = 0; k < 3; ++k) {
    Vec3 e{};
    e[k] = 1;
    d = std::max(d, norm(rotate(a.q, e) - rotate(b.q, e)));
  }
  return d;
}

}  // namespace

BOOST_AUTO_TEST_CASE(order) {
  const Vec3 I{1, 2, 2.7}, w0{1, 2, 0.7};
  const Quat q0 = from_axis_angle(Vec3{0.6, 0, 0.8}, 1.1);
  const Motion6 exact = reference(I, w0, q0, 1, 20000);
  BOOST_TEST_MESSAGE("ref " << distance(exact, reference(I, w0, q0, 1, 10000)));
  for (const char* term : {"implicit", "explicit", "none"}) {
    double last = 0;
    for (int n : {120, 240, 480, 960}) {
      const double e = distance(simulate(free_body(I, w0, q0), 1. / n, n, std::string("-gyroscopic ") + term), exact);
      BOOST_TEST_MESSAGE(term << " " << n << " " << e << " " << std::log2(last / e));
      last = e;
    }
  }
}
BOOST_AUTO_TEST_CASE(energy) {
  for (double hw : {0.5, 5., 50.}) {
    const ScopedOptions scoped("-gyroscopic implicit");
    const double h = 0.1;
    Model model(free_body({1, 2, 2.7}, hw / h * Vec3{0.48, 0.6, 0.64}), h);
    const Vec3 w = hw / h * Vec3{0.48, 0.6, 0.64};
    double last = 0.5 * (w.x * w.x + 2 * w.y * w.y + 2.7 * w.z * w.z);
    std::string line;
    double worst = -1e300;
    run(model, 200, [&](const StepReport& r) {
      worst = std::max(worst, (r.verdict.kinetic_energy - last) / last);
      last = r.verdict.kinetic_energy;
      if (r.step < 10) line += " " + std::to_string(last);
    });
    BOOST_TEST_MESSAGE(hw << line << " ... " << last << " worst " << worst);
  }
  // axisymmetric rotor
  for (const char* term : {"explicit", "implicit"}) {
    const ScopedOptions scoped(std::string("-gyroscopic ") + term);
    const double h = 1. / 120;
    Model model(free_body({1, 1, 2}, {1, 0, 50}), h);
    StepReport last;
    run(model, 120, [&](const StepReport& r) { last = r; });
    const double hO = h * 50, growth = std::pow(1 + hO * hO, 120);
    BOOST_TEST_MESSAGE(term << " energy " << last.verdict.kinetic_energy << " start " << 0.5 * (1 + 2 * 2500) << " closed " << 2500 + 0.5 * growth << " / " << 2500 + 0.5 / growth);
  }
}

BOOST_AUTO_TEST_SUITE_END()
