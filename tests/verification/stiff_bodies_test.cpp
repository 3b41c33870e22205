// Stiff soft bodies by the preset `robust`: they turn in a step without being stretched by it (-ssnal_turn), and a step
// that ends because rounding is all that is left of its momentum says so.

#include "tests/soft_worlds.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(stiff_bodies)

namespace {

constexpr double kTolerance = 1e-9;  // [m/s] of the preset
constexpr int kSteps = 20;

/// A cube of that stiffness falls onto a corner of the ground, spinning: with steps of 0.02 s by 0.3 rad in each.
World spinning_cube(double young) {
  World w = world_with_plane(0.3);
  w.gravity = {0, 0, -kGravity};
  SoftDescription cube = soft_box("cube", {0.1, 0.1, 0.1}, {2, 2, 2}, young);
  cube.position = {0, 0, 0.05};
  cube.velocity = {0, 0, -1};
  cube.angular_velocity = {15, 3, 0};
  cube.material = "m";
  add_soft_body(w, cube);
  return w;
}

struct Figures {
  int converged = 0, newton = 0, at_rounding = 0;
  double beyond = 0;  // largest velocity error over what it may be
};

Figures fall(double young, const std::string& more = "") {
  const ScopedOptions scoped{preset_options("robust") + more};
  Model model(spinning_cube(young), 0.02);
  Figures f;
  run(model, kSteps, [&](const StepReport& r) {
    f.converged += r.reason == "converged";
    f.newton += r.newton_iterations;
    f.at_rounding += r.velocity_rounding > 0;
    f.beyond = std::max(f.beyond, r.verdict.velocity_error.value / std::max(kTolerance, r.velocity_rounding));
  });
  return f;
}

}  // namespace

BOOST_AUTO_TEST_CASE(turn_without_being_stretched) {
  const Figures turned = fall(1e10), straight = fall(1e10, "-ssnal_turn false ");
  BOOST_TEST(turned.converged == kSteps);
  BOOST_TEST((straight.converged < kSteps || straight.newton > 2 * turned.newton),
             straight.converged << " steps in " << straight.newton << ", turned " << turned.newton);
}

BOOST_AUTO_TEST_CASE(say_what_rounding_leaves) {
  const Figures stiff = fall(1e10), yielding = fall(1e5);
  BOOST_TEST(stiff.at_rounding > 0);
  BOOST_TEST(stiff.beyond <= 1);
  BOOST_TEST(yielding.at_rounding == 0);
  BOOST_TEST(yielding.converged == kSteps);
  BOOST_TEST(yielding.beyond <= 1);
}

BOOST_AUTO_TEST_SUITE_END()
