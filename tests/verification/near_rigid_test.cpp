// -near_rigid_compliance: what a contact gives way is the law of its header, little under any load, and leaves one
// answer where hard contacts have many.

#include "physics/contact/near_rigid.hpp"

#include "tests/model_run.hpp"
#include "tests/property/taylor.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(near_rigid)

namespace {

constexpr double kStep = 0.01, kGravity = 9.81, kDepth = 3e-8;
const std::string kRobust = preset_options("robust");
const std::string kHard = kRobust + "-near_rigid_compliance 0 ";
constexpr double kSolved = 1e-11;  // [m] 1e-9 m/s, which the preset solves to, over a step

/// What the four corners of a box carry that has come to rest on the ground from a tilt, sorted [N s].
std::vector<double> carried(const std::string& options, double tilt) {
  World w = world_with_plane(0.5);
  // A corner comes down first, so that impulses have a history.
  BodyDescription b = box("b", {0.5, 0.3, 0.2}, 3, {0, 0, 0.2 + 0.3 * std::sin(tilt)});
  b.orientation = from_axis_angle(normalized(Vec3{1, 2 * tilt, 0}), tilt);
  w.bodies.push_back(b);
  const ScopedOptions scoped(options);
  Model model(w, kStep);
  constexpr int kSettling = 60;
  for (int i = 0; i < kSettling; ++i) {
    const StepReport r = model.step();
    BOOST_TEST(!r.failed);
    BOOST_TEST(r.reason == "converged");
  }
  std::vector<double> out;
  for (const FrameContact& c : model.frame().contacts) out.push_back(c.normal_force.z * kStep);
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

BOOST_AUTO_TEST_CASE(law) {
  constexpr double a = 3e-4, fold = 1e-5;
  double last = -1;
  for (const double impulse : {-1.0, -1e-3, 0.0, 1e-6, 1e-3, 0.03, 1.0, 30.0, 1e6}) {
    const NearRigidGive give = near_rigid_give(a, fold, impulse);
    BOOST_TEST(give.velocity > last);
    BOOST_TEST(give.velocity < kNearRigidFolds * fold);
    BOOST_TEST(give.slope > 0);
    last = give.velocity;
    if (impulse == 0) continue;  // its second derivative jumps there
    const double size = std::fabs(impulse);
    const auto remainder = [&](double e) {
      return std::fabs(near_rigid_give(a, fold, impulse + e * size).velocity - give.velocity - e * size * give.slope);
    };
    BOOST_TEST(taylor_slope(std::fabs(give.velocity), remainder, 1e-2) >= kTaylorSlope);
  }
  // of the integral; and the impulse of a proximal step is a root
  for (const double impulse : {1e-7, 1e-3, 0.03, 1.0, 1e6}) {
    const double e = 1e-4 * impulse, D = near_rigid_give(a, fold, impulse).velocity;
    const double slope =
        (near_rigid_integral(a, fold, impulse + e) - near_rigid_integral(a, fold, impulse - e)) / (2 * e);
    constexpr double kOfDifferences = 1e-6, kRounding = 1e-13;
    BOOST_TEST(std::fabs(slope / D - 1) < kOfDifferences);
    for (const double weight : {1e-11, 1e-6, 1.0, 1e3}) {
      const double found = near_rigid_impulse(a, fold, weight, weight * impulse + D);
      BOOST_TEST(std::fabs(weight * (found - impulse) + near_rigid_give(a, fold, found).velocity - D) <
                 kRounding * (weight * impulse + D));
    }
    BOOST_TEST(near_rigid_impulse(a, fold, 0.5, -impulse) == -impulse / (0.5 + a));
  }
  // of the energy: dU = Λ/h b dD
  constexpr double b = 0.01, h = 0.02;
  for (const double impulse : {1e-3, 0.03, 1.0}) {
    const double e = 1e-5 * impulse;
    const double slope =
        (near_rigid_energy(a, fold, impulse + e, h, b) - near_rigid_energy(a, fold, impulse - e, h, b)) / (2 * e);
    constexpr double kOfDifferences = 1e-6;
    BOOST_TEST(std::fabs(slope / (impulse / h * b * near_rigid_give(a, fold, impulse).slope) - 1) < kOfDifferences);
  }
}

/// A ball on the ground, W_nn = 1/m: x = α g h b/δ.
BOOST_AUTO_TEST_CASE(overlap_at_rest) {
  constexpr double kRadius = 0.25;
  for (const double alpha : {1e-6, 1e-4, 1e-2}) {
    World w = world_with_plane(0.5);
    w.bodies[0].position = {0, 0, -kRadius};
    w.bodies.push_back(ball("b", kRadius, 1, {0, 0, 0}));
    const ScopedOptions scoped(kRobust + "-near_rigid_compliance " + std::to_string(alpha) + " ");
    Model model(w, kStep);
    for (int i = 0; i < 10; ++i) BOOST_TEST(model.step().reason == "converged");
    const double x = alpha * kGravity * kStep * kStep / kDepth;
    BOOST_TEST(std::fabs(model.frame().bodies.back().position.z + kDepth * std::log1p(x)) < 2 * kSolved);
  }
}

BOOST_AUTO_TEST_CASE(no_load_goes_deep) {
  for (const double mass : {1.0, 1e3, 1e6}) {
    World w = world_with_plane(0.5);
    w.bodies.push_back(ball("light", 0.1, 1, {0, 0, 0.1}));
    w.bodies.push_back(ball("heavy", 0.1, mass, {0, 0, 0.3}));
    w.bodies.back().velocity = {0, 0, -1};
    const ScopedOptions scoped(kRobust);
    Model model(w, kStep);
    double deepest = 0;
    for (int i = 0; i < 5; ++i) {
      const StepReport r = model.step();
      BOOST_TEST(r.reason == "converged");
      deepest = std::fmax(deepest, r.verdict.penetration.value);
    }
    BOOST_TEST(deepest > kDepth);
    BOOST_TEST(deepest < kNearRigidFolds * kDepth);
  }
}

/// Between equal springs the corners of a face carry the same; what hard ones carry hangs on how they were reached.
BOOST_AUTO_TEST_CASE(one_answer) {
  double spread[2] = {};
  for (const bool hard : {false, true})
    for (const double tilt : {0.02, 0.1}) {
      const std::vector<double> impulse = carried(hard ? kHard : kRobust, tilt);
      BOOST_TEST_REQUIRE(impulse.size() == 4u);
      spread[hard] = std::fmax(spread[hard], (impulse.back() - impulse.front()) / (3 * kGravity * kStep));
    }
  BOOST_TEST_MESSAGE("spread of a weight over four corners: " << spread[0] << ", hard " << spread[1]);
  constexpr double kEven = 1e-3;
  BOOST_TEST(spread[0] < kEven);
  BOOST_TEST(spread[1] > 10 * kEven);
}

/// Every strategy finds the forces that the springs decide.
BOOST_AUTO_TEST_CASE(whatever_finds_it) {
  const std::string strategies[] = {"", "-snes_type nsgs -newton_start warm -snes_max_it 20000 ",
                                    "-snes_type proximal_point -contact_law soc_fischer_burmeister "};
  std::vector<double> first;
  for (const std::string& strategy : strategies) BOOST_TEST_CONTEXT(strategy) {
      const std::vector<double> impulse = carried(kRobust + strategy, 0.05);
      if (first.empty()) first = impulse;
      BOOST_TEST_REQUIRE(impulse.size() == first.size());
      constexpr double kAgreement =
          1e-3;  // of a corner's share: 1e-9 m/s, which the preset solves to, of aΛ = 2e-6 m/s
      for (std::size_t i = 0; i < first.size(); ++i) BOOST_TEST(std::fabs(impulse[i] / first[i] - 1) < kAgreement);
    }
}

/// The steps of a proximal point keep the springs that contacts have.
BOOST_AUTO_TEST_CASE(proximal_point_on_springs) {
  constexpr double kStiffness = 1e6;
  World w = world_with_plane(0.5);
  for (int i = 0; i < 3; ++i)
    w.bodies.push_back(box("b" + std::to_string(i), {0.1, 0.1, 0.1}, 1 + i, {0, 0, 0.1 + 0.2 * i}));
  const ScopedOptions scoped(kRobust +
                             "-snes_type proximal_point -contact_law soc_fischer_burmeister -contact_stiffness 1e6 ");
  Model model(w, kStep);
  for (int i = 0; i < 60; ++i) BOOST_TEST(model.step().reason == "converged");
  const double weight = 6 * kGravity;  // on four corners
  BOOST_TEST(std::fabs(model.frame().bodies[1].position.z - 0.1 + weight / (4 * kStiffness)) < 1e-8);
}

/// Balls that fall and touch have neither impulses nor velocities of contact, and no gap but that of rounding: nothing
/// that an error could be relative to. One that lies on the ground has.
BOOST_AUTO_TEST_CASE(relative_to_what_is_slow) {
  constexpr double kRelative = 1e-8;  // -natural_map_tolerance of the preset
  const auto relative = [](bool ground, const std::string& options) {
    World w = world_with_plane(0.5);
    if (!ground) w.bodies[0].position = {0, 0, -10};
    w.bodies.push_back(ball("a", 0.1, 1, {0, 0, 0.1}));
    w.bodies.push_back(ball("b", 0.1, 1, {0, 0, std::nextafter(0.3, 0.0)}));
    const ScopedOptions scoped(options);
    Model model(w, kStep);
    return model.step().verdict;
  };
  const Verdict falling = relative(false, kRobust);
  BOOST_TEST(falling.natural_map.value > 0);
  BOOST_TEST(falling.natural_map_relative < kRelative);
  BOOST_TEST(relative(true, kRobust).natural_map_relative < kRelative);
  // Where nothing has been solved yet they would fall through the ground.
  BOOST_TEST(relative(true, kRobust + "-snes_max_it 0 -ssnal_sweeps 0 ").natural_map_relative > 1e3 * kRelative);
}

/// What has a stiffness of its own keeps that.
BOOST_AUTO_TEST_CASE(materials_go_first) {
  constexpr double kRadius = 0.25, kStiffness = 1e6;
  for (const std::string& options : {kRobust, kHard}) {
    World w = world_with_plane(0.5);
    w.bodies[0].position = {0, 0, -kRadius};
    w.bodies.push_back(ball("b", kRadius, 1, {0, 0, 0}));
    const ScopedOptions scoped(options + "-contact_stiffness 1e6 ");
    Model model(w, kStep);
    for (int i = 0; i < 60; ++i) BOOST_TEST(model.step().reason == "converged");
    BOOST_TEST(std::fabs(model.frame().bodies.back().position.z + kGravity / kStiffness) < 1e-9);
  }
}

BOOST_AUTO_TEST_SUITE_END()
