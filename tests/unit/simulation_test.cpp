// The time step as such: time, what is accepted and what is left as it was, observers.

#include "framework/state_archive.hpp"
#include "tests/jointed.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(simulation)

namespace {

constexpr double kStep = 0.01;  // [s]

World falling_box() {
  World w = world_with_plane(0.5);
  w.bodies.push_back(box("b", {0.5, 0.5, 0.5}, 1, {0, 0, 1000}));
  return w;
}

struct Log final : StepObserver {
  std::vector<double> begun, ended;  // time of the state
  void begin_step(const State& state, double) override { begun.push_back(state.t); }
  void end_step(const State& state, double, StepReport& report) override {
    ended.push_back(state.t);
    report.warnings.push_back("seen");
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(time_does_not_drift) {
  const ScopedOptions scoped("-newton_start unconstrained");
  Model model(falling_box(), kStep);
  for (int i = 0; i < 1000; ++i) model.step();
  BOOST_TEST(model.state().t == 1000 * kStep);  // a sum of a thousand 0.01 is 9.999999999999831
  // Another length counts from where it began.
  const double before = model.state().t;
  for (int i = 0; i < 3; ++i) model.simulation().step(kStep / 4);
  BOOST_TEST(model.state().t == before + 3 * (kStep / 4));
  BOOST_TEST(model.steps() == 1003);
}

BOOST_AUTO_TEST_CASE(a_failed_step_leaves_the_state) {
  World w = world_with_plane(0.5);
  w.bodies.push_back(box("b", {0.5, 0.5, 0.5}, 1, {0, 0, 0.5}));
  w.bodies.back().velocity = {0, 0, -1};
  const ScopedOptions scoped("-snes_max_it 0 -newton_start zero -accept_velocity_error 1e-6");
  Model model(w, kStep);
  Log log;
  model.simulation().add_observer(log);
  std::vector<Vec3> x, after;
  to_host(model.state().x, x);
  const StepReport r = model.step();
  to_host(model.state().x, after);
  BOOST_TEST(r.failed);
  BOOST_TEST(r.reason == "diverged");
  BOOST_TEST(r.unconverged_steps == 0);  // it was not accepted
  BOOST_TEST(model.steps() == 0);
  BOOST_TEST(model.state().t == 0);
  for (std::size_t e = 0; e < x.size(); ++e) BOOST_TEST(norm(after[e] - x[e]) == 0);
  BOOST_TEST(log.begun.size() == 1u);
  BOOST_TEST(log.ended.empty());
}

BOOST_AUTO_TEST_CASE(observers_and_unconverged_steps) {
  const ScopedOptions scoped("-snes_max_it 0 -newton_start zero");
  Model model(falling_box(), kStep);
  Log log;
  model.simulation().add_observer(log);
  for (int i = 1; i <= 3; ++i) {
    const StepReport r = model.step();
    BOOST_TEST(r.reason == "budget");
    BOOST_TEST(r.unconverged_steps == i);
    BOOST_TEST(r.warnings == std::vector<std::string>{"seen"}, boost::test_tools::per_element());
  }
  const std::vector<double> begun{0, kStep, 2 * kStep}, ended{kStep, 2 * kStep, 3 * kStep};
  BOOST_TEST(log.begun == begun, boost::test_tools::per_element());
  BOOST_TEST(log.ended == ended, boost::test_tools::per_element());
}

namespace {

/// A bar on a joint that turns by most of a radian within a step, and a box that slides beside it.
World spinning_bar() {
  World w = world_with_plane(0.5, {0, 0, 1});
  BodyDescription bar = box("bar", {0.5, 0.05, 0.05}, 1, {0.5, 0, 10});
  bar.velocity = {0, 0, -40};
  bar.angular_velocity = {0, 80, 0};
  w.bodies.push_back(bar);
  w.bodies.push_back(box("sliding", {0.5, 0.5, 0.5}, 1, {0, 5, 0.5}));
  w.bodies.back().velocity = {3, 0, 0};
  w.joints.push_back(joint_at("ball", "pin", "world", "bar", {0, 0, 10}));
  return w;
}

std::vector<double> motion(const Model& model) {
  std::vector<double> out;
  std::vector<Vec3> x, u;
  to_host(model.state().x, x);
  to_host(model.state().u, u);
  for (const std::vector<Vec3>* list : {&x, &u})
    for (const Vec3& v : *list) out.insert(out.end(), {v.x, v.y, v.z});
  return out;
}

StateRecord everything(Model& model) {
  StateArchive archive;
  model.simulation().carry_over(archive);
  return archive.record();
}

}  // namespace

/// What a step of two halves leads to is what two steps of half the length lead to, and the step after it is whole.
BOOST_AUTO_TEST_CASE(halves_are_steps) {
  const std::string exact = "-newton_start warm -newton_damping 1 -snes_atol 1e-9 ";
  int whole = 0, half = 0, sum = 0;  // Newton steps
  std::vector<double> reached;
  {
    const ScopedOptions scoped(exact + "-snes_max_it 100");
    Model one(spinning_bar(), kStep), two(spinning_bar(), kStep / 2);
    whole = one.step().newton_iterations;
    for (int i = 0; i < 2; ++i) {
      const int made = two.step().newton_iterations;
      half = std::max(half, made);
      sum += made;
    }
    reached = motion(two);
  }
  BOOST_REQUIRE(half < whole);
  const std::string few = exact + "-snes_max_it " + std::to_string(half);
  {
    const ScopedOptions scoped(few);
    Model model(spinning_bar(), kStep);
    const StepReport r = model.step();
    BOOST_TEST(r.reason == "budget");
    BOOST_TEST(r.substeps == 1);
  }
  const ScopedOptions scoped(few + " -step_halvings 1");
  Model model(spinning_bar(), kStep);
  Log log;
  model.simulation().add_observer(log);
  const StepReport r = model.step();
  BOOST_TEST(r.reason == "converged");
  BOOST_TEST(r.substeps == 2);
  BOOST_TEST(r.safeguards.at("step_halvings") == 1);
  BOOST_TEST(r.newton_iterations == half + sum);
  BOOST_TEST(r.unconverged_steps == 0);
  BOOST_TEST(log.ended.size() == 2u);
  BOOST_TEST(model.steps() == 1);
  BOOST_TEST(model.state().t == kStep);
  BOOST_TEST(motion(model) == reached, boost::test_tools::per_element());
  model.step();
  BOOST_TEST(model.state().t == 2 * kStep);
}

/// Where a half fails in the end, all that the one before it did is undone: a ball flies in the first half, which one
/// Newton step solves, and lands in the second, which takes more.
BOOST_AUTO_TEST_CASE(a_failed_half_leaves_everything) {
  const ScopedOptions scoped(
      "-newton_start warm -newton_damping 1 -snes_max_it 1 -accept_budget false -step_halvings 1");
  World w = world_with_plane(0.5);
  w.bodies.push_back(ball("b", 0.1, 1, {0, 0, 0.1 + 0.17}));
  w.bodies.back().velocity = {3, 0, -10};
  Model model(w, kStep);
  BOOST_TEST(model.step().reason == "converged");
  const StateRecord before = everything(model);
  Log log;
  model.simulation().add_observer(log);
  for (int i = 0; i < 2; ++i) {  // in the same way whenever it is tried
    const StepReport r = model.step();
    BOOST_TEST(r.failed);
    BOOST_TEST(r.unconverged_steps == 0);
    BOOST_TEST(r.time == 2 * kStep);
    BOOST_TEST(model.steps() == 1);
    const StateRecord after = everything(model);
    for (const auto& [name, value] : before) BOOST_TEST((after.at(name) == value), name);
  }
  const std::vector<double> ended{1.5 * kStep, 1.5 * kStep};
  BOOST_TEST(log.ended == ended, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
