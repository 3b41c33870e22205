// Stacks with the heaviest box on top, a mass ratio of 4096.

#include "tests/verification/standing.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(heavy_stack)

namespace {

constexpr double kStep = 1.0 / 120;

World stack(const std::vector<double>& masses) {
  World w = world_with_plane(0.5);
  for (std::size_t k = 0; k < masses.size(); ++k)
    w.bodies.push_back(box("b" + std::to_string(k), {0.5, 0.5, 0.5}, masses[k], {0, 0, 0.5 + k}));
  return w;
}

struct Stand {
  RunFigures figures;
  double drift = 0, foot = 0;
};

Stand stand(const World& w, int steps, const std::string& options) {
  const ScopedOptions scoped(options);
  Model model(w, kStep);
  const std::vector<Vec3> start = body_positions(model);
  Stand s;
  s.figures = run(model, steps);
  s.drift = drift_since(start, model);
  s.foot = normal_force_on("ground", model);
  char line[400];
  std::snprintf(line, sizeof line, "drift %.2e pen %.2e err %.2e foot %.3f newton %.1f linear %.0f failed %d | %s", s.drift, s.figures.penetration,
                s.figures.velocity_error, s.foot, s.figures.newton_mean, s.figures.linear_mean, s.figures.failed, options.c_str());
  BOOST_TEST_MESSAGE(line);
  return s;
}
const std::string kDirect = "preonly -pc_type cholesky";
}  // namespace

BOOST_AUTO_TEST_CASE(six) {
  std::vector<double> masses;
  for (int k = 0; k < 6; ++k) masses.push_back(8 * std::pow(4096.0, k / 5.0));
  const World w = stack(masses);
  for (const char* map : {"tangent", "fixed_point"}) {
    const std::string m = std::string("-friction_map ") + map;
    stand(w, 60, budget(kDirect, 10, 1, 1, "zero") + m);
    stand(w, 60, budget("pcr", 6, 40, 0.75, "zero") + m);
    stand(w, 60, budget("pcr", 6, 20, 0.75, "zero") + m);
    stand(w, 60, budget("pcr", 6, 20, 0.75, "warm") + m);
  }
  stand(w, 60, budget("pcr", 6, 40, 0.75, "zero") + "-ncp_function minimum_map");
  stand(w, 60, budget("pcg", 6, 20, 0.75, "zero"));
  stand(w, 60, budget("minres", 6, 20, 0.75, "zero"));
  stand(w, 60, budget("jacobi", 6, 20, 0.75, "zero"));
  stand(w, 60, budget("gauss_seidel", 6, 20, 0.75, "zero"));
  stand(w, 60, budget("gauss_seidel", 6, 200, 0.75, "zero"));
}
BOOST_AUTO_TEST_CASE(five) {
  std::vector<double> masses;
  for (int k = 0; k < 5; ++k) masses.push_back(8 * std::pow(8.0, k));
  const World w = stack(masses);
  stand(w, 120, budget(kDirect, 60, 1, 1, "zero"));
  stand(w, 120, budget(kDirect, 60, 1, 1, "warm"));
  stand(w, 120, budget("pcr", 60, 1000, 1, "warm"));
  for (const char* ksp : {"pcr", "cr", "preonly -pc_type cholesky", "preonly -pc_type lu", "preonly -pc_type cholesky -pc_factor_mat_solver_type mumps", "pcg", "minres", "gmres"})
    for (const char* damping : {"1", "0.75"})
      stand(w, 120, budget(ksp, 6, 20, std::stod(damping), "warm"));
}

BOOST_AUTO_TEST_SUITE_END()
