// How the strategy `ssnal` spends its Newton steps on a heap that falls: step lengths by the slope
// (-ssnal_slope_search) [docs/theory.md, eq. D5], and contacts that are looked for before the last digits
// (-detect_again_accuracy) [V7].

#include "tests/jointed.hpp"
#include "tests/property/random.hpp"

#include <boost/test/unit_test.hpp>

using namespace clarke;
using namespace clarke::test;

BOOST_AUTO_TEST_SUITE(slope_search)

namespace {

constexpr double kStep = 0.01;
constexpr int kSteps = 20;  // the last of the boxes has landed by then
/// Three layers of nine boxes, turned a little each, fall in a tight heap.
World heap(double friction) {
  World w = world_with_plane(friction);
  Random random(3);
  for (int i = 0; i < 27; ++i) {
    const Vec3 place{0.21 * (i % 3), 0.21 * (i / 3 % 3), 0.13 + 0.23 * (i / 9)};
    w.bodies.push_back(box("box_" + std::to_string(i), {0.1, 0.1, 0.1}, 5, place + random.vector(0.01)));
    w.bodies.back().orientation = from_axis_angle(random.unit_vector(), 0.05);
    w.bodies.back().velocity = {0.3 * (1 - i % 3), 0.3 * (1 - i / 3 % 3), -2};
  }
  return w;
}

struct Count {
  long newton = 0, failed = 0, again = 0, unconverged = 0;
  double overlap = 0;
};

Count fall(double friction, const std::string& options) {
  const ScopedOptions scoped(preset_options("robust") + options);
  Model model(heap(friction), kStep);
  Count c;
  for (int i = 0; i < kSteps; ++i) {
    const StepReport report = model.step();
    const auto counted = [&](const char* name) {
      const auto it = report.safeguards.find(name);
      return it == report.safeguards.end() ? 0L : it->second;
    };
    c.newton += report.newton_iterations;
    c.failed += counted("ssnal_failed_step");
    c.again += counted("detect_again");
    c.unconverged += report.reason != "converged";
    c.overlap = std::fmax(c.overlap, report.verdict.geometric_penetration.value().value);
  }
  BOOST_TEST_MESSAGE(options << ": " << c.newton << " Newton steps, " << c.failed << " failed proximal steps, "
                             << c.again << " rounds, overlap " << c.overlap << " m");
  return c;
}

}  // namespace

// Without friction the inner problem is the minimum of a convex function: by its slope it is found, and |g| rises on
// the way there, for which proximal steps fail that judge lengths by |g|.
BOOST_AUTO_TEST_CASE(fewer_proximal_steps_fail_without_friction) {
  const Count by_slope = fall(0, "-ssnal_slope_search true "), by_size = fall(0, "-ssnal_slope_search false ");
  BOOST_TEST(by_slope.unconverged == 0);
  BOOST_TEST(by_size.failed > 10);
  BOOST_TEST(2 * by_slope.failed < by_size.failed);
}

BOOST_AUTO_TEST_CASE(contacts_are_looked_for_before_the_last_digits) {
  const Count early = fall(0.5, "-detect_again_accuracy 1 "), late = fall(0.5, "-detect_again_accuracy 0 ");
  BOOST_TEST(early.again > 5);
  BOOST_TEST(early.unconverged == 0);
  BOOST_TEST(late.unconverged == 0);
  BOOST_TEST(early.overlap <= 1e-6);  // [m] what -detect_again_depth and the judge's own depths leave
  BOOST_TEST(early.newton < late.newton);
}

// What touches nothing is solved in one go, as if nobody asked.
BOOST_AUTO_TEST_CASE(mechanisms_are_not_asked_on_the_way) {
  World w;
  w.gravity = {0, 0, -9.81};
  constexpr double kLength = 0.2;
  for (int i = 0; i < 6; ++i) {
    const double mass = i < 5 ? 1 : 1000, inertia = mass * kLength * kLength / 12;  // a weight at the end
    w.bodies.push_back(
        free_body("link_" + std::to_string(i), mass, {0.1 * inertia, inertia, inertia}, {(i + 0.5) * kLength, 0, 0}));
    w.joints.push_back(joint_at("ball", "joint_" + std::to_string(i), w.bodies.back().name,
                                i == 0 ? "world" : "link_" + std::to_string(i - 1), {i * kLength, 0, 0}));
  }
  std::vector<long> newton;
  for (const char* options : {"-detect_again 30 ", "-detect_again 0 "}) {
    const ScopedOptions scoped(preset_options("robust") + options);
    Model model(w, kStep);
    newton.push_back(0);
    for (int i = 0; i < kSteps; ++i) {
      const StepReport report = model.step();
      BOOST_TEST(report.reason == "converged");
      newton.back() += report.newton_iterations;
    }
  }
  BOOST_TEST(newton[0] > kSteps);  // it is a problem at all
  BOOST_TEST(newton[0] == newton[1]);
}

BOOST_AUTO_TEST_SUITE_END()
