// The time step as such: time, what is accepted and what is left as it was, observers.

#include "tests/model_run.hpp"

#include <boost/test/unit_test.hpp>

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

BOOST_AUTO_TEST_SUITE_END()
