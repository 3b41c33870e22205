// -contact_slop: gaps and overlaps up to it stay, whatever rests then rests, and what it does not cover is closed.

#include "tests/model_run.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(contact_slop)

namespace {

constexpr double kStep = 0.01, kRadius = 0.25, kSlop = 1e-10;
const std::string kExact = preset_options("robust") + "-near_rigid_compliance 0 -contact_slop 0 ";
const std::string kKept = preset_options("robust") + "-near_rigid_compliance 0 -contact_slop 1e-10 ";
constexpr double kSolved = 1e-11;  // [m] 1e-9 m/s, which the preset solves to, over a step

/// Gap of a ball above the ground after each of some steps, from that gap at the start [m].
std::vector<double> gaps(const std::string& options, double gap, int steps) {
  World w = world_with_plane(0.5);
  // Its centre at the height of its radius, so that a gap has all the digits of a small number.
  w.bodies[0].position = {0, 0, -kRadius - gap};
  w.bodies.push_back(ball("b", kRadius, 1, {0, 0, 0}));
  const ScopedOptions scoped(options);
  Model model(w, kStep);
  std::vector<double> out;
  for (int i = 0; i < steps; ++i) {
    const StepReport r = model.step();
    BOOST_TEST(!r.failed);
    BOOST_TEST(r.reason == "converged");
    out.push_back(model.frame().bodies.back().position.z + gap);
  }
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(gaps_within_it_stay) {
  for (const double gap : {-0.9 * kSlop, -0.5 * kSlop, 0.5 * kSlop, 0.9 * kSlop}) {
    BOOST_TEST(std::fabs(gaps(kKept, gap, 5).back() - gap) < kSolved);
    BOOST_TEST(std::fabs(gaps(kExact, gap, 5).back()) < kSolved);
  }
}

BOOST_AUTO_TEST_CASE(others_are_closed) {
  for (const double gap : {1e-5, 2 * kSlop}) BOOST_TEST(std::fabs(gaps(kKept, gap, 3).back()) < kSolved);
  for (const double gap : {-1e-5, -2 * kSlop}) {
    const std::vector<double> kept = gaps(kKept, gap, 3), exact = gaps(kExact, gap, 3);
    BOOST_TEST(std::fabs(kept[0] + kSlop) < kSolved);
    BOOST_TEST(std::fabs(kept[2] + kSlop) < kSolved);
    BOOST_TEST(std::fabs(exact[0]) < kSolved);
  }
}

/// A ball between two planes that are nearer than its diameter: no step frees it from both.
BOOST_AUTO_TEST_CASE(jammed_by_less) {
  const auto squeezed = [](const std::string& options, double overlap) {
    World w = world_with_plane(0.5);
    w.bodies.push_back(w.bodies[0]);
    w.bodies[1].name = "ceiling";
    w.bodies[1].shape.normal = {0, 0, -1};
    w.bodies[0].position = {0, 0, -kRadius + overlap};
    w.bodies[1].position = {0, 0, kRadius - overlap};
    w.bodies.push_back(ball("b", kRadius, 1, {0, 0, 0}));
    const ScopedOptions scoped(options);
    Model model(w, kStep);
    const StepReport r = model.step();
    return std::pair(r.reason, r.verdict.velocity_error.value);
  };
  BOOST_TEST(squeezed(kKept, 0.9 * kSlop).first == "converged");
  BOOST_TEST(squeezed(kKept, 0.9 * kSlop).second < 1e-9);
  // Either side asks for overlap/h, and neither gives way.
  const auto [reason, error] = squeezed(kExact, 0.9 * kSlop);
  BOOST_TEST(reason != "converged");
  BOOST_TEST(error > 0.5 * 0.9 * kSlop / kStep);
  BOOST_TEST(squeezed(kKept, 10 * kSlop).first != "converged");
}

/// Springs are not rounding: their overlap is their force.
BOOST_AUTO_TEST_CASE(compliant_contacts_do_without) {
  const std::string soft = "-contact_stiffness 1e12 ";  // 1 kg rests 9.81e-12 m deep
  const double kept = gaps(kKept + soft, -0.5 * kSlop, 20).back(), exact = gaps(kExact + soft, -0.5 * kSlop, 20).back();
  BOOST_TEST(std::fabs(kept - exact) < 1e-15);
  BOOST_TEST(std::fabs(kept + 9.81e-12) < kSolved);
}

/// What has come to rest takes Newton steps once in a while; without slop, or without polish, in most steps.
BOOST_AUTO_TEST_CASE(rest_is_rest) {
  const auto newton_steps = [](const std::string& options) {
    World w = world_with_plane(0.5);
    const double side = 0.2;
    for (int k = 0; k < 5; ++k) {
      w.bodies.push_back(box("b" + std::to_string(k), {0.5 * side, 0.5 * side, 0.5 * side}, 1,
                             {0.03 * (k % 2), 0.02 * (k % 3), (k + 0.5) * side + 1e-4 * (k + 1)}));
      w.bodies.back().velocity = {0.1, 0, 0};
    }
    const ScopedOptions scoped(options);
    Model model(w, kStep);
    constexpr int kSettling = 40, kResting = 100;
    for (int i = 0; i < kSettling; ++i) BOOST_TEST(!model.step().failed);
    int sum = 0;
    for (int i = 0; i < kResting; ++i) {
      const StepReport r = model.step();
      BOOST_TEST(r.reason == "converged");
      sum += r.newton_iterations;
    }
    return sum;
  };
  const int kept = newton_steps(kKept), exact = newton_steps(kExact),
            unpolished = newton_steps(kKept + "-ssnal_polish false ");
  BOOST_TEST(kept < 0.8 * exact);       // 13 and 49
  BOOST_TEST(kept < 0.4 * unpolished);  // 91
}

BOOST_AUTO_TEST_SUITE_END()
