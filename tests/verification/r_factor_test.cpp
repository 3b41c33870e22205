// r-factor
#include "tests/scene_file.hpp"
#include "tests/verification/standing.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(r_factor)

namespace {

std::vector<double> history(const World& w, double h, const std::string& options) {
  const ScopedOptions scoped("-ksp_type preonly -pc_type cholesky -newton_start zero " + options);
  Model model(w, h);
  const StepReport r = model.step();
  std::vector<double> e;
  std::string line;
  for (const NewtonIteration& n : r.newton) {
    e.push_back(n.velocity_error);
    char s[20];
    std::snprintf(s, 20, " %.0e", n.velocity_error);
    line += s;
  }
  BOOST_TEST_MESSAGE(options << ":" << line << " " << r.reason);
  return e;
}
}  // namespace

BOOST_AUTO_TEST_CASE(table) {
  const Scene slide = scene_from("time: {step: 0.008333333333333333, end: 1}\nmaterials: {wood: {friction: 0.3}}\nbuild: [{slope: {angle_deg: 30, half: [0.5, 0.5, 0.25], mass: 10, speed: 1, material: wood}}]\n");
  const Scene arch = scene_from("time: {step: 0.008333333333333333, end: 1}\nmaterials: {s: {friction: 0.6, density: 100}}\nbodies: [{name: floor, shape: {plane: {normal: [0, 0, 1], offset: 0}}, static: true, material: s}]\nbuild: [{arch: {stones: 10, span: 8, rise: 6, thickness: 0.8, depth: 1, material: s}}]\n");
  World stack = world_with_plane(0.5);
  for (int k = 0; k < 6; ++k) stack.bodies.push_back(box("b" + std::to_string(k), {0.5, 0.5, 0.5}, 8 * std::pow(4096.0, k / 5.0), {0, 0, 0.5 + k}));
  for (const char* map : {"tangent", "fixed_point"})
    for (const char* ncp : {"fischer_burmeister", "minimum_map"})
      for (const char* r : {"effective_mass", "dt_squared", "identity"}) {
        const std::string o = std::string("-friction_map ") + map + " -ncp_function " + ncp + " -r_factor " + r;
        BOOST_TEST_MESSAGE("slide");
        history(slide.world, slide.time_step, o + " -snes_max_it 20");
        BOOST_TEST_MESSAGE("arch");
        history(arch.world, arch.time_step, o + " -snes_max_it 20");
      }
  for (const char* corner : {"active", "inactive"})
      for (const char* r : {"effective_mass", "dt_squared", "identity"})
    for (const char* a : {"1", "0.75"})
      history(stack, 1. / 120, std::string("-ncp_corner ") + corner + " -r_factor " + r + " -newton_damping " + a + " -snes_max_it 25 -snes_atol 1e-9");
}

BOOST_AUTO_TEST_SUITE_END()
