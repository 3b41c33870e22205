// What continuation in the length of a step stands on (ncp/strategies/length_continuation.cpp): a shortened step is the
// step of that length, and nothing is left of it in the whole one.

#include "ncp/strategies/snes_step_solver.hpp"
#include "tests/jointed.hpp"
#include "tests/property/random.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(length_continuation)

namespace {

constexpr double kStep = 0.02;
const std::string kRobust = preset_options("robust");

/// A box that turns and lands on others, an inch into each other so that all corners touch, and a bar on a ball joint.
World landing() {
  World w = world_with_plane(0.5);
  w.bodies.push_back(box("low", {0.1, 0.1, 0.1}, 2, {0, 0, 0.075}));
  w.bodies.push_back(box("high", {0.08, 0.1, 0.1}, 1, {0.01, 0, 0.25}));
  w.bodies.back().angular_velocity = {3, 20, 5};
  w.bodies.push_back(box("bar", {0.2, 0.02, 0.02}, 0.5, {0.31, 0, 0.4}));
  w.joints.push_back(joint_at("ball", "pin", "bar", "high", {0.1, 0, 0.35}));
  return w;
}

/// Rows and momentum of a step at the same velocities and impulses.
std::vector<double> residuals(StepProblem& problem) {
  const SaddlePointSystem& s = problem.system();
  Random random(5);
  std::vector<Vec3> u(s.blocks);
  std::vector<double> impulse(s.pattern.rows), v, out;
  for (Vec3& x : u) x = random.vector(3);
  for (double& x : impulse) x = random.uniform(0, 1);
  problem.evaluate(to_device("u", u), to_device("r", impulse), true);
  for (int i = 0; i < problem.contributors(); ++i)
    if (const RowSet* rows = problem.contributor(i).rows()) {
      to_host(rows->velocity, v);
      out.insert(out.end(), v.begin(), v.begin() + rows->rows);
    }
  std::vector<Vec3> g;
  to_host(s.momentum_residual.view(), g);
  for (const Vec3& x : g) out.insert(out.end(), {x.x, x.y, x.z});
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(a_shortened_step_is_a_shorter_step) {
  const ScopedOptions scoped(kRobust + "-near_rigid_compliance 0");
  Model whole(landing(), kStep), quarter(landing(), kStep / 4);
  BOOST_REQUIRE(whole.prepare() == quarter.prepare());
  const std::vector<double> before = residuals(whole.problem());
  whole.problem().shorten(0.25);
  const std::vector<double> shortened = residuals(whole.problem()), shorter = residuals(quarter.problem());
  BOOST_TEST(shortened == shorter, boost::test_tools::per_element());
  BOOST_TEST(shortened != before);
  whole.problem().shorten(1);
  BOOST_TEST(residuals(whole.problem()) == before, boost::test_tools::per_element());
}

/// One step alone would be the step itself, and nothing to continue.
BOOST_AUTO_TEST_CASE(is_granted_where_it_is_wanted) {
  for (const int steps : {0, 1, 4}) {
    const ScopedOptions scoped(kRobust + "-newton_continuation " + std::to_string(steps));
    Model model(landing(), kStep);
    model.prepare();
    auto& solver = dynamic_cast<SnesStepSolver&>(model.simulation().solver());
    BOOST_TEST(solver.ask_continuation() == (steps > 1));
    BOOST_TEST(!solver.shortened());
  }
}

BOOST_AUTO_TEST_SUITE_END()
