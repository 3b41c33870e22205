// pendulum
#include "tests/model_run.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(pendulum)

namespace {
const std::string kAccurate = "-ksp_type preonly -pc_type cholesky -newton_start zero -snes_max_it 60 ";
}
BOOST_AUTO_TEST_CASE(points) {
  for (int n : {60, 120, 240}) {
    const ScopedOptions scoped(kAccurate + "-snes_atol 1e-12");
    World w;
    w.particles.push_back({.name = "p", .mass = 1, .position = {1, 0, 0}});
    w.particles.push_back({.name = "q", .mass = 1, .position = {2, 0, 0}});
    w.joints.push_back({.type = "distance", .name = "j1", .a = "p", .b = "world", .anchor_a = {1, 0, 0}, .anchor_b = {0, 0, 0}});
    w.joints.push_back({.type = "distance", .name = "j2", .a = "p", .b = "q", .anchor_a = {1, 0, 0}, .anchor_b = {2, 0, 0}});
    Model model(w, 0.5 / n);
    const RunFigures f = run(model, n);
    const Vec3 x = model.frame().particles[1].position;
    char line[300];
    std::snprintf(line, 300, "%.6f %.6f y %g bilateral %.2e newton %.2f err %.1e", x.x, x.z, x.y, f.bilateral, f.newton_mean, f.velocity_error);
    BOOST_TEST_MESSAGE(line);
  }
}
BOOST_AUTO_TEST_CASE(rods) {
  for (const char* tol : {"1e-8", "1e-10"})
  for (const char* start : {"zero", "warm"})
  for (const char* geo : {"none", "secant"})
  for (double ratio : {1., 10., 100., 1000.}) {
    const ScopedOptions scoped(std::string("-ksp_type preonly -pc_type cholesky -snes_max_it 25 -geometric_stiffness ") + geo + " -snes_atol " + tol + " -newton_start " + start);
    World w;
    for (int k = 0; k < 4; ++k) {
      w.bodies.push_back(box("b" + std::to_string(k), {0.5, 0.05, 0.05}, k == 3 ? ratio : 1, {0.5 + k, 0, 0}));
      w.bodies.back().material = "";
      w.joints.push_back({.type = "ball", .name = "j" + std::to_string(k), .a = "b" + std::to_string(k), .b = k ? "b" + std::to_string(k - 1) : "world",
                          .anchor_a = {1. * k, 0, 0}, .anchor_b = {1. * k, 0, 0}});
    }
    Model model(w, 1. / 120);
    int unconverged = 0;
    const RunFigures f = run(model, 60, [&](const StepReport& r) { unconverged += r.reason != "converged"; });
    const Vec3 x = model.frame().bodies[3].position;
    char line[300];
    std::snprintf(line, 300, "%s %s %s ratio %g: %.5f %.5f y %g bilateral %.2e newton %.2f err %.1e steps %d unconverged %d", tol, start, geo, ratio, x.x, x.z, x.y, f.bilateral, f.newton_mean, f.velocity_error, f.steps, unconverged);
    BOOST_TEST_MESSAGE(line);
  }
}

BOOST_AUTO_TEST_SUITE_END()
