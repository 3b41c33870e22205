// The arch of 20 dry stones.

#include "cases/scene.hpp"
#include "tests/verification/standing.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(arch)

namespace {

Scene arch_scene() { return read_scene(std::string(CLARKE_SOURCE_DIR) + "/cases/arch.yaml"); }

struct Stand {
  RunFigures figures;
  double drift_60 = 0, drift_120 = 0, foot = 0, crown = 0;
  int contacts = 0;
};

Stand stand(int steps, const std::string& options) {
  const ScopedOptions scoped(options);
  const Scene scene = arch_scene();
  Model model(scene.world, scene.time_step);
  const std::vector<Vec3> start = body_positions(model);
  Stand s;
  s.figures = run(model, steps, [&](const StepReport& r) {
    s.contacts = r.contacts;
    if (r.step == 60) s.drift_60 = drift_since(start, model);
    s.drift_120 = drift_since(start, model);
  });
  s.foot = normal_force_on("floor", model);
  const Frame f = model.frame();
  for (std::size_t i = 0; i < start.size(); ++i) if (start[i].z > 5) s.crown = std::max(s.crown, start[i].z - f.bodies[i].position.z);
  char line[500];
  std::snprintf(line, sizeof line, "drift60 %.2e end %.2e crown %.2e pen %.2e err %.2e foot %.3f newton %.1f linear %.0f contacts %d failed %d | %s", s.drift_60, s.drift_120, s.crown, s.figures.penetration,
                s.figures.velocity_error, s.foot, s.figures.newton_mean, s.figures.linear_mean, s.contacts, s.figures.failed, options.c_str());
  BOOST_TEST_MESSAGE(line);
  return s;
}
const std::string kDirect = "preonly -pc_type cholesky";
const std::string kTangent = "-friction_map tangent ", kFixedPoint = "-friction_map fixed_point ";
}  // namespace

BOOST_AUTO_TEST_CASE(table) {
  stand(120, budget(kDirect, 6, 1, 1, "zero") + kTangent);
  stand(120, budget(kDirect, 20, 1, 0.75, "zero") + kTangent);
  stand(120, budget(kDirect, 20, 1, 0.75, "zero") + kFixedPoint);
  stand(60, budget("pcr", 10, 60, 1, "zero") + kTangent);
  stand(120, budget("pcr", 6, 60, 0.75, "zero") + kTangent);
  stand(120, budget("pcr", 6, 60, 0.75, "zero") + kFixedPoint);
  stand(120, budget("pcr", 6, 20, 0.75, "zero") + kTangent);
  stand(120, budget("pcr", 6, 20, 0.75, "zero") + kFixedPoint);
  stand(60, budget("pcr", 6, 20, 1, "zero") + kTangent);
  stand(120, budget("pcr", 6, 20, 0.75, "warm") + kTangent);
  stand(120, budget("pcr", 6, 20, 0.75, "warm") + kFixedPoint);
  stand(120, budget("pcr", 6, 20, 0.75, "warm") + kTangent + "-ncp_function minimum_map");
  stand(60, budget("pcg", 6, 20, 0.75, "zero") + kTangent);
  stand(120, budget("jacobi", 6, 20, 0.75, "zero") + kTangent);
  stand(120, budget("jacobi", 6, 100, 0.75, "zero") + kTangent);
  stand(120, budget("gauss_seidel", 6, 20, 0.75, "zero") + kTangent);
  stand(120, budget("gauss_seidel", 6, 20, 0.75, "warm") + kTangent);
  stand(120, budget("pcr", 6, 60, 0.75, "zero") + kTangent + "-shift_relative 0");
}

BOOST_AUTO_TEST_SUITE_END()
