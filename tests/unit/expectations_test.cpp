#include "measure/expectations.hpp"

#include "framework/error.hpp"

#include <boost/test/unit_test.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <numbers>

BOOST_AUTO_TEST_SUITE(expectations)

namespace {

using namespace clarke;
using When = Expectation::When;

constexpr double kStep = 0.1;  // [s]

World two_boxes() {
  World world;
  world.bodies.resize(3);
  world.bodies[0].name = "floor";
  world.bodies[0].motion = Motion::fixed;
  world.bodies[1].name = "a";
  world.bodies[2].name = "b";
  world.particles.resize(1);
  world.particles[0].name = "p";
  return world;
}

Frame frame_of(const World& world) {
  Frame frame;
  for (const BodyDescription& body : world.bodies) {
    frame.bodies.emplace_back();
    frame.bodies.back().name = body.name;
  }
  frame.particles.emplace_back();
  frame.particles.back().name = "p";
  return frame;
}

Expectation expectation(const std::string& quantity, const std::string& of, When when) {
  Expectation e;
  e.quantity = quantity;
  e.of = of;
  e.when = when;
  return e;
}

/// Runs one expectation over a sequence of penetrations, one per step.
ExpectationResult judge(const Expectation& e, const std::vector<double>& penetrations) {
  const World world = two_boxes();
  ExpectationTracker tracker({e}, world);
  const Frame frame = frame_of(world);
  tracker.start(frame);
  for (std::size_t i = 0; i < penetrations.size(); ++i) {
    StepReport report;
    report.step = static_cast<int>(i) + 1;
    report.time = kStep * report.step;
    report.verdict.penetration.value = penetrations[i];
    tracker.observe(report, frame);
  }
  return tracker.results().at(0);
}

double value_in(const Frame& start, const Frame& now, const std::string& quantity, const std::string& of) {
  Expectation e = expectation(quantity, of, When::end);
  e.max = 0;
  ExpectationTracker tracker({e}, two_boxes());
  tracker.start(start);
  StepReport report;
  report.time = kStep;
  tracker.observe(report, now);
  return tracker.results().at(0).value;
}

}  // namespace

BOOST_AUTO_TEST_CASE(moments_of_a_run) {
  const std::vector<double> run = {3, 1, 4, 1.5};
  Expectation e = expectation("penetration", "", When::end);
  e.max = 2;
  BOOST_TEST(judge(e, run).value == 1.5);
  BOOST_TEST(judge(e, run).held);
  e.when = When::max;
  BOOST_TEST(judge(e, run).value == 4);
  BOOST_TEST(judge(e, run).time == 3 * kStep);
  BOOST_TEST(!judge(e, run).held);
  e.when = When::min;
  BOOST_TEST(judge(e, run).value == 1);
  BOOST_TEST(judge(e, run).held);
  e.when = When::always;
  BOOST_TEST(!judge(e, run).held);
  BOOST_TEST(judge(e, run).value == 4);  // the worst
  e.max = 5;
  BOOST_TEST(judge(e, run).held);
  e.when = When::time;
  e.time = 0.21;
  BOOST_TEST(judge(e, run).value == 1);
}

BOOST_AUTO_TEST_CASE(equality_has_a_tolerance_and_limits_are_inclusive) {
  Expectation e = expectation("penetration", "", When::end);
  e.equals = 1;
  e.tolerance = 0.5;
  BOOST_TEST(judge(e, {1.5}).held);
  BOOST_TEST(!judge(e, {1.51}).held);
  BOOST_TEST(!judge(e, {0.49}).held);
  e.equals.reset();
  e.tolerance.reset();
  e.min = 1;
  e.max = 2;
  for (const double inside : {1., 1.5, 2.}) BOOST_TEST(judge(e, {inside}).held);
  for (const double outside : {0.999, 2.001}) BOOST_TEST(!judge(e, {outside}).held);
}

BOOST_AUTO_TEST_CASE(what_is_not_a_number_never_holds) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Expectation e = expectation("penetration", "", When::end);
  e.max = 10;
  for (const When when : {When::max, When::min, When::always}) {
    e.when = when;
    BOOST_TEST(!judge(e, {1, nan, 2}).held);
  }
  BOOST_TEST(expectation_record({judge(e, {nan})})[0]["value"].is_null());
}

BOOST_AUTO_TEST_CASE(what_was_recorded_can_be_taken_out) {
  std::vector<Expectation> all(3, expectation("penetration", "", When::end));
  all[1].basis = "recorded";
  all[1].name = "height";
  const std::vector<Expectation> taken = take_recorded(all);
  BOOST_TEST(all.size() == 2U);
  BOOST_REQUIRE(taken.size() == 1U);
  BOOST_TEST(taken[0].name == "height");
}

BOOST_AUTO_TEST_CASE(a_moment_that_was_not_reached_does_not_hold) {
  Expectation e = expectation("penetration", "", When::time);
  e.max = 10;
  e.time = 0.25;
  BOOST_TEST(judge(e, {1, 2}).evaluated);  // the step at 0.2 s is as near as the next would be
  e.time = 0.3;
  BOOST_TEST(!judge(e, {1, 2}).evaluated);
  BOOST_TEST(!judge(e, {1, 2}).held);
  e.when = When::end;
  BOOST_TEST(!judge(e, {}).held);
}

BOOST_AUTO_TEST_CASE(motion_of_a_thing) {
  const Frame start = frame_of(two_boxes());
  Frame now = start;
  now.bodies[1].position = {3, 0, 4};
  now.bodies[1].velocity = {0, -2, 0};
  now.bodies[2].orientation = from_axis_angle(Vec3{0, 0, 1}, 4.0);
  now.particles[0].position = {0, 0, -7};
  BOOST_TEST(value_in(start, now, "position.z", "a") == 4);
  BOOST_TEST(value_in(start, now, "velocity.y", "a") == -2);
  BOOST_TEST(value_in(start, now, "speed", "a") == 2);
  BOOST_TEST(value_in(start, now, "displacement", "a") == 5);
  BOOST_TEST(value_in(start, now, "displacement", "p") == 7);
  BOOST_TEST(value_in(start, now, "displacement", "") == 7);  // the largest
  BOOST_TEST(value_in(start, now, "rotation", "b") == 2 * std::numbers::pi - 4, boost::test_tools::tolerance(1e-12));
}

BOOST_AUTO_TEST_CASE(static_things_do_not_count_as_the_largest) {
  const Frame start = frame_of(two_boxes());
  Frame now = start;
  now.bodies[0].position = {100, 0, 0};
  BOOST_TEST(value_in(start, now, "displacement", "") == 0);
}

BOOST_AUTO_TEST_CASE(forces_of_contacts_act_on_both_sides) {
  const Frame start = frame_of(two_boxes());
  Frame now = start;
  now.contacts.resize(2);
  now.contacts[0].body_a = 1;
  now.contacts[0].body_b = 0;
  now.contacts[0].normal_force = {0, 0, 10};
  now.contacts[0].friction_force = {3, 0, 0};
  now.contacts[1].body_a = 2;
  now.contacts[1].body_b = 1;
  now.contacts[1].normal_force = {0, 0, 4};
  BOOST_TEST(value_in(start, now, "contact_force.z", "a") == 6);
  BOOST_TEST(value_in(start, now, "contact_force.x", "a") == 3);
  BOOST_TEST(value_in(start, now, "contact_force.x", "floor") == -3);
  BOOST_TEST(value_in(start, now, "normal_force", "a") == 14);
  BOOST_TEST(value_in(start, now, "normal_force", "floor") == 10);
}

BOOST_AUTO_TEST_CASE(figures_of_the_verdict) {
  const World world = two_boxes();
  StepReport report;
  report.contacts = 5;
  report.verdict.kinetic_energy = 1;
  report.verdict.potential_energy = 2;
  report.verdict.elastic_energy = 4;
  report.verdict.linear_momentum = {1, 2, 3};
  const auto value = [&](const char* name) { return find_quantity(name)->of_run(report); };
  BOOST_TEST(value("contacts") == 5);
  BOOST_TEST(value("total_energy") == 7);
  BOOST_TEST(value("linear_momentum.y") == 2);
}

BOOST_AUTO_TEST_CASE(frames_are_asked_for_only_when_needed) {
  Expectation run = expectation("contacts", "", When::end);
  run.min = 1;
  Expectation thing = expectation("speed", "a", When::end);
  thing.min = 1;
  BOOST_TEST(!ExpectationTracker({run}, two_boxes()).needs_frames());
  BOOST_TEST(ExpectationTracker({run, thing}, two_boxes()).needs_frames());
}

BOOST_AUTO_TEST_CASE(texts_say_what_was_expected_and_what_came) {
  Expectation e = expectation("penetration", "", When::end);
  e.max = 2;
  BOOST_TEST(judge(e, {3}).text() == "FAILED: penetration at end: expected at most 2, got 3 at 0.1 s");
  const nlohmann::json record = expectation_record({judge(e, {3})});
  BOOST_TEST(record[0]["held"] == false);
  BOOST_TEST(record[0]["value"] == 3);
  BOOST_CHECK_THROW(ExpectationTracker({expectation("penetraton", "", When::end)}, two_boxes()), InputError);
}

BOOST_AUTO_TEST_SUITE_END()
